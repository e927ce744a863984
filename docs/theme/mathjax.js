MathJax.Hub.Config({ messageStyle: "none", showMathMenu: false });
