// Step 09: a tile as two products of matrices: squared distances, S of each, sums; and what 11 bits do to them.
"use strict";

// The arithmetic of forces.cu for a far tile, in the plane, with the names of forces.cu. Bodies are { x, y, m }, from one centre.
widgets.tensorTile = (rows, columns, softeningSquared, twoParts) => {
  const squaredLength = ({ x, y }) => x * x + y * y;
  const inverseCube = (squared) => squared ** -1.5;
  const total = (numbers) => numbers.reduce((sum, x) => sum + x, 0);

  // Rounds to TF32, 11 significant bits.
  function rounded(x) {
    const unit = 2 ** (Math.floor(Math.log2(Math.abs(x))) - 10);
    return x === 0 ? 0 : Math.sign(x) * Math.round(Math.abs(x) / unit) * unit;
  }

  function split(x) {
    const first = rounded(x);
    return { first, second: twoParts ? rounded(x - first) : 0 };
  }

  const whole = (x) => ({ first: Math.fround(x), second: 0 });
  const square = (x) => (twoParts ? whole(x) : split(x));  // three parts hold all bits of FP32
  const product = (a, b) => a.first * b.first + a.first * b.second + a.second * b.first;  // of second parts none
  const sumOfProducts = (a, b) => Math.fround(total(a.map((element, k) => product(element, b[k]))));
  const values = (matrix) => matrix.map((elements) => elements.map(({ first, second }) => first + second));
  const rowElements = rows.map((b) => [split(b.x), split(b.y), square(squaredLength(b) + softeningSquared), whole(1)]);
  const columnElements = columns.map((b) => [split(-2 * b.x), split(-2 * b.y), whole(1), square(squaredLength(b))]);
  const squares = rowElements.map((row) => columnElements.map((column) => sumOfProducts(row, column)));
  const s = squares.map((row) => row.map((squared) => rounded(inverseCube(squared))));
  const masses = columns.map((b) => [b.m * b.x, b.m * b.y, b.m]);
  const weights = masses.map((all) => all.map(split));
  const sums = s.map((row) => [0, 1, 2].map((k) => sumOfProducts(row.map(whole), weights.map((all) => all[k]))));

  const exactSquares = rows.map((a) => columns.map((b) => squaredLength({ x: b.x - a.x, y: b.y - a.y }) + softeningSquared));
  const exactSums = exactSquares.map((row) => [0, 1, 2].map((k) => total(row.map((d, j) => inverseCube(d) * masses[j][k]))));
  const pulls = (all) => all.map(([x, y, m], i) => [x - rows[i].x * m, y - rows[i].y * m]);
  const accelerations = pulls(sums), exact = pulls(exactSums);
  return {
    rowElements: values(rowElements), columnElements: values(columnElements), weights: values(weights),
    squares, s, sums, accelerations, exactSquares, exactSums,
    squareErrors: squares.map((row, i) => row.map((d, j) => Math.abs(d / exactSquares[i][j] - 1))),
    errors: exact.map(([x, y], i) => Math.hypot(x - accelerations[i][0], y - accelerations[i][1]) / Math.hypot(x, y)),
  };
};

(() => {
  const softeningSquared = 0.01, marked = 0.01;  // an error that is bold
  const wide = 44, high = 24, left = [28, 222, 440], top = [46, 182, 318];  // of a number, of matrices
  const unit = 60, origin = { x: 64, y: 79 };  // of the plane
  const elements = ["sum of S m X", "sum of S m Y", "sum of S m", "r² + ε²"], ofFirst = 3;  // of the first product
  const { controls, drawing, say } = widgets.make("tensor-tile", 640, 420);
  const layer = widgets.shape(drawing, "g", "", { "pointer-events": "none" });  // a touch is of the drawing, which stays
  let bodies, chosen, moved, parts = "two", element = ofFirst;  // moved, of chosen: "i" or "j"

  function begin() {
    const made = (places) => places.map(([x, y, m]) => ({ x: Math.fround(x), y: Math.fround(y), m }));
    bodies = { i: made([[-0.47, 0.31, 1], [0.37, 0.48, 1], [0.47, -0.13, 1], [-0.19, -0.48, 1]]),
      j: made([[1.29, 0.61, 2], [1.86, 0.83, 1], [2.07, -0.29, 1.5], [1.43, -0.57, 1]]) };
    [chosen, moved] = [{ i: 1, j: 2 }, "j"];
  }

  function written(x) {
    const size = Math.abs(x);
    if (Number.isInteger(x) && size < 10) return `${x + 0}`;
    return size >= 10000 ? x.toExponential(0) : x.toFixed(size < 0.0995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
  }

  const names = (side) => widgets.range(0, 3).map((k) => `${side} ${k}`);
  const small = (error, digits = 1) => (Number.isFinite(error) ? error.toExponential(digits) : "NaN");
  const middle = (x, y, words, more = "") => widgets.text(layer, x, y, words, `small middle${more}`);
  const lines = (x, y, texts) => texts.forEach((words, k) => widgets.text(layer, x, y + 18 * k, words, "small"));

  // A matrix in one of three by three places, the names of its columns above it, of its rows at x.
  function matrix(column, row, numbers, kindOf, above, x, beside, isWrong = () => false) {
    const at = (r, c) => ({ x: left[column] + wide * c, y: top[row] + high * r });
    const cells = numbers.flatMap((line, r) => line.map((number, c) => ({ number, r, c, kind: kindOf(r, c) || "none" })));
    cells.sort((a, b) => (a.kind !== "none") - (b.kind !== "none"));  // colours are in front of the borders around them
    for (const { number, r, c, kind } of cells) {
      widgets.box(layer, kind, at(r, c).x, at(r, c).y, wide, high);
      middle(at(r, c + 0.5).x, at(r, c).y + 17, written(number), isWrong(r, c) ? " wrong" : "");
    }
    above.forEach((name, c) => middle(at(0, c + 0.5).x, top[row] - 7, name));
    beside.forEach((name, r) => middle(left[column] + x, at(r, 0).y + 17, name));
  }

  function showPlane() {
    const at = ({ x, y }) => ({ cx: origin.x + unit * x, cy: origin.y - unit * y });
    const a = at(bodies.i[chosen.i]), b = at(bodies.j[chosen.j]);
    widgets.shape(layer, "rect", "none", { x: 4, y: 4, width: 208, height: 150 });
    widgets.shape(layer, "path", "line", { d: `M${origin.x - 5} ${origin.y} h10 m-5 -5 v10` });
    if (element === ofFirst) widgets.shape(layer, "line", "sb", { x1: a.cx, y1: a.cy, x2: b.cx, y2: b.cy });
    widgets.shape(layer, "circle", "sb", { ...(moved === "i" ? a : b), r: 13 });
    for (const [side, colour] of moved === "i" ? [["j", "c"], ["i", "a"]] : [["i", "a"], ["j", "c"]])
      bodies[side].forEach((body, k) => {
        widgets.shape(layer, "circle", colour, { ...at(body), r: 9.5 });
        middle(at(body).cx, at(body).cy + 5, k);
      });
  }

  function showMatrices(tile) {
    const { i, j } = chosen, first = element === ofFirst;
    const elements = widgets.range(0, 3).map((k) => tile.columnElements.map((column) => column[k]));
    widgets.text(layer, left[1], 17, "a column for each body j", "small");
    matrix(1, 0, elements, (r, c) => first && c === j && "c", names("j"), 4 * wide + 18, ["-2X", "-2Y", "1", "|X|²"]);
    matrix(0, 1, tile.rowElements, (r) => first && r === i && "a", ["x", "y", "|x|² + ε²", "1"], -14, names("i"));
    matrix(1, 1, tile.squares, (r, c) => first && r === i && c === j && "b", [], 0, [],
      (r, c) => !(tile.squareErrors[r][c] < marked));
    matrix(1, 2, tile.s, (r, c) => r === i && (first ? c === j && "b" : "a"), [], -14, names("i"));
    matrix(2, 1, tile.weights, (r, c) => c === element && "c", ["m X", "m Y", "m"], -14, names("j"));
    matrix(2, 2, tile.sums, (r, c) => r === i && c === element && "b", [], 3 * wide + 32,
      tile.errors.map((error) => small(error, 0)));
    for (const [x, y, words] of [[310, top[1], "product 1: r² + ε²"], [310, top[2], "S = 1 / √(r² + ε²)³"],
      [506, top[2], "product 2: sums"], [604, top[2], "error"]]) middle(x, y - 14, words);
  }

  // The element in numbers, and the acceleration of its row.
  function showArithmetic(tile) {
    const { i, j } = chosen, first = element === ofFirst;
    const row = first ? tile.rowElements[i] : tile.s[i];
    const column = first ? tile.columnElements[j] : tile.weights.map((all) => all[element]);
    const terms = row.map((x, k) => `${written(x)} × ${written(column[k])}`);
    const ofElement = (squares, sums) => (first ? squares[i][j] : sums[i][element]).toPrecision(6);
    lines(left[2] + 3, 17, [`i ${i}${first ? ` and j ${j}` : ""}: ${elements[element]}`, ...terms,
      `together ${ofElement(tile.squares, tile.sums)}`, `exactly ${ofElement(tile.exactSquares, tile.exactSums)}`]);
    const [x, y, m] = tile.sums[i], [ax, ay] = tile.accelerations[i];
    const minus = (sum, at, a) => `${written(sum)} ${at < 0 ? "+" : "-"} ${written(Math.abs(at))} × ${written(m)} = ${written(a)}`;
    lines(4, top[2] + 17, [`acceleration of i ${i}, x and y:`, minus(x, bodies.i[i].x, ax), minus(y, bodies.i[i].y, ay),
      `relative error ${small(tile.errors[i])}`]);
    say(`The relative error is ${small(tile.squareErrors[i][j])} for r² + ε² of i ${i} and j ${j}, and ${small(tile.errors[i])} ` +
      `for the acceleration of i ${i}. A bold r² + ε² is wrong by more than 1%. Point at a number, or drag a body.`);
  }

  function show() {
    const tile = widgets.tensorTile(bodies.i, bodies.j, softeningSquared, parts === "two");
    layer.replaceChildren();
    showPlane();
    showMatrices(tile);
    showArithmetic(tile);
    body.value = `${moved} ${chosen[moved]}`;
    shown.value = elements[element];
  }

  const inPlane = ({ x, y }) => ({ x: (x - origin.x) / unit, y: (origin.y - y) / unit });

  function moveTo({ x, y }) {
    const between = (low, value, most) => Math.fround(Math.max(low, Math.min(most, value)));
    Object.assign(bodies[moved][chosen[moved]], { x: between(-0.85, x, 2.3), y: between(-1.1, y, 1.1) });
    show();
  }

  function take(side, k) { moved = side; chosen[side] = k; show(); }

  // Shows the element of a product that is at this place.
  function point({ x, y }) {
    for (const [column, row, width] of [[1, 1, 4], [1, 2, 4], [2, 2, 3]]) {
      const c = Math.floor((x - left[column]) / wide), r = Math.floor((y - top[row]) / high);
      if (r < 0 || r > 3 || c < 0 || c >= width) continue;
      chosen = { i: r, j: width === 4 ? c : chosen.j };
      element = width === 4 ? ofFirst : c;
      show();
    }
  }

  function grab(place) {
    const at = inPlane(place), far = ({ x, y }) => Math.hypot(x - at.x, y - at.y);
    const all = ["j", "i"].flatMap((side) => bodies[side].map((one, k) => ({ side, k, far: far(one) })));
    const nearest = all.reduce((a, b) => (b.far < a.far ? b : a)), isNear = nearest.far < 0.3;
    if (isNear) take(nearest.side, nearest.k);
    return isNear;
  }

  function step(dx, dy) {
    const { x, y } = bodies[moved][chosen[moved]];
    moveTo({ x: x + 0.03 * dx, y: y - 0.03 * dy });
  }

  widgets.movable(drawing, { grab, drag: (place) => moveTo(inPlane(place)), point, click: point, step });

  begin();
  widgets.choice(controls, "parts of 11 bits", ["one", "two"], (value) => { parts = value; show(); }).value = parts;
  const shown = widgets.choice(controls, "shown", elements, (value) => { element = elements.indexOf(value); show(); });
  const body = widgets.choice(controls, "arrow keys move", [...names("i"), ...names("j")], (value) => take(value[0], +value[2]));
  widgets.button(controls, "Bring i to j", () => {
    const { x, y } = bodies.j[chosen.j];
    moved = "i";
    moveTo({ x: x - 0.11, y: y + 0.04 });
  });
  widgets.button(controls, "Start again", () => { begin(); show(); });
  show();
})();
