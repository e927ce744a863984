// What the colours mean; a part's name switches it off and on.

// Two families of hues, for the parts of a first and a second galaxy; then others.
const HUES = [
  [1.0, 0.74, 0.42],
  [0.42, 0.68, 1.0],
  [0.42, 0.4, 0.78],
  [1.0, 0.5, 0.42],
  [0.36, 0.9, 0.72],
  [0.3, 0.5, 0.5],
  [0.95, 0.55, 0.85],
  [0.85, 0.88, 0.5],
  [0.75, 0.8, 0.9],
];
const PLANETS = {
  Sun: [1.0, 0.84, 0.5],
  Mercury: [0.72, 0.68, 0.64],
  Venus: [0.96, 0.78, 0.56],
  Earth: [0.36, 0.62, 1.0],
  Mars: [1.0, 0.42, 0.26],
  Jupiter: [0.92, 0.66, 0.46],
  Saturn: [0.9, 0.8, 0.54],
  Uranus: [0.5, 0.88, 0.9],
  Neptune: [0.34, 0.44, 0.98],
};
const MOST_PARTS = 16; // of the shaders' arrays

function makeParts(components) {
  return components.slice(0, MOST_PARTS).map((component, i) => ({
    ...component,
    colour: PLANETS[component.name] ?? HUES[i % HUES.length],
    // A halo is most of the bodies and would hide the rest.
    light: /halo/i.test(component.name) ? 0.35 : 1,
    shown: true,
  }));
}

function cssColour(colour) {
  return `rgb(${colour.map((value) => Math.round(255 * value)).join(" ")})`;
}

function showRamp(legend) {
  const ramp = document.createElement("div");
  ramp.className = "ramp";
  const bar = document.createElement("i");
  bar.style.background = `linear-gradient(to right, ${RAMP.map(cssColour).join(", ")})`;
  ramp.append("slow", bar, "fast");
  legend.replaceChildren(ramp);
}

function showParts(legend, parts, changed) {
  legend.replaceChildren(
    ...parts.map((part) => {
      const button = document.createElement("button");
      const dot = document.createElement("i");
      dot.style.background = cssColour(part.colour);
      button.append(part.name, dot);
      button.title = "Show or hide";
      button.setAttribute("aria-pressed", part.shown);
      button.addEventListener("click", () => {
        part.shown = !part.shown;
        button.setAttribute("aria-pressed", part.shown);
        changed();
      });
      return button;
    }),
  );
}
