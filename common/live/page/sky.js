// Draws the bodies as they arrived: the newest frame, and earlier ones for the trails. It draws
// nothing between two frames, because nothing was computed there.

const MAGIC = 0x314c424e; // "NBL1"
const HEADER = 72; // bytes

function readFrame(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEADER || view.getUint32(0, true) !== MAGIC) return null;
  const three = (at) => [0, 8, 16].map((more) => view.getFloat64(at + more, true));
  const count = view.getUint32(64, true);
  const frame = { time: view.getFloat64(8, true), low: three(16), step: three(40), count };
  frame.positions = new Uint16Array(buffer, HEADER, 3 * count);
  const scale = HEADER + 6 * count;
  const coloured = view.getUint32(68, true) & 1;
  frame.shades = coloured ? new Uint8Array(buffer, scale + 8, count) : null;
  frame.range = coloured ? [0, 4].map((more) => view.getFloat32(scale + more, true)) : null;
  return frame;
}

const COARSEST = 0.35;
const PATIENCE = 10; // seconds with spare time after which it tries more pixels

class Sky extends View {
  constructor(gl) {
    super(new Camera({ centre: [0, 0, 0], radius: 1 }, 1), []);
    this.renderer = new Renderer(gl);
    this.playing = false;
    this.sharpness = 1;
    this.spare = this.came = this.drawn = this.ticks = 0;
    this.moments = [];
  }

  // Other bodies: their first frame chooses a new view.
  forget() {
    this.extent = null;
    this.moments = [];
  }

  take(frame) {
    const { renderer, moments } = this;
    ++this.came;
    if (frame.count !== renderer.count) this.reserve(frame.count);
    if (moments.length > 0 && frame.time < moments.at(-1).time) moments.length = 0; // a new run
    if (!this.extent) this.lookAt(frame);
    const { time, low, step } = frame;
    if (moments.length === this.places) moments.shift();
    moments.push({ time, low, step });
    renderer.upload(this.next, frame, this.origin, frame.positions);
    renderer.shade(frame.shades);
    this.next = (this.next + 1) % this.places;
    renderer.holds(moments, (this.next - moments.length + this.places) % this.places);
    this.touch();
  }

  // A long trail has a vertex every fourth frame, a short one every frame.
  reserve(count) {
    this.vertices = Math.round(Math.min(60, Math.max(24, 4e5 / count)));
    this.places = Math.min(this.renderer.mostFrames(count), 4 * this.vertices + 1);
    this.renderer.reserve(count, this.places);
    this.moments.length = this.next = 0;
  }

  lookAt(frame) {
    this.origin = frame.low.map((low, axis) => low + 32768 * frame.step[axis]);
    const sample = new Sample([frame], frame.count);
    sample.add(0, frame.positions);
    this.extent = sample.extent();
    const { yaw, pitch } = this.camera;
    this.camera = Object.assign(new Camera(this.extent, 1), { yaw, pitch });
  }

  get pixels() {
    return this.sharpness * super.pixels;
  }

  // Once a second: reduces the pixels if frames were not drawn in time, for example without a GPU.
  pace() {
    const late = this.came > 5 && this.drawn < 0.9 * this.came && !document.hidden;
    this.spare = !late && this.ticks > 50 ? this.spare + 1 : 0;
    if (late) this.sharpness = Math.max(COARSEST, 0.8 * this.sharpness);
    else if (this.spare > PATIENCE) this.sharpness = Math.min(1, 1.1 * this.sharpness);
    this.came = this.drawn = this.ticks = 0;
  }

  draw() {
    const { renderer, moments, camera, origin, extent } = this;
    if (moments.length === 0) return;
    ++this.drawn;
    const span = moments.length > 1 ? this.trails * this.vertices : 0;
    const trail = { span, vertices: this.vertices + 1, whole: true };
    const moment = moments.length - 1;
    renderer.draw({ moment, camera, trail, origin, extent, parts: this.shownParts() });
  }
}
