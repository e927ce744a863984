// Reads the frames, then plays them.

// A link may choose: movie.html#paused&trails=4&zoom=6&frame=100&colour=speed&speed=2
function readWishes() {
  return new URLSearchParams(location.hash.slice(1));
}

function applyWishes(player, wishes) {
  const number = (name, otherwise) => Number(wishes.get(name) ?? otherwise) || 0;
  player.seek(number("frame", 1) - 1);
  player.trails = [1, 4].includes(number("trails")) ? number("trails") : 0;
  player.speed = [0.25, 0.5, 2, 4].includes(number("speed")) ? number("speed") : 1;
  if (wishes.get("colour") === "speed") player.byPart = false;
  // Nothing moves by itself for those who asked their system for less motion.
  const still = wishes.has("paused") || matchMedia("(prefers-reduced-motion: reduce)").matches;
  player.playing = !still && player.last > 0;
}

function run(renderer, player, extent, origin) {
  const stage = renderer.gl.canvas;
  let before = performance.now();
  const show = (now) => {
    requestAnimationFrame(show);
    player.advance(Math.min(0.1, (now - before) / 1000)); // no leap after a pause of the page's
    before = now;
    if (!player.changed) return;
    player.changed = false;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    renderer.resize(Math.round(stage.clientWidth * ratio), Math.round(stage.clientHeight * ratio));
    const { moment, camera, trails } = player;
    renderer.draw({ moment, camera, trails, origin, extent, parts: player.shownParts() });
    showState(player);
  };
  window.addEventListener("resize", () => player.touch());
  requestAnimationFrame(show);
}

async function main() {
  const facts = readFacts();
  const stage = element("stage");
  showFacts(facts);
  const gl = stage.getContext("webgl2", { alpha: false, antialias: false, depth: false });
  if (!gl) return showStill(stage, facts, "This browser has no WebGL 2");
  const lost = () => notify("The GPU was taken away: load the page again.");
  stage.addEventListener("webglcontextlost", lost);
  const renderer = new Renderer(gl, facts);
  const moments = chooseMoments(facts, renderer.stride);
  const origin = moments[0].low.map((low, axis) => low + 32768 * moments[0].step[axis]);
  renderer.allocate(moments, origin);
  const sample = new Sample(moments, facts.shown);
  const use = (k, numbers) => {
    sample.add(k, numbers);
    renderer.upload(k, numbers);
  };
  await loadFrames(moments.length, renderer.stride, use, (share) =>
    notify(`Loading ${Math.round(100 * share)}%`),
  );
  notify("");
  const extent = sample.extent();
  const wishes = readWishes();
  const camera = new Camera(extent, Number(wishes.get("zoom")) || 1);
  const player = new Player(moments, camera, makeParts(facts.components));
  applyWishes(player, wishes);
  connectControls(player);
  connectKeys(player);
  connectPointers(stage, player);
  hideWhenIdle(player);
  run(renderer, player, extent, origin);
}

main().catch((error) => {
  notify(`The movie cannot be played: ${error.message}`);
  throw error;
});
