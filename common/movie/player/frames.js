// The frames that the page holds, and what is to be known of them before the first is drawn.

function readFacts() {
  return JSON.parse(document.getElementById("facts").textContent);
}

// 16-bit numbers, x, y and z of each body; the lower byte first, as browsers' machines have it.
function decodeFrame(element) {
  const text = atob(element.textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return new Uint16Array(bytes.buffer);
}

// Every stride-th moment. Where the energy was not computed the last one known stands.
function chooseMoments(facts, stride) {
  let energyDrift = null;
  return facts.frames.flatMap((moment, k) => {
    energyDrift = moment.energyDrift ?? energyDrift;
    return k % stride === 0 ? [{ ...moment, energyDrift }] : [];
  });
}

// Calls use(k, numbers) for each moment's frame and frees its text; show(share) from time to time.
async function loadFrames(count, stride, use, show) {
  const elements = [...document.querySelectorAll("script.frame")];
  for (let k = 0; k < count; ++k) {
    use(k, decodeFrame(elements[k * stride]));
    elements[k * stride].remove();
    if (k % 8 !== 0) continue;
    show(k / count);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

// Some bodies in some pairs of neighbouring frames: how far they reach and how fast they are.
class Sample {
  constructor(moments, shown) {
    const bodies = Math.min(shown, 500);
    this.moments = moments;
    this.bodies = Array.from({ length: bodies }, (_, i) => Math.floor((i * shown) / bodies));
    this.every = Math.max(1, Math.floor(moments.length / 24));
    this.positions = [];
    this.speeds = [];
    this.before = null;
  }

  add(k, numbers) {
    const { low, step, time } = this.moments[k];
    const place = (i, axis) => low[axis] + numbers[3 * i + axis] * step[axis];
    const here = this.bodies.map((i) => [0, 1, 2].map((axis) => place(i, axis)));
    if (k % this.every === 0) this.positions.push(...here);
    const elapsed = time - this.moments[k - 1]?.time;
    if (k % this.every === 1 || this.every === 1) this.addSpeeds(here, elapsed);
    this.before = here;
  }

  addSpeeds(here, elapsed) {
    if (!(elapsed > 0)) return;
    here.forEach((p, i) => {
      const q = this.before[i];
      this.speeds.push(Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) / elapsed);
    });
  }

  // The centre, the radius about it that holds most of them, and the speeds of the slow and fast.
  extent() {
    const centre = [0, 1, 2].map((axis) => ranked(this.positions.map((p) => p[axis]), 0.5));
    const reach = (p) => Math.hypot(p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]);
    return {
      centre,
      radius: 1.15 * ranked(this.positions.map(reach), this.bodies.length < 100 ? 1 : 0.93) || 1,
      slow: ranked(this.speeds, 0.05) || 0,
      fast: ranked(this.speeds, 0.97) || 1,
    };
  }
}

function ranked(values, share) {
  return values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];
}
