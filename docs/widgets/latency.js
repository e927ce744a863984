// Step 03: what is issued for one interaction, and the ceiling that this allows.
"use strict";

(() => {
  const { figure, controls, drawing, say } = widgets.make("latency", 640, 200);
  const device = JSON.parse(figure.dataset.device);
  const loop = 5;  // counter, address, comparison, branch: as counted in step 02's code
  const fixed = [["subtract", 3, "a"], ["distance", 3, "c"], ["root", 1, "b"], ["products", 3, "a"], ["sum", 3, "c"]];
  let unroll = 4, bodies = 1;

  function bar(y, parts, words) {
    const scale = 600 / 20;
    let x = 20;
    widgets.text(drawing, 20, y - 8, words, "small");
    for (const [name, slots, kind] of parts) {
      widgets.box(drawing, kind, x, y, slots * scale, 34);
      if (slots * scale > 48) widgets.text(drawing, x + slots * scale / 2, y + 21, name, "small middle");
      x += slots * scale;
    }
  }

  function ceiling(slots) {
    return device.clock * device.multiprocessors * 128 / slots * 20;
  }

  function show() {
    const load = 1 / bodies, own = loop / (unroll * bodies);
    const slots = 13 + load + own;
    drawing.replaceChildren();
    bar(30, [...fixed, ["load", 1, "b"], ["loop", loop, "none"]], "U = 1, K = 1: 19 slots");
    bar(110, [...fixed, ["load", load, "b"], ["loop", own, "none"]],
      `U = ${unroll}, K = ${bodies}: 13 + 1/${bodies} + 5/${unroll * bodies} = ${slots.toFixed(2)} slots`);
    widgets.text(drawing, 20, 180, `ceiling of ${device.name}: ${Math.round(ceiling(slots)).toLocaleString("en")} ` +
      `GFLOP/s; at 13 slots ${Math.round(ceiling(13)).toLocaleString("en")}`);
    say(`Of ${slots.toFixed(2)} slots 13 are the interaction, ${load.toFixed(2)} the load of the source, ` +
      `${own.toFixed(2)} the loop. An iteration of the loop has ${unroll * bodies} interactions.`);
  }

  const factors = [1, 2, 4, 8, 16, 32];
  widgets.slider(controls, "U, sources in an iteration", factors, unroll, (value) => { unroll = value; show(); });
  widgets.slider(controls, "K, bodies in a thread", [1, 2, 4, 8], bodies, (value) => { bodies = value; show(); });
  show();
})();
