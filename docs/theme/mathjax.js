MathJax.Hub.Config({ messageStyle: "none", showMathMenu: false });
MathJax.Hub.Register.MessageHook("New Math", ([, id]) =>  // a formula's name is its source
  document.getElementById(id + "-Frame")?.querySelector("svg").setAttribute("aria-label", document.getElementById(id).text));
