// A row for each program that was used, with its latest figures.

const figure = (value, form) => (value === null || value === undefined ? "\u2013" : form(value));
const whole = (value) => Math.round(value).toLocaleString("en");
const rate = (value) => (value < 10 ? value.toPrecision(2) : whole(value));
const short = (value) => (value >= 0.01 && value < 1e4 ? String(Number(value.toPrecision(2))) : scientific(value));
const share = (value) => `${(100 * value).toFixed(1)}%`;

// Returns a time that was recorded on a GPU. A program on the executor has no speed of its own.
const recordedTime = ({ ms, times, bodies, device }) =>
  `${ms} ms, ${times} times as fast as 01, for ${whole(bodies)} bodies on an ${device}`;

const firstSpeeds = new Map(); // steps per second of step 01, by the number of bodies

function showLadder(table, rows, current) {
  for (const row of rows)
    if (row.key === 1 && row.stepsPerSecond) firstSpeeds.set(row.bodies, row.stepsPerSecond);
  const fastest = (bodies) =>
    Math.max(...rows.filter((row) => row.bodies === bodies).map((row) => row.stepsPerSecond ?? 0));
  const groups = rows.map((row) => {
    const body = document.createElement("tbody");
    body.classList.toggle("current", row.program === current);
    const name = body.insertRow().appendChild(document.createElement("th"));
    Object.assign(name, { scope: "rowgroup", colSpan: 6, textContent: row.program });
    const bar = name.appendChild(document.createElement("i"));
    bar.style.width = share((row.stepsPerSecond ?? 0) / fastest(row.bodies) || 0);
    const cells = body.insertRow();
    if (row.recorded) {
      cells.insertCell().textContent = whole(row.bodies);
      Object.assign(cells.insertCell(), { colSpan: 4, textContent: recordedTime(row.recorded) });
      cells.insertCell().textContent = figure(row.errorMedian, scientific);
      return body;
    }
    for (const text of [
      whole(row.bodies),
      figure(row.stepsPerSecond, rate),
      figure(row.stepsPerSecond && row.stepsPerSecond / firstSpeeds.get(row.bodies) || null, rate),
      figure(row.gflops, rate),
      figure(row.ceilingShare, share),
      figure(row.errorMedian, scientific),
    ])
      cells.insertCell().textContent = text;
    return body;
  });
  table.replaceChildren(table.tHead, ...groups);
  table.hidden = rows.length === 0;
  element("no-speeds").hidden = !rows.some((row) => row.kind === "executor");
}

// The numbers of bodies of the ladder's two acts. A CPU gets fewer, because it would need minutes for a million.
const FEW_BODIES = 4096;
const manyBodies = (kind) => (kind === "gpu" ? 1048576 : 16384);

// A button for each choice: its key, its words, its title, whether it is the present one, and what a click does.
function showChoices(group, choices) {
  group.replaceChildren(
    ...choices.map(([key, words, title, isPresent, act]) => {
      const button = document.createElement("button");
      button.append(Object.assign(document.createElement("kbd"), { textContent: key }), words);
      button.title = title;
      button.setAttribute("aria-pressed", isPresent);
      button.addEventListener("click", act);
      return button;
    }),
  );
}

function showActs(group, { bodies, kind }, choose) {
  const choice = (key, words, count) => [key, words, `${whole(count)} bodies`, bodies === count, () => choose(count)];
  showChoices(group, [choice("-", "few bodies", FEW_BODIES), choice("+", "many bodies", manyBodies(kind))]);
}

// Keys of the steps, by their number: x is the Roman ten, and y follows it.
const STEP_KEYS = "0123456789xy";

// A button for each program that can be chosen.
function showPrograms(group, programs, current, climb) {
  const words = (name) => name.replace(/^\d+_/, "").replaceAll("_", " ");
  showChoices(group, programs.map(({ key, name }) => [STEP_KEYS[key], words(name), name, name === current, () => climb(key)]));
}
