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

  // Lets the pointer and the arrow keys move something. If grab(at) returns that there is something to drag at this place,
  // drag(at) follows; otherwise point(at) as the pointer moves, and click(at). Places are in the drawing's units.
  movable(drawing, { grab, drag, point = () => {}, click, step }) {
    let dragging = false, dragged = false;
    const place = (event) => {
      const frame = drawing.getBoundingClientRect(), scale = drawing.viewBox.baseVal.width / frame.width;
      return { x: (event.clientX - frame.left) * scale, y: (event.clientY - frame.top) * scale };
    };
    drawing.setAttribute("tabindex", 0);
    drawing.setAttribute("role", "application");  // an img has nothing to move
    drawing.addEventListener("pointerdown", (event) => {
      dragging = dragged = grab(place(event));
      if (dragging) drawing.setPointerCapture(event.pointerId);
    });
    drawing.addEventListener("pointermove", (event) => (dragging ? drag : point)(place(event)));
    drawing.addEventListener("touchstart", (event) => dragging && event.preventDefault(), { passive: false });  // no scrolling
    for (const end of ["pointerup", "pointercancel"]) drawing.addEventListener(end, () => { dragging = false; });
    drawing.addEventListener("click", (event) => dragged || click(place(event)));
    drawing.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!by) return;
      event.preventDefault();
      step(...by);
    });
  },

  // Lets one body of a square of side 1, drawn `size` wide, be moved: moveTo(at) follows it, click(at) is for other places.
  movableInSquare(drawing, size, body, moveTo, click) {
    const inSquare = ({ x, y }) => ({ x: x / size, y: y / size });
    widgets.movable(drawing, {
      grab: (place) => { const { x, y } = inSquare(place); return Math.hypot(x - body.x, y - body.y) < 0.05; },
      drag: (place) => moveTo(inSquare(place)),
      click: (place) => { if (place.x < size) click(inSquare(place)); },
      step: (x, y) => moveTo({ x: body.x + 0.02 * x, y: body.y + 0.02 * y }),
    });
  },

  // Two clumps, { count, x, y, width } each, and 30 strays in a square of side 1, the same for every reader.
  scattered(...clumps) {
    let seed = 7;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const near = (middle, width) => middle + width * (random() + random() + random() - 1.5);
    return [
      ...clumps.flatMap(({ count, x, y, width }) =>
        widgets.range(1, count).map(() => ({ x: near(x, width), y: near(y, width) }))),
      ...widgets.range(1, 30).map(() => ({ x: random(), y: random() }))];
  },

  // A tree's cell: a square, its bodies, their centre of mass and their tight box, and its children.
  cell(x, y, side, held, leaf, around = null) {
    const mean = (all) => all.reduce((sum, one) => sum + one, 0) / held.length;
    const [xs, ys] = [held.map((b) => b.x), held.map((b) => b.y)];
    const [[left, right], [top, bottom]] = [xs, ys].map((all) => [Math.min(...all), Math.max(...all)]);
    const centre = { x: mean(xs), y: mean(ys) };
    const made = { x, y, side, held, centre, longest: Math.max(right - left, bottom - top), around, children: [],
      offset: Math.hypot(centre.x - (left + right) / 2, centre.y - (top + bottom) / 2) };
    if (held.length < leaf || side < 1e-3) return made;
    for (const cx of [x, x + side / 2])
      for (const cy of [y, y + side / 2]) {
        const inside = held.filter((b) => (b.x >= x + side / 2) === (cx > x) && (b.y >= y + side / 2) === (cy > y));
        if (inside.length > 0) made.children.push(widgets.cell(cx, cy, side / 2, inside, leaf, made));
      }
    return made;
  },

  // The walk of step 06 for one place: cells that are accepted by their distance, leaves, and how many cells it opens.
  walk(root, at, theta) {
    const found = { cells: [], leaves: [], opened: 0 }, stack = [root];
    while (stack.length > 0) {
      const c = stack.pop(), d = Math.hypot(at.x - c.centre.x, at.y - c.centre.y);
      if (d > 0 && d >= c.longest / theta + c.offset) found.cells.push(c);
      else if (c.children.length === 0) found.leaves.push(c);
      else {
        found.opened += 1;
        stack.push(...c.children);
      }
    }
    return found;
  },

  // The pull of sources, of mass 1 if they have none.
  pulled(at, sources, softeningSquared) {
    const sum = { x: 0, y: 0 };
    for (const source of sources) {
      const x = source.x - at.x, y = source.y - at.y;
      const s = (source.mass ?? 1) * (x * x + y * y + softeningSquared) ** -1.5;
      sum.x += s * x;
      sum.y += s * y;
    }
    return sum;
  },

  many(count, word) {
    return `${count} ${word}${count === 1 ? "" : "s"}`;
  },

  range(first, last) {
    return Array.from({ length: last - first + 1 }, (_, k) => first + k);
  },
};
