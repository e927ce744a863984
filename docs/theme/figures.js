// On a narrow screen a drawing is as wide as the screen; a button beneath shows it in its own size, to be scrolled.
for (const figure of document.querySelectorAll("figure")) {
  const button = Object.assign(document.createElement("button"), { className: "enlarge", textContent: "Enlarge" });
  button.addEventListener("click", () => {
    button.textContent = figure.classList.toggle("enlarged") ? "Fit to the screen" : "Enlarge";
  });
  figure.after(button);
}
