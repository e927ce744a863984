// Keys that turn the slides, and letters that are small enough for a slide to hold what it has.
const slides = [...document.querySelectorAll("section")];
const STEPS = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };

function turn(event) {
  const step = STEPS[event.key];
  if (!step || event.target.closest("figure.widget, input, select, button")) return;
  event.preventDefault();
  const here = Math.round(scrollY / innerHeight);
  slides[Math.min(Math.max(here + step, 0), slides.length - 1)].scrollIntoView();
}

const fits = (slide) => slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth;

function fit() {
  for (const slide of slides) {
    slide.style.fontSize = "";
    for (let size = 96; !fits(slide) && size > 40; size -= 4) slide.style.fontSize = `${size}%`;
  }
  document.body.dataset.fitted = "yes";
}

addEventListener("keydown", turn);
addEventListener("resize", fit);
if (typeof MathJax !== "undefined" && MathJax.Hub) MathJax.Hub.Queue(fit);
else addEventListener("load", () => (typeof MathJax !== "undefined" && MathJax.Hub ? MathJax.Hub.Queue(fit) : fit()));
