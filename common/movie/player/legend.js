// The meaning of the colours. A click on a part's name hides or shows the part.

// Each galaxy has a family of hues: its bulge, its disk and its halo. Then come other hues.
const HUES = [
  "#ffd493",
  "#ffa44f",
  "#8f6f4d",
  "#c2deff",
  "#5c9dff",
  "#51659a",
  "#f28cd9",
  "#d9e080",
  "#bfcce6",
];
const PLANETS = {
  Sun: "#ffd680",
  Mercury: "#b8ada3",
  Venus: "#f5c78f",
  Earth: "#5c9eff",
  Mars: "#ff6b42",
  Jupiter: "#eba875",
  Saturn: "#e6cc8a",
  Uranus: "#80e0e6",
  Neptune: "#5770fa",
};
const MOST_PARTS = 16; // length of the shaders' arrays

function makeParts(components) {
  return components.slice(0, MOST_PARTS).map((component, i) => ({
    ...component,
    colour: PLANETS[component.name] ?? HUES[i % HUES.length],
    // A halo has most of the bodies and would hide the rest.
    light: /halo/i.test(component.name) ? 0.35 : 1,
    shown: true,
  }));
}

// Returns red, green and blue from 0 to 1.
function lightOf(colour) {
  return [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16) / 255);
}

function showRamp(legend, lowest = "slow", highest = "fast") {
  const ramp = document.createElement("div");
  ramp.className = "ramp";
  const bar = document.createElement("i");
  bar.style.background = `linear-gradient(to right, ${RAMP.join(", ")})`;
  ramp.append(lowest, bar, highest);
  legend.replaceChildren(ramp);
}

function showParts(legend, parts, changed) {
  legend.replaceChildren(
    ...parts.map((part) => {
      const button = document.createElement("button");
      const dot = document.createElement("i");
      dot.style.background = part.colour;
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
