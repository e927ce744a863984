// Step 10: one body in the plane, the targets around it, and what acts on each of them; with the error of the result.
"use strict";

// The method of forces.cu and its rules, for bodies { x, y } of mass 1 in a square of side 1, as seen by the body `chosen`.
widgets.multipolePlane = (bodies, chosen, { order, tolerance, leaf, levels, softeningSquared }) => {
  const theta = 0.8, ratioOfTargets = 8, rim = 0.2, leastRadius = 1 / 1024, thetaOfWalk = 0.5;
  const total = (list, f) => list.reduce((sum, one) => sum + f(one), 0);
  const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

  // f(i, j) for all i + j <= most, in rising order.
  function table(most, f) {
    const made = widgets.range(0, most).map(() => []);
    for (let n = 0; n <= most; ++n) for (let j = 0; j <= n; ++j) made[n - j][j] = f(n - j, j, made);
    return made;
  }

  // x^i y^j / (i! j!)
  const powers = (x, y, most) =>
    table(most, (i, j, made) => (i > 0 ? (made[i - 1][j] * x) / i : j > 0 ? (made[i][j - 1] * y) / j : 1));

  // The derivatives D of (r^2 + epsilon^2)^(-1/2), by the recurrence of expansion.cuh.
  function derivatives({ x, y }, most) {
    const inverseSquare = 1 / (x * x + y * y + softeningSquared), g = [Math.sqrt(inverseSquare)];
    for (let n = 1; n <= most; ++n) g.push(g[n - 1] * inverseSquare * (1 - 2 * n));
    const d = (i, j, n) => {
      if (i > 0) return x * d(i - 1, j, n + 1) + (i > 1 ? (i - 1) * d(i - 2, j, n + 1) : 0);
      if (j > 0) return y * d(i, j - 1, n + 1) + (j > 1 ? (j - 1) * d(i, j - 2, n + 1) : 0);
      return g[n];
    };
    return table(most, (i, j) => d(i, j, 0));
  }

  // P2M, of all bodies at once: M2M would give the same.
  function multipoles({ held, centre }, most) {
    const terms = held.map((b) => powers(centre.x - b.x, centre.y - b.y, most));
    return table(most, (i, j) => total(terms, (term) => term[i][j]));
  }

  // M2L: the local expansion up to order P at `to`. Up to order 1 it is the pull on a body.
  function local(to, from, M, P) {
    const D = derivatives({ x: to.x - from.x, y: to.y - from.y }, P);
    return table(P, (i, j) => total(M.flatMap((row, k) => row.map((m, l) => [k, l, m])),
      ([k, l, m]) => (i + j + k + l <= P ? m * D[i + k][j + l] : 0)));
  }

  // L2L; its order 1 is the pull on a body (L2P).
  function moved(L, from, to, P) {
    const v = powers(to.x - from.x, to.y - from.y, P);
    return table(P, (i, j) => total(L.flatMap((row, k) => row.map((value, l) => [k, l, value])),
      ([k, l, value]) => (k >= i && l >= j ? v[k - i][l - j] * value : 0)));
  }

  const plus = (a, b) => a.map((row, i) => row.map((value, j) => value + b[i][j]));
  const gradient = (L) => ({ x: L[1][0], y: L[0][1] });
  const sumOf = (pulls) => ({ x: total(pulls, (pull) => pull.x), y: total(pulls, (pull) => pull.y) });

  // P2P
  const pulled = (at, sources) => widgets.pulled(at, sources, softeningSquared);

  // M2P, by quadrupoles
  const pulledByCells = (at, cells) => sumOf(cells.map((c) => gradient(local(at, c.centre, multipoles(c, 2), 3))));

  function sized(cell) {
    const { held, centre, side, children } = cell;
    const radius = Math.max(leastRadius * side, ...held.map((b) => distance(b, centre)));
    const size = rim * radius + (1 - rim) * Math.sqrt(total(held, (b) => distance(b, centre) ** 2) / held.length);  // rho
    children.forEach(sized);
    return Object.assign(cell, { radius, size });
  }

  // The level at which a cell is a target; -1: at none.
  function targetLevel({ held, around, children }) {
    let level = 0, most = leaf;
    for (; level + 1 < levels && most * ratioOfTargets <= (around?.held.length ?? Infinity); ++level) most *= ratioOfTargets;
    return children.length === 0 || held.length < most ? level : -1;
  }

  const body = bodies[chosen], root = sized(widgets.cell(0, 0, 1, bodies, leaf)), path = [root];
  for (let at = root; at.children.length > 0; path.push(at)) at = at.children.find((child) => child.held.includes(body));

  function actsOnCell(a, b, d, allowed) {
    if (a.radius + b.radius >= theta * d) return false;
    const mass = Math.min(bodies.length, b.held.length * Math.max(1, a.size / b.size) ** 2);  // m', cubed in space
    return (((a.size + b.size) / d) ** order * mass) / d ** 2 < allowed;
  }

  function actsOnBodies(a, b, d, allowed) {
    const outside = (axis) => {
      const places = a.held.map((body) => body[axis]);
      return Math.max(Math.min(...places) - b.centre[axis], b.centre[axis] - Math.max(...places), 0);
    };
    const gap = Math.max(d - a.radius, Math.hypot(outside("x"), outside("y")));
    return b.radius < 0.6 * theta * gap && ((b.size / gap) ** 3 * b.held.length) / gap ** 2 < allowed;
  }

  // Finds what acts on a target among `waiting`, the cells that the target around it has left.
  function sourcesOf(target, waiting) {
    const isLeaf = target.children.length === 0, found = { cells: [], points: [], left: [] };
    const previous = total(target.held, (b) => { const { x, y } = pulled(b, bodies); return Math.hypot(x, y); }) / target.held.length;
    while (waiting.length > 0) {
      const source = waiting.pop(), d = distance(target.centre, source.centre);
      if (actsOnCell(target, source, d, tolerance * previous)) found.cells.push(source);
      else if (isLeaf && actsOnBodies(target, source, d, tolerance * previous)) found.points.push(source);
      else if (source.children.length > 0 && (isLeaf || source.radius > target.radius)) waiting.push(...source.children);
      else found.left.push(source);
    }
    return found;
  }

  // From the largest target down to the leaf.
  const targets = [];
  let L = null, points = [], left = [root];
  for (const target of path) {
    const level = targetLevel(target);
    if (level < 0) continue;
    const found = sourcesOf(target, left);
    L = L ? moved(L, targets[targets.length - 1].cell.centre, target.centre, order) : table(order, () => 0);
    for (const source of found.cells)
      L = plus(L, local(target.centre, source.centre, multipoles(source, order - 1), order));
    targets.push({ level, cell: target, cells: found.cells });
    ({ points, left } = found);
  }

  const walk = widgets.walk(root, body, thetaOfWalk);  // for this body alone; cells act by their quadrupole
  const held = (leaves) => leaves.flatMap((c) => c.held), exact = pulled(body, bodies);
  const result = (points, leaves, more = []) => {
    const force = sumOf([pulledByCells(body, points), pulled(body, held(leaves)), ...more]);
    return { bodies: held(leaves).length - 1, force, error: distance(force, exact) / Math.hypot(exact.x, exact.y) };
  };
  const ofLeaf = gradient(moved(L, path[path.length - 1].centre, body, order));
  return { targets, points, leaves: left, exact, ...result(points, left, [ofLeaf]),
    cellsPerBody: total(targets, (t) => t.cells.length / t.cell.held.length),
    walk: { ...walk, ...result(walk.cells, walk.leaves) } };
};

(() => {
  const size = 400, bounds = [4, 32, 256];  // a target has fewer bodies than the bound of its level
  const settings = { order: 5, tolerance: 0.001, leaf: bounds[0], levels: bounds.length, softeningSquared: 0.0004 };
  const colours = ["a", "b", "c"], ofBodies = "d";
  const views = [`target below ${bounds[2]}`, `target below ${bounds[1]}`, "leaf", "bodies of the leaf", "all"];
  const { controls, drawing, say } = widgets.make("multipole-plane", 640, size);
  let view = "all";

  const blue = { x: 0.32, y: 0.7 };  // the body that moves
  const bodies = [blue, ...widgets.scattered({ count: 180, x: 0.68, y: 0.32, width: 0.2 },
    { count: 90, x: 0.25, y: 0.7, width: 0.14 })];

  function squares(kind, cells, width = 1) {
    for (const { x, y, side } of cells)
      widgets.shape(drawing, "rect", kind, { x: x * size, y: y * size, width: side * size, height: side * size,
        style: `stroke-width: ${width}` });
  }

  const dots = (kind, r, all) =>
    all.forEach(({ x, y }) => widgets.shape(drawing, "circle", kind, { cx: x * size, cy: y * size, r }));
  const small = (error) => error.toExponential(1), percent = (error) => `${(100 * error).toPrecision(2)}%`;

  function show() {
    const found = widgets.multipolePlane(bodies, 0, settings), { targets, points, leaves, walk } = found;
    const isShown = (name) => view === "all" || view === name, levelName = (level) => views[2 - level];
    drawing.replaceChildren();
    widgets.box(drawing, "none", 0.5, 0.5, size - 1, size - 1);
    for (const { level, cells } of targets) if (isShown(levelName(level))) squares(colours[level], cells);
    if (isShown("bodies of the leaf")) {
      squares(ofBodies, points);
      squares("none", leaves);
      dots("body", 3.2, leaves.flatMap((c) => c.held));
    }
    dots("body", 1.7, bodies);
    for (const { level, cell } of targets) squares(`s${colours[level]}`, [cell], 3);
    dots("a", 6, [blue]);

    const onTargets = targets.map(({ level, cell, cells }) => [colours[level],
      `${cell.children.length > 0 ? "target" : "leaf"} of ${cell.held.length}: ${widgets.many(cells.length, "cell")}`]);
    const near = found.bodies === 1 ? "1 body" : `${found.bodies} bodies`;
    const legend = [...onTargets, [ofBodies, `each body: ${widgets.many(points.length, "cell")}`], ["body", `each body: ${near}`]];
    legend.forEach(([kind, line], k) => {
      if (kind === "body") dots(kind, 3.2, [{ x: 421.5 / size, y: (30.5 + 26 * k) / size }]);
      else widgets.box(drawing, kind, 415, 24 + 26 * k, 13, 13);
      widgets.text(drawing, 438, 35 + 26 * k, line);
    });
    ["Cells act on cells:", `${found.cellsPerBody.toFixed(1)} + ${points.length} cells, ${near}`, `relative error ${small(found.error)}`, "",
      "Walk for this body alone:", `${widgets.many(walk.cells.length, "cell")}, ${walk.bodies} bodies`, `relative error ${small(walk.error)}`,
    ].forEach((line, k) => widgets.text(drawing, 415, 205 + 26 * k, line));
    const onCells = targets.reduce((sum, { cells }) => sum + cells.length, 0);
    say(`${widgets.many(onCells, "cell")} act on the ${widgets.many(targets.length, "target")} around the blue body. The bodies of a target share ` +
      `this work: it is ${found.cellsPerBody.toFixed(1)} cells per body. In addition, ${widgets.many(points.length, "cell")} and ${near} act on ` +
      `each body of the leaf. The error of the force is ${percent(found.error)}. A walk for the blue body alone needs ` +
      `${walk.cells.length} cells and ${walk.bodies} bodies, and its error is ${percent(walk.error)}. Drag the blue body, click a ` +
      "place, or use the arrow keys.");
  }

  function moveTo({ x, y }) {
    const within = (value) => Math.max(0.005, Math.min(0.995, value));
    Object.assign(blue, { x: within(x), y: within(y) });
    show();
  }

  widgets.movableInSquare(drawing, size, blue, moveTo, moveTo);

  const use = (name) => (value) => { settings[name] = value; show(); };
  widgets.slider(controls, "tolerance", [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1], settings.tolerance, use("tolerance"));
  widgets.slider(controls, "order P", widgets.range(2, 6), settings.order, use("order"));
  widgets.choice(controls, "shown", views, (value) => { view = value; show(); }).value = view;
  show();
})();
