// Step 06: one body's walk over a tree in the plane; opened and accepted cells, and the error.
"use strict";

(() => {
  const size = 400, leaf = 4, softeningSquared = 0.01 ** 2;
  const { controls, drawing, say } = widgets.make("tree-walk", 640, size);
  const target = { x: 0.22, y: 0.74 };
  let theta = 0.5, bodies = [];

  const inside = (p) => p.x > 0 && p.x < 1 && p.y > 0 && p.y < 1;

  // Two clumps and 30 strays, the same for every reader.
  function scatter() {
    let seed = 7;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const near = (middle, width) => middle + width * (random() + random() + random() - 1.5);
    const clumps = [{ count: 90, x: 0.7, y: 0.3, width: 0.16 }, { count: 40, x: 0.25, y: 0.7, width: 0.13 }];
    bodies = clumps.flatMap(({ count, x, y, width }) =>
      widgets.range(1, count).map(() => ({ x: near(x, width), y: near(y, width) })));
    bodies = [...bodies, ...widgets.range(1, 30).map(() => ({ x: random(), y: random() }))].filter(inside);
  }

  // A tree's cell: a square, its bodies, their centre of mass and their tight box, and its children.
  function cell(x, y, side, held) {
    const mean = (all) => all.reduce((sum, one) => sum + one, 0) / held.length;
    const [xs, ys] = [held.map((b) => b.x), held.map((b) => b.y)];
    const [[left, right], [top, bottom]] = [xs, ys].map((all) => [Math.min(...all), Math.max(...all)]);
    const centre = { x: mean(xs), y: mean(ys) };
    const made = { x, y, side, held, centre, longest: Math.max(right - left, bottom - top), children: [],
      offset: Math.hypot(centre.x - (left + right) / 2, centre.y - (top + bottom) / 2) };
    if (held.length < leaf || side < 1e-3) return made;
    for (const cx of [x, x + side / 2])
      for (const cy of [y, y + side / 2]) {
        const inIt = held.filter((b) => (b.x >= x + side / 2) === (cx > x) && (b.y >= y + side / 2) === (cy > y));
        if (inIt.length > 0) made.children.push(cell(cx, cy, side / 2, inIt));
      }
    return made;
  }

  // The walk for the blue body: cells that are accepted by their distance, leaves, and how many cells it opens.
  function walk(root) {
    const found = { cells: [], leaves: [], opened: 0 }, stack = [root];
    while (stack.length > 0) {
      const c = stack.pop(), d = Math.hypot(target.x - c.centre.x, target.y - c.centre.y);
      if (d > 0 && d >= c.longest / theta + c.offset) found.cells.push(c);
      else if (c.children.length === 0) found.leaves.push(c);
      else {
        found.opened += 1;
        stack.push(...c.children);
      }
    }
    return found;
  }

  // The pull of sources, of mass 1 if they have none, on the blue body.
  function pullOf(sources) {
    const sum = { x: 0, y: 0 };
    for (const source of sources) {
      const x = source.x - target.x, y = source.y - target.y;
      const s = (source.mass ?? 1) * (x * x + y * y + softeningSquared) ** -1.5;
      sum.x += s * x;
      sum.y += s * y;
    }
    return sum;
  }

  function show() {
    drawing.replaceChildren();
    widgets.box(drawing, "none", 0.5, 0.5, size - 1, size - 1);
    const square = (kind, c) => widgets.box(drawing, kind, c.x * size, c.y * size, c.side * size, c.side * size);
    if (bodies.length > 0) {
      const { cells, leaves, opened } = walk(cell(0, 0, 1, bodies));
      for (const c of cells) square("c", c);
      for (const c of leaves) square("b", c);
      for (const c of cells)
        widgets.shape(drawing, "circle", "sc", { cx: c.centre.x * size, cy: c.centre.y * size, r: 5 });
      const inLeaves = leaves.flatMap((c) => c.held);
      const sources = [...cells.map((c) => ({ ...c.centre, mass: c.held.length })), ...inLeaves];
      const [force, direct] = [sources, bodies].map(pullOf);
      const error = Math.hypot(force.x - direct.x, force.y - direct.y) / Math.hypot(direct.x, direct.y);
      const terms = sources.length;
      [
        `${bodies.length} bodies`, `${opened} cells opened`, `${cells.length} cells act as one (green)`,
        `${inLeaves.length} bodies of leaves (orange)`, `${terms} interactions, not ${bodies.length}`,
        `relative error ${error.toExponential(1)}`,
      ].forEach((line, k) => widgets.text(drawing, 415, 30 + 24 * k, line));
      say(`With theta ${theta} the force on the blue body takes ${terms} interactions instead of ` +
        `${bodies.length}; its error is ${(100 * error).toPrecision(2)}%. Click to add a body; arrow keys or ` +
        "dragging move the blue one.");
    } else {
      say("No bodies. Click into the square to drop some.");
    }
    const dot = (body, r, kind) => widgets.shape(drawing, "circle", kind, { cx: body.x * size, cy: body.y * size, r });
    for (const body of bodies) dot(body, 2, "body");
    dot(target, 8, "a");
  }

  // The blue body is moved with the pointer or the arrow keys. A click elsewhere adds a body.
  const moveTo = (at) => { if (inside(at)) { Object.assign(target, at); show(); } };
  const place = (event) => {
    const frame = drawing.getBoundingClientRect(), scale = drawing.viewBox.baseVal.width / frame.width / size;
    return { x: (event.clientX - frame.left) * scale, y: (event.clientY - frame.top) * scale };
  };
  let dragging = false, dragged = false;
  drawing.setAttribute("tabindex", 0);
  drawing.setAttribute("role", "application");  // an img has nothing to move
  drawing.addEventListener("pointerdown", (event) => {
    const { x, y } = place(event);
    dragging = dragged = Math.hypot(x - target.x, y - target.y) < 0.05;
    if (dragging) drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener("pointermove", (event) => dragging && moveTo(place(event)));
  drawing.addEventListener("touchstart", (event) => dragging && event.preventDefault(), { passive: false });  // no scrolling
  for (const end of ["pointerup", "pointercancel"]) drawing.addEventListener(end, () => { dragging = false; });
  drawing.addEventListener("click", (event) => {
    const at = place(event);
    if (!dragged && inside(at)) { bodies.push(at); show(); }
  });
  drawing.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!by) return;
    event.preventDefault();
    moveTo({ x: target.x + 0.02 * by[0], y: target.y + 0.02 * by[1] });
  });

  const angles = widgets.range(1, 15).map((k) => k / 10);
  widgets.slider(controls, "theta", angles, theta, (value) => { theta = value; show(); });
  widgets.button(controls, "Clear", () => { bodies = []; show(); });
  widgets.button(controls, "Scatter", () => { scatter(); show(); });
  scatter();
  show();
})();
