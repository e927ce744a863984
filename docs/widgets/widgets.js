// Parts that the interactive pictures share: SVG shapes, and controls that a keyboard can use.
"use strict";

const widgets = {
  // A shape in `parent`; `kind` is a class of ladder.css.
  shape(parent, tag, kind, attributes = {}, words = "") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    if (kind) element.setAttribute("class", kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (words !== "") element.textContent = words;
    parent.appendChild(element);
    return element;
  },

  box(parent, kind, x, y, width, height) {
    return widgets.shape(parent, "rect", kind, { x, y, width, height });
  },

  text(parent, x, y, words, kind = "") {
    return widgets.shape(parent, "text", kind, { x, y }, words);
  },

  // Fills the figure of this name: controls, a drawing, and a line that says what is shown. see(x) scrolls to a place
  // of the drawing where it is wider than the screen.
  make(name, width, height) {
    const figure = document.getElementById(name);
    const controls = figure.appendChild(document.createElement("div"));
    controls.className = "widget-controls";
    const drawing = widgets.shape(figure, "svg", "", {
      viewBox: `0 0 ${width} ${height}`, width, role: "img", "aria-label": figure.getAttribute("aria-label") });
    const said = figure.appendChild(document.createElement("p"));
    said.className = "widget-said";
    said.setAttribute("aria-live", "polite");
    const see = (x) => { figure.scrollLeft = x - figure.clientWidth / 2; };
    return { figure, controls, drawing, see, say: (words) => { said.textContent = words; } };
  },

  labelled(controls, words, input) {
    const label = controls.appendChild(document.createElement("label"));
    label.append(words + " ", input);
    return label;
  },

  // A slider over `values`; calls use(value) at each change.
  slider(controls, words, values, start, use) {
    const input = document.createElement("input");
    input.type = "range";
    input.min = 0;
    input.max = values.length - 1;
    input.value = values.indexOf(start);
    const label = widgets.labelled(controls, words, input);
    const shown = label.appendChild(document.createElement("output"));
    const change = () => {
      shown.textContent = values[input.value];
      input.setAttribute("aria-valuetext", values[input.value]);
    };
    input.addEventListener("input", () => { change(); use(values[input.value]); });
    change();
    return input;
  },

  choice(controls, words, options, use) {
    const input = document.createElement("select");
    for (const option of options) input.add(new Option(option, option));
    widgets.labelled(controls, words, input);
    input.addEventListener("input", () => use(input.value));
    return input;
  },

  button(controls, words, use) {
    const button = controls.appendChild(document.createElement("button"));
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", use);
    return button;
  },

  // Back, next and restart over count() moments, also by the arrow keys on the buttons; begins at one that prints well.
  // Returns what shows the moment again.
  stepper(controls, count, begin, show) {
    let at = begin;
    const go = (to) => { at = Math.max(0, Math.min(count() - 1, to)); show(at); };
    widgets.button(controls, "Back", () => go(at - 1));
    widgets.button(controls, "Next", () => go(at + 1));
    widgets.button(controls, "Restart", () => go(0));
    controls.addEventListener("keydown", (event) => {
      if (event.target.tagName === "INPUT") return;  // a slider has its own arrow keys
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) { event.preventDefault(); go(at + step); }
    });
    show(at);
    return () => go(at);
  },

  // Lets one body of a square of side 1, drawn `size` wide, be moved with the pointer or the arrow keys: moveTo(at) follows it,
  // click(at) is for other places.
  movableInSquare(drawing, size, body, moveTo, click) {
    let dragging = false, dragged = false;
    const place = (event) => {
      const frame = drawing.getBoundingClientRect(), scale = drawing.viewBox.baseVal.width / frame.width / size;
      return { x: (event.clientX - frame.left) * scale, y: (event.clientY - frame.top) * scale };
    };
    drawing.setAttribute("tabindex", 0);
    drawing.setAttribute("role", "application");  // an img has nothing to move
    drawing.addEventListener("pointerdown", (event) => {
      const { x, y } = place(event);
      dragging = dragged = Math.hypot(x - body.x, y - body.y) < 0.05;
      if (dragging) drawing.setPointerCapture(event.pointerId);
    });
    drawing.addEventListener("pointermove", (event) => dragging && moveTo(place(event)));
    drawing.addEventListener("touchstart", (event) => dragging && event.preventDefault(), { passive: false });  // no scrolling
    for (const end of ["pointerup", "pointercancel"]) drawing.addEventListener(end, () => { dragging = false; });
    drawing.addEventListener("click", (event) => dragged || click(place(event)));
    drawing.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!by) return;
      event.preventDefault();
      moveTo({ x: body.x + 0.02 * by[0], y: body.y + 0.02 * by[1] });
    });
  },

  many(count, word) {
    return `${count} ${word}${count === 1 ? "" : "s"}`;
  },

  range(first, last) {
    return Array.from({ length: last - first + 1 }, (_, k) => first + k);
  },
};
