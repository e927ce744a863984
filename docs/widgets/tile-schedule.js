// Step 02: a block of four threads works through three tiles, event by event.
"use strict";

(() => {
  const threads = 4, tiles = 3;
  const { controls, drawing, say } = widgets.make("tile-schedule", 640, 300);

  // Events in order: for each tile a load, a barrier, an interaction with each source, a barrier.
  const events = [{ kind: "start", tile: 0, done: 0, loads: 0 }];
  for (let tile = 0; tile < tiles; ++tile) {
    const before = tile * threads;
    const loads = before + threads;
    events.push({ kind: "load", tile, done: before, loads });
    events.push({ kind: "first", tile, done: before, loads });
    for (let k = 0; k < threads; ++k) events.push({ kind: "sum", tile, k, done: before + k + 1, loads });
    events.push({ kind: "second", tile, done: loads, loads });
  }

  const words = {
    start: () => "Four threads, four bodies, twelve sources in global memory. Nothing is loaded yet.",
    load: (e) => `Each thread brings one source into the tile: sources ${e.tile * threads} to ${e.loads - 1}.`,
    first: () => "First barrier: no thread goes on before the tile is whole.",
    sum: (e) => `Every thread reads tile[${e.k}], the same word for all, and adds the pull of source ${e.done - 1}.`,
    second: () => "Second barrier: every thread has read the tile; now it may be replaced.",
  };

  function show(at) {
    const e = events[at];
    drawing.replaceChildren();
    widgets.text(drawing, 10, 20, "global memory");
    for (let j = 0; j < threads * tiles; ++j) {
      const now = e.kind === "load" && Math.floor(j / threads) === e.tile;
      widgets.box(drawing, now ? "b" : "none", 130 + 40 * j, 6, 36, 22);
      widgets.text(drawing, 148 + 40 * j, 22, j, "small middle");
    }
    widgets.text(drawing, 10, 74, "tile (shared)");
    for (let k = 0; k < threads; ++k) {
      const filled = e.kind !== "start";
      widgets.box(drawing, !filled ? "none" : e.k === k ? "b" : "a", 130 + 40 * k, 58, 36, 22);
      if (filled) widgets.text(drawing, 148 + 40 * k, 74, e.tile * threads + k, "small middle");
    }
    if (e.kind === "first" || e.kind === "second")
      widgets.shape(drawing, "line", "sb", { x1: 120, y1: 100, x2: 620, y2: 100, "stroke-width": 5 });
    for (let t = 0; t < threads; ++t) {
      widgets.text(drawing, 10, 134 + 30 * t, `thread ${t}`);
      for (let j = 0; j < threads * tiles; ++j) {
        const kind = e.kind === "sum" && j === e.done - 1 ? "b" : j < e.done ? "c" : "none";
        widgets.box(drawing, kind, 130 + 40 * j, 118 + 30 * t, 36, 22);
      }
    }
    const interactions = e.done * threads;
    widgets.text(drawing, 10, 266, `interactions ${interactions}; loads from global memory: ${e.loads} here, ` +
      `${interactions} in step 01`);
    widgets.text(drawing, 10, 288, `barriers so far: ${events.slice(0, at + 1).filter(
      (other) => other.kind === "first" || other.kind === "second").length}`, "faint");
    say(words[e.kind](e));
  }

  widgets.stepper(controls, () => events.length, 0, show);
})();
