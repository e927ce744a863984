// Facts about the run, in the corner of the picture and at the top of the panel.

function showRun(run) {
  const bodies = showSource(run, `${run.program}, ${run.precision}`);
  document.title = `${run.scene}: ${bodies} bodies, live`;
  document.body.classList.toggle("on-executor", run.kind === "executor");
  showPlaying(run.playing);
  element("colour").value = run.colour;
}

function showNumbers(numbers) {
  const { stepsPerSecond, interactionsPerSecond, gflops, ceilingShare, error } = numbers;
  element("steps").textContent = whole(numbers.steps);
  element("stepsPerSecond").textContent = figure(stepsPerSecond, rate);
  element("interactionsPerSecond").textContent = figure(interactionsPerSecond, scientific);
  element("gflops").textContent = figure(gflops, rate);
  element("ceilingShare").textContent = figure(ceilingShare, share);
  element("error").textContent = figure(error, ({ median }) => scientific(median));
}

// A legend of the parts, or of the colours' meaning.
function showColours(sky, run, range) {
  const legend = element("legend");
  if (run.colour === "galaxy") return showParts(legend, sky.parts, () => sky.touch());
  const [lowest, highest] = range.map((value) => figure(value, short));
  showRamp(legend, lowest, highest);
  legend.prepend(run.colour);
}
