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

  button(controls, words, use) {
    const button = controls.appendChild(document.createElement("button"));
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", use);
    return button;
  },

  range(first, last) {
    return Array.from({ length: last - first + 1 }, (_, k) => first + k);
  },
};
