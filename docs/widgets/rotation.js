// Step 05: eight lanes against eight bodies of J, whose sums go from lane to lane.
"use strict";

(() => {
  const lanes = 8;
  const { controls, drawing, say } = widgets.make("rotation", 640, 320);

  // After `iterations` iterations: which pairs are done, which body's sum each lane holds.
  function show(iterations) {
    drawing.replaceChildren();
    for (let lane = 0; lane < lanes; ++lane) {
      const x = 110 + 62 * lane;
      const j = (lane + iterations) % lanes;
      widgets.text(drawing, x + 24, 18, `lane ${lane}`, "small middle");
      widgets.box(drawing, "a", x, 26, 48, 24);
      widgets.text(drawing, x + 24, 43, `I ${lane}`, "small middle");
      widgets.box(drawing, j === 3 ? "b" : "c", x, 58, 48, 24);
      widgets.text(drawing, x + 24, 75, `J ${j}`, "small middle");
    }
    widgets.text(drawing, 10, 43, "stay", "small");
    widgets.text(drawing, 10, 75, "move on", "small");
    widgets.text(drawing, 110, 116, "pairs that have met: rows I, columns J", "small");
    for (let i = 0; i < lanes; ++i)
      for (let j = 0; j < lanes; ++j) {
        const met = (j - i + lanes) % lanes < iterations;
        widgets.box(drawing, met ? (j === 3 ? "b" : "c") : "none", 110 + 22 * j, 126 + 22 * i, 22, 22);
      }
    widgets.text(drawing, 320, 160, `roots: ${iterations * lanes}; interactions: ${2 * iterations * lanes}`);
    widgets.text(drawing, 320, 184, `shuffles of a lane: ${3 * iterations} (x, y, z)`);
    widgets.text(drawing, 320, 208, `additions to shared memory: ${iterations === lanes ? 3 * lanes : 0}`);
    say(iterations === 0 ? "At the start lane l holds body l of J with a sum of 0. The sum of J 3 is orange: follow it."
      : iterations < lanes ? `After iteration ${iterations}: lane l works on J (l + ${iterations}) mod 8 next. ` +
          "Each sum has moved one lane to the left."
        : "After eight iterations every lane has met every body, and each sum is home. Now it is added to " +
          "shared memory, once.");
  }

  widgets.stepper(controls, () => lanes + 1, 3, show);
})();
