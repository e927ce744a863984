// Keeps the frames that arrive, and saves them as a movie, in the same form as --movie.

const MOST_FRAMES = 600;
const MOST_BYTES = 60e6;

class Recorder {
  // say(text): reports how much it has, or why it ended
  constructor(player, say) {
    [this.start, this.end] = player;
    Object.assign(this, { say, facts: null });
  }

  get recording() {
    return this.facts !== null;
  }

  begin(run, rate) {
    const { scene, program, precision, device, bodies, shown, components } = run;
    const facts = { scene, program: `${program}, ${precision}`, device, bodies, shown, components };
    this.facts = { ...facts, interactionsPerSecond: rate, frames: [] };
    this.texts = [];
    this.bytes = this.start.length + this.end.length;
  }

  // A movie has a fixed number of bodies, and its time never goes back.
  add(frame, energyDrift) {
    const { frames, shown } = this.facts;
    const { time, low, step, positions, count } = frame;
    if (count !== shown || time < frames.at(-1)?.time) return this.save("The bodies are others now: ");
    if (time === frames.at(-1)?.time) return;
    const text = `<script type="text/plain" class="frame">${base64(positions)}</` + "script>\n";
    if (this.bytes + text.length > MOST_BYTES) return this.save("It is full: ");
    this.texts.push(text);
    this.bytes += text.length;
    frames.push({ time, energyDrift, low, step });
    if (frames.length === MOST_FRAMES) return this.save("It is full: ");
    this.say(`${frames.length} frames, ${(this.bytes / 1e6).toFixed(1)} MB`);
  }

  save(why = "") {
    const { facts, texts } = this;
    this.facts = this.texts = null;
    if (facts.frames.length === 0) return this.say("Nothing came to be recorded");
    const json = JSON.stringify(facts).replaceAll("<", "\\u003c");
    const said = `<script type="application/json" id="facts">${json}</` + "script>\n";
    const blob = new Blob([this.start, ...texts, said, this.end], { type: "text/html" });
    const name = `${facts.scene.replace(/[^\w-]+/g, "_")}.html`;
    download(blob, name);
    this.say(`${why}${facts.frames.length} frames saved as ${name}`);
  }
}

function base64(numbers) {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192)
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
