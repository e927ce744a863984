// Reads the frames, then plays them.

// A link may set options: movie.html#paused&trails=4&zoom=6&frame=100&colour=speed&speed=2
function readWishes() {
  return new URLSearchParams(location.hash.slice(1));
}

function applyWishes(player, wishes) {
  const number = (name, otherwise) => Number(wishes.get(name) ?? otherwise) || 0;
  player.seek(number("frame", 1) - 1);
  player.trails = [1, 4].includes(number("trails")) ? number("trails") : 0;
  player.speed = [0.25, 0.5, 2, 4].includes(number("speed")) ? number("speed") : 1;
  if (wishes.get("colour") === "speed") player.byPart = false;
  // The movie does not start by itself if the system asks for less motion.
  const still = wishes.has("paused") || matchMedia("(prefers-reduced-motion: reduce)").matches;
  player.playing = !still && player.last > 0;
}

// Returns enough vertices for a smooth curve, on frames or between them.
function trailOf(player, count) {
  const vertices = Math.round(Math.min(240, Math.max(24, 4e5 / count)));
  const span = Math.min(player.last + 1, (player.trails * vertices) / 4);
  return { vertices, span, whole: false };
}

function run(renderer, player, extent, origin) {
  const advance = (seconds) => player.advance(seconds);
  animate(renderer, player, advance, () => {
    const { moment, camera } = player;
    const trail = trailOf(player, renderer.count);
    renderer.draw({ moment, camera, trail, origin, extent, parts: player.shownParts() });
    showState(player);
  });
}

async function main() {
  const facts = JSON.parse(element("facts").textContent);
  const stage = element("stage");
  showFacts(facts);
  const gl = makeContext(stage);
  if (!gl) return notify("This browser has no WebGL 2, in which the bodies are drawn.");
  const renderer = new Renderer(gl);
  const stride = Math.ceil(facts.frames.length / renderer.mostFrames(facts.shown));
  const moments = chooseMoments(facts, stride);
  const origin = moments[0].low.map((low, axis) => low + 32768 * moments[0].step[axis]);
  renderer.reserve(facts.shown, moments.length);
  renderer.holds(moments);
  const sample = new Sample(moments, facts.shown);
  const use = (k, numbers) => {
    sample.add(k, numbers);
    renderer.upload(k, moments[k], origin, numbers);
  };
  await loadFrames(moments.length, stride, use, (share) =>
    notify(`Loading ${Math.round(100 * share)}%`),
  );
  notify("");
  const extent = sample.extent();
  const wishes = readWishes();
  const camera = new Camera(extent, Number(wishes.get("zoom")) || 1);
  const player = new Player(moments, camera, makeParts(facts.components));
  applyWishes(player, wishes);
  connectControls(player);
  connectKeys(player, { ...viewKeys(player), ...playbackKeys(player) });
  connectPointers(stage, player);
  hideWhenIdle(player);
  run(renderer, player, extent, origin);
}

main().catch((error) => {
  notify(`The movie cannot be played: ${error.message}`);
  throw error;
});
