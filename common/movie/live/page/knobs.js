// The knobs that the program has, and their limits. It knows what they mean, the page only labels.

const LABELS = {
  bodies: "bodies N",
  dt: "time step",
  theta: "opening angle \u03b8",
  stepsPerFrame: "steps a frame",
};
const MOST_MESSAGES = 10; // a second, of a slider that is pulled

class Knobs {
  // set({ name: value }) asks the program for it.
  constructor(form, set) {
    Object.assign(this, { form, set, fields: new Map(), drawn: "" });
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  // A field that is typed in keeps what it has, unless that was refused.
  show({ scenes, scene, knobs, stepsPerFrame }, refused = false) {
    const all = [
      { name: "scene", kind: "choice", choices: scenes, value: scene },
      ...knobs,
      { name: "stepsPerFrame", kind: "int", min: 1, max: 1000, value: stepsPerFrame },
    ];
    const shape = JSON.stringify(all.map((knob) => ({ ...knob, value: null })));
    if (shape !== this.drawn) {
      this.fields.clear();
      this.form.replaceChildren(...all.map((knob) => this.row(knob)));
      this.drawn = shape;
    }
    for (const { name, value } of all) this.fields.get(name)(value, refused);
  }

  row(knob) {
    const row = document.createElement("div");
    const label = document.createElement("label");
    label.textContent = LABELS[knob.name] ?? knob.name;
    const parts = knob.kind === "choice" ? this.choice(knob) : this.number(knob);
    parts[0].id = label.htmlFor = `knob-${knob.name}`;
    row.append(label, ...parts);
    return row;
  }

  choice({ name, choices }) {
    const select = document.createElement("select");
    select.append(...choices.map((word) => new Option(word)));
    select.addEventListener("change", () => this.set({ [name]: select.value }));
    this.fields.set(name, (value) => (select.value = value));
    return [select];
  }

  // A number to type, and a slider beside it where both ends are known.
  number(knob) {
    const { name, kind, min, max, restarts } = knob;
    const input = Object.assign(document.createElement("input"), { type: "number", step: "any" });
    const slider = Object.assign(document.createElement("input"), { type: "range" });
    input.addEventListener("change", () => this.set({ [name]: input.valueAsNumber }));
    slider.setAttribute("aria-label", `${LABELS[name] ?? name}, slider`);
    const scale = sliderScale(kind, min, max);
    Object.assign(slider, { min: scale.place(min), max: scale.place(max), step: scale.step });
    const later = atMost(MOST_MESSAGES, (value) => this.set({ [name]: value }));
    slider.addEventListener("input", () => {
      input.value = scale.value(Number(slider.value));
      if (!restarts) later(Number(input.value));
    });
    if (restarts) slider.addEventListener("change", () => this.set({ [name]: Number(input.value) }));
    this.fields.set(name, (value, refused) => {
      const busy = document.activeElement === input || slider.matches(":active");
      if (busy && !refused) return;
      input.value = value;
      slider.value = scale.place(value);
    });
    return [input, slider];
  }
}

// Logarithmic over a wide range: powers of two for whole numbers, three digits for others.
function sliderScale(kind, min, max) {
  const wide = min > 0 && max / min > 100;
  const rounded = (value) => (kind === "int" ? Math.round(value) : Number(value.toPrecision(3)));
  if (!wide) return { place: (v) => v, value: rounded, step: kind === "int" ? 1 : (max - min) / 200 };
  const within = (value) => Math.min(max, Math.max(min, rounded(value)));
  return { place: Math.log2, value: (place) => within(2 ** place), step: kind === "int" ? 1 : 0.05 };
}

// Calls act with the newest value, at most so often a second.
function atMost(often, act) {
  let timer = null;
  let newest;
  return (value) => {
    newest = value;
    timer ??= setTimeout(() => {
      timer = null;
      act(newest);
    }, 1000 / often);
  };
}
