// A drawing is no wider than the page. Where that is less than its own width, a button beneath shows it in that, to be
// scrolled. div.image is Doxygen's, of a picture that the text names: of a screen, with the dots of a page.
const OF_A_DOT = 96 / 150;  // recorded pictures have 150 dots an inch (common/tools/plots/figure.py), a page has 96
for (const figure of document.querySelectorAll(":is(figure, div.image):has(> svg, > img)")) {
  const drawing = figure.querySelector(":scope > svg, :scope > img");
  const button = Object.assign(document.createElement("button"), { className: "enlarge", textContent: "Enlarge" });
  const ofADot = figure.matches("figure") ? OF_A_DOT : 1;
  const ownWidth = () => drawing.viewBox?.baseVal.width ?? ofADot * drawing.naturalWidth;
  const offer = () => {
    const isEnlarged = figure.classList.contains("enlarged");
    button.hidden = !isEnlarged && ownWidth() < 1.1 * drawing.getBoundingClientRect().width;
  };
  button.addEventListener("click", () => {
    const isEnlarged = figure.classList.toggle("enlarged");
    button.textContent = isEnlarged ? "Fit to the screen" : "Enlarge";
    drawing.style.width = isEnlarged ? `${ownWidth()}px` : "";
  });
  figure.after(button);
  drawing.addEventListener("load", offer);
  new ResizeObserver(offer).observe(figure);
}
