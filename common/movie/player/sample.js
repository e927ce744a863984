// Finds the extent and the speeds of the bodies, before the first picture.

// A sample of bodies in some pairs of neighbouring frames.
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

  // Finds the centre, the radius around it with most bodies, and the speeds of slow and fast ones.
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
