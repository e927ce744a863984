// Energy and momentum drift over time, as lines on a logarithmic scale.

const MOST_POINTS = 512;

class Drift {
  constructor(svg) {
    this.svg = svg;
    this.points = [];
  }

  add({ time, energyDrift, momentumDrift }) {
    const { points } = this;
    const last = points.at(-1);
    if (last && time < last.time) points.length = 0; // a new run
    if (last?.time === time) points.pop();
    points.push({ time, energy: energyDrift, momentum: momentumDrift });
    if (points.length > MOST_POINTS) this.points = points.filter((_, k) => k % 2 === 0);
    element("energy").textContent = energyDrift === null ? "not computed" : scientific(energyDrift);
    element("momentum").textContent = scientific(momentumDrift ?? 0);
    this.draw();
  }

  draw() {
    const { points } = this;
    const decades = points
      .flatMap(({ energy, momentum }) => [energy, momentum])
      .flatMap((value) => (value > 0 ? [Math.log10(value)] : []));
    if (decades.length === 0) return this.svg.replaceChildren();
    const low = Math.floor(Math.min(...decades));
    const high = Math.max(low + 1, Math.ceil(Math.max(...decades)));
    const [start, end] = [points[0].time, points.at(-1).time];
    const x = (time) => 42 + (274 * (time - start)) / (end - start || 1);
    const y = (decade) => 6 + (74 * (high - decade)) / (high - low);
    const line = (name) => {
      const known = points.filter((point) => point[name] > 0);
      const places = known.map((p) => `${x(p.time).toFixed(1)},${y(Math.log10(p[name])).toFixed(1)}`);
      return this.shape("polyline", { class: name, points: places.join(" ") });
    };
    this.svg.replaceChildren(
      ...[low, high].flatMap((decade) => [
        this.shape("path", { d: `M42 ${y(decade)}H316` }),
        this.label(38, y(decade) + 4, powerOfTen(decade), "end"),
      ]),
      this.label(42, 94, `time ${start.toFixed(2)}`, "start"),
      this.label(316, 94, end.toFixed(2), "end"),
      line("momentum"),
      line("energy"),
    );
    const said = ["energy", "momentum"].map((name) => `${name} ${element(name).textContent}`);
    this.svg.setAttribute("aria-label", `Drift over time, now ${said.join(", ")}`);
  }

  shape(name, attributes) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  label(x, y, text, anchor) {
    const made = this.shape("text", { x, y, "text-anchor": anchor });
    made.textContent = text;
    return made;
  }
}
