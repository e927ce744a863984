// Scrolling, copying, pausing and printing. common/tools/docs/frame.py makes what is around a page.
"use strict";

// A drawing, a table or code that is wider than its frame is scrolled, also with keys.
const boxes = document.querySelectorAll("figure, pre, div.fragment, div.memproto, div.image, table.markdownTable, tbody");
const scrolled = new ResizeObserver(() => {
  for (const box of boxes)
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
});
for (const box of boxes)
  for (const each of [box, ...box.querySelectorAll(":scope > img, :scope > svg")]) scrolled.observe(each);

// The contents in the margin show which section is read.
const sections = [...document.querySelectorAll("nav.margin a")].map((link) => [link, document.getElementById(link.hash.slice(1))]);
const mark = () => {
  const read = sections.findLastIndex(([, heading]) => heading?.getBoundingClientRect().top < 100);
  sections.forEach(([link], k) => link.classList.toggle("active", k === read));
};
addEventListener("scroll", mark, { passive: true });
mark();

// Commands and code can be copied. A page that is opened as a file may have no clipboard.
for (const fragment of navigator.clipboard ? document.querySelectorAll("div.fragment") : []) {
  const button = Object.assign(document.createElement("button"), { className: "copy", textContent: "Copy" });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText([...fragment.querySelectorAll(".line")].map((line) => line.textContent).join("\n"));
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  fragment.before(button);
}

// A film stops where a still picture takes its place.
for (const film of document.querySelectorAll("figure.picture img")) {
  const button = Object.assign(document.createElement("button"), { className: "pause", textContent: "Pause" });
  const moving = film.src;
  button.addEventListener("click", () => {
    const isMoving = button.textContent === "Pause";
    film.src = isMoving ? film.dataset.still : moving;
    button.textContent = isMoving ? "Play" : "Pause";
  });
  film.closest("figure").append(button);
}

// Paper is white, also where the screen is dark.
addEventListener("beforeprint", () => document.documentElement.classList.add("light-mode"));
addEventListener("afterprint", () => document.documentElement.classList.remove("light-mode"));
