// Draws the middle frame, seen from above, in plain 2D, if there is no WebGL 2.

function showStill(canvas, facts, why) {
  const k = Math.floor(facts.frames.length / 2);
  const numbers = decodeFrame(document.querySelectorAll("script.frame")[k]);
  const moment = facts.frames[k];
  const sample = new Sample([moment], facts.shown);
  sample.add(0, numbers);
  const { centre, radius } = sample.extent();
  const draw = () => {
    const ratio = window.devicePixelRatio || 1;
    [canvas.width, canvas.height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    const scale = (0.46 * Math.min(canvas.width, canvas.height)) / radius;
    const at = (i, axis) => moment.low[axis] + numbers[3 * i + axis] * moment.step[axis];
    const size = facts.shown < 100 ? 5 * ratio : 1.3 * ratio;
    const pen = canvas.getContext("2d");
    pen.globalCompositeOperation = "lighter";
    pen.fillStyle = facts.shown < 100 ? "#9cc9ff" : "rgb(110 160 235 / 45%)";
    for (let i = 0; i < facts.shown; ++i)
      pen.fillRect(
        canvas.width / 2 + (at(i, 0) - centre[0]) * scale - size / 2,
        canvas.height / 2 - (at(i, 1) - centre[1]) * scale - size / 2,
        size,
        size,
      );
  };
  draw();
  window.addEventListener("resize", draw);
  element("time").textContent = moment.time.toFixed(3);
  notify(`${why}, so here is a still: frame ${k + 1} of ${facts.frames.length}.`, "still");
}
