// Step 06: one body's walk over a tree in the plane; opened and accepted cells, and the error.
"use strict";

(() => {
  const size = 400, leaf = 4, softeningSquared = 0.01 ** 2;
  const { controls, drawing, say } = widgets.make("tree-walk", 640, size);
  const target = { x: 0.22, y: 0.74 };
  let theta = 0.5, bodies = [];

  const inside = (p) => p.x > 0 && p.x < 1 && p.y > 0 && p.y < 1;

  function scatter() {
    bodies = widgets.scattered({ count: 90, x: 0.7, y: 0.3, width: 0.16 }, { count: 40, x: 0.25, y: 0.7, width: 0.13 })
      .filter(inside);
  }

  function show() {
    drawing.replaceChildren();
    widgets.box(drawing, "none", 0.5, 0.5, size - 1, size - 1);
    const square = (kind, c) => widgets.box(drawing, kind, c.x * size, c.y * size, c.side * size, c.side * size);
    if (bodies.length > 0) {
      const { cells, leaves, opened } = widgets.walk(widgets.cell(0, 0, 1, bodies, leaf), target, theta);
      for (const c of cells) square("c", c);
      for (const c of leaves) square("b", c);
      for (const c of cells)
        widgets.shape(drawing, "circle", "sc", { cx: c.centre.x * size, cy: c.centre.y * size, r: 5 });
      const inLeaves = leaves.flatMap((c) => c.held);
      const sources = [...cells.map((c) => ({ ...c.centre, mass: c.held.length })), ...inLeaves];
      const [force, direct] = [sources, bodies].map((all) => widgets.pulled(target, all, softeningSquared));
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

  const moveTo = (at) => { if (inside(at)) { Object.assign(target, at); show(); } };
  widgets.movableInSquare(drawing, size, target, moveTo, (at) => { if (inside(at)) { bodies.push(at); show(); } });

  const angles = widgets.range(1, 15).map((k) => k / 10);
  widgets.slider(controls, "theta", angles, theta, (value) => { theta = value; show(); });
  widgets.button(controls, "Clear", () => { bodies = []; show(); });
  widgets.button(controls, "Scatter", () => { scatter(); show(); });
  scatter();
  show();
})();
