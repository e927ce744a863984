// Connects the page with the program: messages go to the page's parts, changes to the program.

const LOST = {
  lost: "The connection is lost. Trying again",
  over: "This link is no longer valid: the run was started again, and its terminal shows a new link.",
};

class Live {
  constructor(sky) {
    this.sky = sky;
    this.run = null;
    this.drift = new Drift(element("drift"));
    this.ask = (wish) => this.run && this.connection.send(wish);
    this.settings = new Settings(element("settings"), (values) => this.ask({ set: values }));
    sky.toggle = () => this.ask({ do: this.run?.playing ? "pause" : "play" });
    this.connection = new Connection({
      hear: (message) => this.hear(message),
      see: (buffer) => this.see(readFrame(buffer)),
      say: (state) => notify(LOST[state] ?? ""),
    });
  }

  hear(message) {
    if (message.type === "run") this.takeRun(message);
    if (message.type === "numbers") this.takeNumbers(message);
    if (message.type === "ladder") showLadder(element("ladder"), message.rows, this.run?.program);
    if (message.type === "refused") this.refuse(message);
    if (message.type === "changing" || message.type === "climbing") element("state").textContent = `Changing to ${message.to} ...`;
  }

  takeRun(run) {
    const before = this.run;
    this.run = run;
    this.sky.playing = run.playing;
    if (before?.scene !== run.scene || before.bodies !== run.bodies) this.sky.forget();
    if (JSON.stringify(before?.components) !== JSON.stringify(run.components)) this.takeParts();
    if (before?.colour !== run.colour) this.range = null;
    this.sky.byPart = run.colour === "galaxy";
    showRun(run);
    showColours(this.sky, run, this.range ?? [null, null]);
    showPrograms(element("programs"), run.programs, run.program, (key) => this.climb(key));
    showActs(element("acts"), run, (bodies) => this.ask({ set: { bodies } }));
    this.settings.show(run);
    element("refusal").hidden = true;
    element("state").textContent = "";
  }

  takeParts() {
    const { components, shown } = this.run;
    const all = { name: "bodies", first: 0, count: shown };
    this.sky.parts = makeParts(components.length > 0 ? components : [all]);
  }

  takeNumbers(numbers) {
    showNumbers(numbers);
    this.drift.add(numbers);
    if (this.range) showColours(this.sky, this.run, this.range);
  }

  see(frame) {
    if (!frame || !this.run) return;
    this.sky.take(frame);
    const first = frame.range && !this.range;
    this.range = frame.range;
    if (first) showColours(this.sky, this.run, frame.range);
    element("time").textContent = frame.time.toFixed(3);
  }

  // Nothing was changed, so the settings return to their values.
  refuse({ what, why }) {
    element("refusal").textContent = `${LABELS[what] ?? what}: ${why}`;
    element("refusal").hidden = false;
    element("state").textContent = "";
    this.settings.show(this.run, true);
  }

  // The server says why if there is no program for this key.
  climb(key) {
    this.ask({ climb: key });
  }
}

function main() {
  const gl = makeContext(element("stage"));
  if (!gl) return notify("This browser has no WebGL 2, in which the bodies are drawn.");
  const sky = new Sky(gl);
  const live = new Live(sky);
  connectLiveControls(live);
  connectKeys(sky, { ...viewKeys(sky), ...liveKeys(live) });
  connectPointers(element("stage"), sky);
  hideWhenIdle(sky);
  setInterval(() => sky.pace(), 1000);
  animate(sky.renderer, sky, () => ++sky.ticks, () => sky.draw());
}

main();
