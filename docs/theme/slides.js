// A tutorial as slides, step_01.html?slides, and the cheat sheet as one page of paper, cheat_sheet.html?sheet.
//
// A slide has a heading of the page and the first sentences of the paragraphs below it, or one picture, table or report. What the
// page folds is not shown, because exercises ask for it.
(() => {
  "use strict";
  const POINTS = 4, POINTS_ABOVE_A_PICTURE = 2, SHORT = 50;  // characters: such a sentence does not stand alone
  const text = document.querySelector(".textblock");
  // The end of a sentence, with what may close behind it. A number or an abbreviation is followed by a digit or a small letter.
  const END = /[.?!](?:\)|<\/\w+>)*(?=\s+(?:<\w[^>]*>)*[A-Z\\(]|\s*$)/g;

  const element = (tag, ...contents) => {
    const made = document.createElement(tag);
    made.append(...contents);
    return made;
  };
  const parsed = (tag, html) => Object.assign(document.createElement(tag), { innerHTML: html });
  // Whether no element and no formula is open at its end.
  const isWhole = (html) => parsed("p", html).innerHTML === html && html.split("\\(").length === html.split("\\)").length;
  // That of a paragraph, with the next one if it is short; one in brackets is passed over. Empty if it only leads to what comes next.
  const firstSentence = (html) => {
    let begin = 0;
    for (const { index, 0: mark } of html.matchAll(END)) {
      const end = index + mark.length, sentence = html.slice(begin, end).trim();
      if (!isWhole(sentence)) continue;
      if (sentence.startsWith("(")) begin = end;
      else if (parsed("p", sentence).textContent.length >= SHORT) return sentence;
    }
    const rest = html.slice(begin).trim();
    return rest.endsWith(":") || rest.startsWith("(") ? "" : rest;
  };

  function deck() {
    const title = document.querySelector(".title").textContent.trim(), slides = [];
    let heading, points = [];
    const slide = (...contents) => {
      if (heading?.includes("Further reading")) return;
      slides.push(element("section", parsed(slides.length ? "h2" : "h1", heading ?? title), ...contents));
      slides.at(-1).id = `s${slides.length}`;
    };
    const flush = () => {
      for (let first = 0; first < points.length; first += POINTS) slide(element("ul", ...points.slice(first, first + POINTS)));
      points = [];
    };
    const point = (html) => {
      const sentence = firstSentence(html.replace(/<\/?p\b[^>]*>/g, "").trim());
      if (sentence) points.push(parsed("li", sentence));
    };
    const picture = (block) => {
      for (const fold of block.querySelectorAll("details")) fold.replaceWith(parsed("p", fold.firstChild.innerHTML));
      const above = points.length && points.length <= POINTS_ABOVE_A_PICTURE && !block.matches(".widget");  // that fills a slide
      const list = above ? [element("ul", ...points.splice(0))] : [];
      flush();
      slide(...list, block);
    };
    for (const block of [...text.children]) {
      if (block.matches("h2, h3, h4")) { flush(); heading = block.innerHTML; }
      else if (heading === undefined && block.matches("p")) {
        block.innerHTML = block.innerHTML.trim();
        if (block.firstChild?.nodeName === "B") block.firstChild.className = "label";  // "The question.", on a line of its own
        if (slides.length && block.textContent.startsWith("(")) slides.at(-1).append(block);
        else slide(block);
      }
      else if (block.matches(".formulaDsp")) points.push(Object.assign(element("li", block), { className: "formula" }));
      else if (block.matches(".stamp")) slides.at(-1).append(block);
      else if (block.matches("p")) point(block.innerHTML);
      else if (block.matches("ul, ol")) for (const item of block.children) point(item.innerHTML);
      else if (block.matches("figure, table, .mutant")) picture(block);
    }
    flush();
    for (const made of slides) {
      const link = Object.assign(element("a", title), { href: location.pathname });
      made.append(element("footer", link, element("span", `${made.id.slice(1)} / ${slides.length}`)));
    }
    return [element("main", ...slides), controls()];
  }

  // Letters that are small enough for a slide to hold what it has.
  const fits = (slide) => slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth;
  function fit() {
    for (const slide of document.querySelectorAll("section")) {
      slide.style.fontSize = "";
      for (let size = 96; !fits(slide) && size > 40; size -= 4) slide.style.fontSize = `${size}%`;
    }
    document.documentElement.className = "";
    document.body.dataset.fitted = "yes";
  }

  // The slide in view, and a slide further or back.
  function go(step) {
    const slides = [...document.querySelectorAll("section")];
    const here = slides.findIndex((slide) => slide.getBoundingClientRect().bottom > innerHeight / 3);
    slides[Math.min(Math.max(here + step, 0), slides.length - 1)].scrollIntoView();
  }
  const STEPS = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };
  function turn(event) {
    const step = STEPS[event.key];
    if (!step || event.target.closest("figure.widget, input, select, button, a")) return;
    event.preventDefault();
    go(step);
  }
  function controls() {
    const button = (words, label, step) => {
      const made = Object.assign(element("button", words), { ariaLabel: label });
      made.addEventListener("click", () => go(step));
      return made;
    };
    const page = Object.assign(element("a", "Page"), { href: location.pathname });
    const made = Object.assign(element("nav", button("←", "Previous slide", -1), button("→", "Next slide", 1), page), { id: "turn" });
    made.ariaLabel = "Slides";
    return made;
  }

  function sheet() {
    const blocks = [...text.children], first = blocks.findIndex((block) => block.matches("h2"));
    const parts = blocks.slice(first).filter((block) => block.matches("h2, p, table"));
    const title = parsed("h1", "CUDA on one page <small>N-Body Ladder</small>");
    return [title, element("main", ...parts.map((part) => part.matches("h2") ? parsed("h2", part.innerHTML) : part))];
  }

  const make = { "?slides": deck, "?sheet": sheet }[location.search];
  if (!make) return;
  for (const anchor of text.querySelectorAll("a:is(.anchor, .anchorlink)")) anchor.remove();
  document.body.replaceChildren(...make());
  for (const link of document.querySelectorAll("link[rel=stylesheet]:not([href$='ladder.css'])")) link.disabled = true;
  const style = { rel: "stylesheet", href: make === deck ? "slides.css" : "sheet.css" };
  document.head.append(Object.assign(document.createElement("link"), style));
  if (make === sheet) {
    addEventListener("load", () => { document.documentElement.className = ""; });
    return;
  }
  addEventListener("keydown", turn);
  addEventListener("load", () => addEventListener("resize", fit));
  addEventListener("load", () => typeof MathJax !== "undefined" && MathJax.Hub ? MathJax.Hub.Queue(fit) : fit());
})();
