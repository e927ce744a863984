// Step 07: the tree of some sorted keys, found gap by gap, numbered by a prefix sum, linked cell by cell.
"use strict";

// The rules of tree/cells.cuh and tree/links.cuh, under their names; a key is a string of digits, the coarsest first.
widgets.deviceTree = (keys, { leaf, group, groupsWithin }) => {
  function sharedDigits(a, b) {
    let level = 0;
    while (level < a.length && a[level] === b[level]) ++level;
    return level;
  }

  function lastInCell(from, direction, level) {
    const inside = (i) => i >= 0 && i < keys.length && sharedDigits(keys[i], keys[from]) >= level;
    let step = 1;
    for (; inside(from + direction * step); step *= 2) from += direction * step;
    for (; step >= 1; step /= 2) if (inside(from + direction * step)) from += direction * step;
    return from;
  }

  function cellAround(i) {
    const level = sharedDigits(keys[i - 1], keys[i]);
    return { first: lastInCell(i - 1, -1, level), end: lastInCell(i, 1, level) + 1, level };
  }

  function startsAt(i) {
    const begins = { leaves: +(i === 0), nodes: 0, groups: +(i % group === 0) };
    if (i === 0 || keys[i - 1] === keys[i]) return begins;
    const cell = cellAround(i);
    const bodies = cell.end - cell.first;
    begins.leaves = +(bodies >= leaf);
    begins.nodes = +(bodies >= leaf && sharedDigits(keys[cell.first], keys[i - 1]) > cell.level);
    if (bodies >= groupsWithin * group) begins.groups = 1;
    return begins;
  }

  const begins = keys.map((_, i) => startsAt(i));
  const before = [{ leaves: 0, nodes: 0, groups: 0 }];  // and last the sums over all
  begins.forEach((b, i) => before.push({ leaves: before[i].leaves + b.leaves, nodes: before[i].nodes + b.nodes,
    groups: before[i].groups + b.groups }));

  // The digits that a cell shares with the bodies around it lead to its parent.
  function link(cell) {
    const behind = cell.end === keys.length ? -1 : sharedDigits(keys[cell.end - 1], keys[cell.end]);
    const ahead = cell.first === 0 ? -1 : sharedDigits(keys[cell.first - 1], keys[cell.first]);
    const level = Math.max(ahead, behind);
    if (level < 0) return { ...cell, parent: -1 };
    const gap = lastInCell(lastInCell(cell.first, -1, level), 1, level + 1) + 1;
    return { ...cell, ahead, behind, gap, parent: before[gap].nodes, child: keys[cell.first][level] };
  }

  const starts = (kind) => widgets.range(0, keys.length - 1).filter((i) => begins[i][kind]);
  const ends = (firsts) => firsts.map((first, k) => ({ first, end: firsts[k + 1] ?? keys.length }));
  return {
    begins, before, cellAround, groups: ends(starts("groups")),
    leaves: ends(starts("leaves")).map((cell) => link(cell)),
    nodes: starts("nodes").map((i) => link({ ...cellAround(i), at: i })),
  };
};

(() => {
  const bodies = 12, digits = 3, left = 88, pitch = 42, leafTop = 140;
  const limits = { leaf: 3, group: 4, groupsWithin: 3 };
  const { controls, drawing, say, see } = widgets.make("device-tree", 640, 295);
  let keys = "011 012 013 030 032 210 211 223 300 302 303 331".split(" "), seed = 4, tree;

  // Some near each other, some not, the same for every reader.
  function drawKeys() {
    const below = (n) => (seed = (seed * 16807) % 2147483647) % n;
    keys = [];
    while (keys.length < bodies) {
      const near = (keys[keys.length - 1] ?? "").slice(0, below(digits));
      keys.push(widgets.range(0, digits - 1).map((level) => near[level] ?? below(4)).join(""));
    }
    keys.sort();
  }

  const x = (i) => left + pitch * i;
  const topOf = (cell) => (cell.level === undefined ? leafTop : 18 + 40 * cell.level);  // a leaf has no level here
  const nameOf = (cell) => (tree.nodes.includes(cell) ? `node ${tree.nodes.indexOf(cell)}`
    : `leaf ${tree.leaves.indexOf(cell)}`);
  const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const line = (kind, at, y1, y2) => widgets.shape(drawing, "line", kind, { x1: at, y1, x2: at, y2 });

  function box(kind, cell, text) {
    const width = pitch * (cell.end - cell.first);
    widgets.box(drawing, kind, x(cell.first) + 3, topOf(cell), width - 6, 22);
    widgets.text(drawing, x(cell.first) + width / 2, topOf(cell) + 16, width < 50 ? text.replace("leaf ", "") : text,
      "small middle");
  }

  // The moment to show: the gap that is asked, or the cell that looks for its parent.
  function momentOf(at) {
    const cells = [...tree.leaves, ...tree.nodes];
    return { asked: Math.min(at, bodies - 1), numbered: at >= bodies, linked: cells.slice(0, Math.max(0, at - bodies)),
      around: at > 0 && at < bodies && tree.cellAround(at), now: cells[at - bodies - 1] };
  }

  function saidOfGap(i, { level, first, end }) {
    if (keys[i - 1] === keys[i]) return `Gap ${i}: ${keys[i]} twice. No level divides equal keys: nothing ends here.`;
    const asked = `Gap ${i}: ${keys[i - 1]} and ${keys[i]} share ${many(level, "digit")}; the smallest cell that ` +
      `holds both has ${end - first} bodies. `;
    if (!tree.begins[i].leaves) return `${asked}Fewer than ${limits.leaf}: nothing ends here.`;
    if (!tree.begins[i].nodes) return `${asked}A leaf ends here. The cell's first child ended at an earlier gap.`;
    return `${asked}A leaf ends here, and so does the cell's first child: this gap stands for the node.`;
  }

  function saidOfLink(cell) {
    const last = cell.end - 1;
    const name = `${nameOf(cell)}, ${last > cell.first ? `bodies ${cell.first} to ${last}` : `body ${last}`},`;
    if (cell.parent < 0) return `${name} shares no cell with another body: it is the root.`;
    const shares = [[cell.ahead, "before it"], [cell.behind, "behind it"]].filter(([level]) => level >= 0)
      .map(([level, where]) => `${many(level, "digit")} with the body ${where}`).join(" and ");
    return `${name} shares ${shares}: its parent is at level ${Math.max(cell.ahead, cell.behind)}. The first child ` +
      `there ends at gap ${cell.gap}, which stands for node ${cell.parent}: this is its child ${cell.child}.`;
  }

  function said(at, { around, now }) {
    if (at === 0) return "Sorted keys. Next asks each pair of neighbours: which is the smallest cell that holds both?";
    if (around) return saidOfGap(at, around);
    if (now) return saidOfLink(now);
    return "The prefix sum: how many begin before a body is the number of what begins with it. Behind the last body " +
      `stand those of all: leaves ${tree.leaves.length}, nodes ${tree.nodes.length}, groups ${tree.groups.length}.`;
  }

  function show(at) {
    const moment = momentOf(at), { asked, numbered, around, linked, now } = moment;
    drawing.replaceChildren();
    for (let level = 0; level < digits; ++level) widgets.text(drawing, 10, topOf({ level }) + 16, `level ${level}`);
    if (around) widgets.box(drawing, "a", x(around.first) + 1, 168, pitch * (around.end - around.first) - 2, 46);
    for (const node of tree.nodes.filter((found) => found.at <= asked)) {
      if (!numbered) line("thin", x(node.at), topOf(node) + 22, 168);
      box(node === now ? "a" : "b", node, numbered ? nameOf(node) : "node");
    }
    if (numbered) for (const cell of tree.leaves) box(cell === now ? "a" : "c", cell, nameOf(cell));
    for (const cell of linked.filter((child) => child.parent >= 0))
      line("sc", (x(cell.first) + x(cell.end)) / 2, topOf(tree.nodes[cell.parent]) + 22, topOf(cell));
    keys.forEach((key, i) => {
      widgets.shape(drawing, "circle", "body", { cx: x(i + 0.5), cy: 182, r: 4 });
      widgets.text(drawing, x(i + 0.5), 206, key, "small middle");
      if (i > 0 && i <= asked && tree.begins[i].leaves) line("sc", x(i), 170, 212);
    });
    if (around) line("sb", x(at), 164, 286);
    ["leaves", "nodes", "groups"].forEach((kind, row) => {
      const shown = numbered ? tree.before : tree.begins.slice(0, asked + 1);
      widgets.text(drawing, 10, 236 + 22 * row, `${kind} ${numbered ? "before" : "begin"}`, "small");
      shown.forEach((counts, i) => widgets.text(drawing, x(i + 0.5), 236 + 22 * row, counts[kind], "small middle"));
    });
    say(said(at, moment));
    see(now ? (x(now.first) + x(now.end)) / 2 : numbered ? x(bodies) : x(at));
  }

  const make = () => { tree = widgets.deviceTree(keys, limits); };
  make();
  let at = 5;  // a moment that prints well
  const go = (to) => { at = Math.max(0, Math.min(bodies + tree.leaves.length + tree.nodes.length, to)); show(at); };
  const redraw = () => go(at);
  widgets.button(controls, "Back", () => go(at - 1));
  widgets.button(controls, "Next", () => go(at + 1));
  widgets.button(controls, "Restart", () => go(0));
  controls.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT") return;  // a slider has its own arrow keys
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) { event.preventDefault(); go(at + step); }
  });
  redraw();
  widgets.slider(controls, "limit", widgets.range(2, 6), limits.leaf, (value) => {
    limits.leaf = value;
    make();
    redraw();
  });
  widgets.button(controls, "Other keys", () => { drawKeys(); make(); redraw(); });
})();
