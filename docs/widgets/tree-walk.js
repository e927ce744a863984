// Step 06: one body's walk over a tree in the plane; opened and accepted cells, and the error.
"use strict";

(() => {
  const size = 400, leaf = 4, softening = 0.01;
  const { controls, drawing, say } = widgets.make("tree-walk", 640, size);
  let theta = 0.5, target = { x: 0.22, y: 0.74 }, bodies = [];

  const inside = (p) => p.x > 0 && p.x < 1 && p.y > 0 && p.y < 1;

  function scatter() {
    bodies = widgets.scattered({ count: 90, x: 0.7, y: 0.3, width: 0.16 }, { count: 40, x: 0.25, y: 0.7, width: 0.13 })
      .filter(inside);
  }

  // A cell: square, bodies, centre of mass, tight box, children.
  function cell(x, y, side, held) {
    const sum = (f) => held.reduce((total, body) => total + f(body), 0);
    const low = (f) => Math.min(...held.map(f)), high = (f) => Math.max(...held.map(f));
    const centre = { x: sum((b) => b.x) / held.length, y: sum((b) => b.y) / held.length };
    const [left, right, top, bottom] = [low((b) => b.x), high((b) => b.x), low((b) => b.y), high((b) => b.y)];
    const longest = Math.max(right - left, bottom - top);
    const offset = Math.hypot(centre.x - (left + right) / 2, centre.y - (top + bottom) / 2);
    const made = { x, y, side, held, centre, longest, offset, children: [] };
    if (held.length < leaf || side < 1e-3) return made;
    for (const cx of [x, x + side / 2])
      for (const cy of [y, y + side / 2]) {
        const inside = held.filter((b) => b.x >= cx && b.x < cx + side / 2 && b.y >= cy && b.y < cy + side / 2);
        if (inside.length > 0) made.children.push(cell(cx, cy, side / 2, inside));
      }
    return made;
  }

  function pull(sum, source, mass) {
    const x = source.x - target.x, y = source.y - target.y;
    const s = mass / Math.pow(x * x + y * y + softening * softening, 1.5);
    sum.x += s * x;
    sum.y += s * y;
  }

  function walk(root) {
    const found = { accepted: [], leaves: [], opened: 0, sum: { x: 0, y: 0 } };
    const stack = [root];
    while (stack.length > 0) {
      const at = stack.pop();
      const distance = Math.hypot(at.centre.x - target.x, at.centre.y - target.y);
      if (distance >= at.longest / theta + at.offset && distance > 0) {
        found.accepted.push(at);
        pull(found.sum, at.centre, at.held.length);
      } else if (at.children.length === 0) {
        found.leaves.push(at);
        for (const body of at.held) pull(found.sum, body, 1);
      } else {
        found.opened += 1;
        stack.push(...at.children);
      }
    }
    return found;
  }

  function show() {
    drawing.replaceChildren();
    widgets.box(drawing, "none", 0.5, 0.5, size - 1, size - 1);
    const square = (kind, c) => widgets.box(drawing, kind, c.x * size, c.y * size, c.side * size, c.side * size);
    const direct = { x: 0, y: 0 };
    for (const body of bodies) pull(direct, body, 1);
    if (bodies.length > 0) {
      const found = walk(cell(0, 0, 1, bodies));
      for (const c of found.accepted) square("c", c);
      for (const c of found.leaves) square("b", c);
      for (const c of found.accepted)
        widgets.shape(drawing, "circle", "sc", { cx: c.centre.x * size, cy: c.centre.y * size, r: 5 });
      const inLeaves = found.leaves.reduce((total, c) => total + c.held.length, 0);
      const error = Math.hypot(found.sum.x - direct.x, found.sum.y - direct.y) / Math.hypot(direct.x, direct.y);
      const terms = found.accepted.length + inLeaves;
      [
        `${bodies.length} bodies`, `${found.opened} cells opened`, `${found.accepted.length} cells act as one (green)`,
        `${inLeaves} bodies of leaves (orange)`, `${terms} interactions, not ${bodies.length}`,
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

  const inSquare = ({ x, y }) => ({ x: x / size, y: y / size });
  const moveTo = (at) => { if (inside(at)) { target = at; show(); } };
  widgets.movable(drawing, {
    grab: (place) => { const { x, y } = inSquare(place); return Math.hypot(x - target.x, y - target.y) < 0.05; },
    drag: (place) => moveTo(inSquare(place)),
    click: (place) => { const at = inSquare(place); if (inside(at)) { bodies.push(at); show(); } },
    step: (x, y) => moveTo({ x: target.x + 0.02 * x, y: target.y + 0.02 * y }),
  });

  const angles = widgets.range(1, 15).map((k) => k / 10);
  widgets.slider(controls, "theta", angles, theta, (value) => { theta = value; show(); });
  widgets.button(controls, "Clear", () => { bodies = []; show(); });
  widgets.button(controls, "Scatter", () => { scatter(); show(); });
  scatter();
  show();
})();
