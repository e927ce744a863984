MathJax.Hub.Config({ jax: ["input/TeX", "output/CommonHTML"], messageStyle: "none", showMathMenu: false });  // a third lighter than SVG
MathJax.Hub.Register.MessageHook("New Math", ([, id]) =>  // a formula's name is its source
  Object.assign(document.getElementById(id + "-Frame"), { role: "img", ariaLabel: document.getElementById(id).text }));
