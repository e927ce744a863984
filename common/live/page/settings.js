// The program's settings, with their limits. The page shows them without knowing their meaning.

const LABELS = {
  bodies: "bodies N",
  dt: "time step",
  theta: "opening angle \u03b8",
  stepsPerFrame: "steps a frame",
};
const STEPS_PER_FRAME = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 0];
const MOST_MESSAGES = 10; // per second, while a slider moves

class Settings {
  // set({ name: value }) sends the change to the program.
  constructor(form, set) {
    Object.assign(this, { form, set, fields: new Map(), drawn: "" });
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  // A field with the focus keeps its text, unless the value was refused.
  show({ scenes, scene, settings, stepsPerFrame }, refused = false) {
    const all = [
      { name: "scene", kind: "choice", choices: scenes, value: scene },
      ...settings,
      { name: "stepsPerFrame", kind: "choice", choices: STEPS_PER_FRAME, value: stepsPerFrame },
    ];
    const shape = JSON.stringify(all.map((setting) => ({ ...setting, value: null })));
    if (shape !== this.drawn) {
      this.fields.clear();
      this.form.replaceChildren(...all.map((setting) => this.row(setting)));
      this.drawn = shape;
    }
    for (const { name, value } of all) this.fields.get(name)(value, refused);
  }

  row(setting) {
    const row = document.createElement("div");
    const label = document.createElement("label");
    label.textContent = LABELS[setting.name] ?? setting.name;
    const parts = setting.kind === "choice" ? this.choice(setting) : this.number(setting);
    parts[0].id = label.htmlFor = `setting-${setting.name}`;
    row.append(label, ...parts);
    return row;
  }

  choice({ name, choices }) {
    const select = document.createElement("select");
    select.append(...choices.map((value) => new Option(value === 0 ? "as many as go" : value, value)));
    select.addEventListener("change", () => this.set({ [name]: choices[select.selectedIndex] }));
    this.fields.set(name, (value) => (select.value = value));
    return [select];
  }

  number({ name, kind, min, max, restarts }) {
    const input = Object.assign(document.createElement("input"), { type: "number", step: "any" });
    input.addEventListener("change", () => this.set({ [name]: input.valueAsNumber }));
    const scale = sliderScale(kind, min, max);
    const slider = scale && this.slider(name, scale, input, restarts);
    this.fields.set(name, (value, refused) => {
      const busy = document.activeElement === input || slider?.matches(":active");
      if (busy && !refused) return;
      input.value = value;
      if (slider) slider.value = scale.place(value);
    });
    return slider ? [input, slider] : [input];
  }

  slider(name, scale, input, restarts) {
    const slider = Object.assign(document.createElement("input"), { type: "range", ...scale.range });
    slider.setAttribute("aria-label", `${LABELS[name] ?? name}, slider`);
    const set = () => this.set({ [name]: input.valueAsNumber });
    const later = atMost(MOST_MESSAGES, set);
    slider.addEventListener("input", () => {
      input.value = scale.value(Number(slider.value));
      if (!restarts) later();
    });
    if (restarts) slider.addEventListener("change", set);
    return slider;
  }
}

// Returns a logarithmic scale if the range is wide: powers of two for whole numbers, three digits
// for others. Null if a slider cannot be set precisely.
function sliderScale(kind, min, max) {
  const whole = kind === "int";
  const rounded = (value) => (whole ? Math.round(value) : Number(value.toPrecision(3)));
  if (min > 0 && max / min > 100) {
    const within = (value) => Math.min(max, Math.max(min, rounded(value)));
    const range = { min: Math.log2(min), max: Math.log2(max), step: whole ? 1 : 0.05 };
    return { place: Math.log2, value: (place) => within(2 ** place), range };
  }
  if (whole && max - min > 1000) return null;
  return { place: (v) => v, value: rounded, range: { min, max, step: whole ? 1 : (max - min) / 200 } };
}

// Calls act() at most so often per second, and once more at the end.
function atMost(often, act) {
  let timer = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      act();
    }, 1000 / often);
  };
}
