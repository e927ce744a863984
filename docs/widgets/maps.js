// Step 05: blocks onto the tiles of a triangle, by four maps; and where sqrtf takes one row for the next.
"use strict";

(() => {
  const { controls, drawing, say } = widgets.make("maps", 640, 400);
  const block = 16;  // threads a side, as in the study
  let name = "lambda", m = 8, chosen = 5, row = 4608;

  // Row and column of a block, as maps.cuh has them; null outside.
  const maps = {
    box: { grid: () => [m, m], of: (x, y) => (x <= y ? [y, x] : null) },
    lambda: { grid: balanced, of: (x, y, w) => exactLambda(w) },
    rectangle: {
      grid: () => [Math.floor((m + 1) / 2), m | 1],
      of: (x, y) => {
        const shift = 1 - m % 2;
        return x < y + 1 - shift ? [y - shift, x] : [m - 1 - y, m - shift - x];
      },
    },
    recursive: { grid: balanced, of: (x, y, w) => recursive(w) },
  };

  function balanced() {
    const places = m * (m + 1) / 2;
    const side = Math.ceil(Math.sqrt(places));
    return [side, Math.ceil(places / side)];
  }

  function exactLambda(w) {
    const i = Math.floor(Math.sqrt(0.25 + 2 * w) - 0.5);
    return i < m ? [i, w - i * (i + 1) / 2] : null;
  }

  function recursive(w) {
    for (let side = 1 << Math.ceil(Math.log2(m)); side >= 1; side >>= 1) {
      const rows = widgets.range(0, m - 1).filter((r) => r & side);
      if (w < rows.length * side) {
        const r = rows[Math.floor(w / side)];
        return [r, (r - r % side) - side + w % side];
      }
      w -= rows.length * side;
    }
    return w < m ? [w, w] : null;
  }

  // The row that FP32 gives for tile w: each operation is rounded, as on a GPU.
  function rowInSingle(w) {
    const f = Math.fround;
    const root = f(Math.sqrt(f(f(0.25) + f(2 * f(w)))));
    return { root, row: Math.floor(f(root - f(0.5))) };
  }

  function show() {
    const [columns, rows] = maps[name].grid();
    const side = Math.min(20, 260 / Math.max(m, rows));
    const places = [];
    for (let y = 0; y < rows; ++y)
      for (let x = 0; x < columns; ++x) places.push({ x, y, tile: maps[name].of(x, y, y * columns + x) });
    const at = places[Math.min(chosen, places.length - 1)];
    drawing.replaceChildren();
    widgets.text(drawing, 20, 18, `the grid: ${columns} × ${rows} blocks`);
    widgets.text(drawing, 340, 18, `the triangle: ${m} tiles a side`);
    for (const place of places) {
      const kind = place === at ? "b" : place.tile ? "a" : "none";
      widgets.box(drawing, kind, 20 + side * place.x, 28 + side * place.y, side, side);
      if (!place.tile) continue;
      const [i, j] = place.tile;
      widgets.box(drawing, place === at ? "b" : "c", 340 + side * j, 28 + side * i, side, side);
    }
    const idle = places.filter((place) => !place.tile).length;
    const wasted = idle * block * block + m * block * (block - 1) / 2;
    widgets.text(drawing, 20, 312, `${places.length} blocks, ${idle} of them idle; with ${block} × ${block} threads ` +
      `${wasted.toLocaleString("en")} of ${(places.length * block * block).toLocaleString("en")} do nothing`);
    showRounding();
    say(at.tile ? `Block (${at.x}, ${at.y}) computes tile (${at.tile[0]}, ${at.tile[1]}).`
      : `Block (${at.x}, ${at.y}) has no tile, and leaves.`);
  }

  function showRounding() {
    const w = row * (row + 1) / 2 - 1;  // the last tile of the row before
    const exact = Math.sqrt(0.25 + 2 * w), single = rowInSingle(w);
    const right = single.row === row - 1;
    widgets.text(drawing, 20, 346, `last tile of row ${(row - 1).toLocaleString("en")}: ` +
      `w = ${w.toLocaleString("en")}; root ${exact.toFixed(6)}, in FP32 ${single.root.toFixed(6)}`);
    widgets.text(drawing, 20, 370, `less 1/2, rounded down: row ${single.row}, ` +
      (right ? "right" : `WRONG by ${single.row - row + 1}`), right ? "" : "wrong");
    const step = Math.pow(2, Math.floor(Math.log2(exact)) - 23);
    widgets.text(drawing, 20, 390, `FP32 steps there by ${step.toExponential(1)}, ` +
      `the root of the next tile is ${(row + 0.5 - exact).toExponential(1)} away`, "small faint");
  }

  const rowsToTry = [8, 100, 1000, 2000, 4000, 4096, 4500, ...widgets.range(4600, 4620), 5000, 6000];
  const choice = document.createElement("select");
  for (const each of Object.keys(maps)) choice.add(new Option(each, each, false, each === name));
  choice.addEventListener("input", () => { name = choice.value; show(); });
  widgets.labelled(controls, "map", choice);
  widgets.slider(controls, "m, tiles a side", widgets.range(1, 13), m, (value) => { m = value; show(); });
  widgets.slider(controls, "block", widgets.range(0, 168), chosen, (value) => { chosen = value; show(); });
  widgets.slider(controls, "row for the root", rowsToTry, row, (value) => { row = value; show(); });
  show();
})();
