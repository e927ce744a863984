// A row for each program that was used, with its latest figures.

const figure = (value, form) => (value === null || value === undefined ? "\u2013" : form(value));
const whole = (value) => Math.round(value).toLocaleString("en");
const rate = (value) => (value < 10 ? value.toPrecision(2) : whole(value));
const short = (value) => (value >= 0.01 && value < 1e4 ? String(Number(value.toPrecision(2))) : scientific(value));
const share = (value) => `${(100 * value).toFixed(1)}%`;

// Of a program on the executor, which has no speed: a time that was recorded on a GPU.
const recordedTime = ({ ms, bodies, device }) => `${rate(ms)} ms for ${whole(bodies)} bodies on an ${device}`;

function showLadder(table, rows, current) {
  const fastest = Math.max(...rows.map((row) => row.interactionsPerSecond ?? 0));
  const bodies = rows.map((row) => {
    const body = document.createElement("tbody");
    body.classList.toggle("current", row.program === current);
    const name = body.insertRow().appendChild(document.createElement("th"));
    Object.assign(name, { scope: "rowgroup", colSpan: 6, textContent: row.program });
    const bar = name.appendChild(document.createElement("i"));
    bar.style.width = share((row.interactionsPerSecond ?? 0) / fastest || 0);
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
      figure(row.interactionsPerSecond, scientific),
      figure(row.gflops, rate),
      figure(row.ceilingShare, share),
      figure(row.errorMedian, scientific),
    ])
      cells.insertCell().textContent = text;
    return body;
  });
  table.replaceChildren(table.tHead, ...bodies);
  table.hidden = rows.length === 0;
  element("no-speeds").hidden = !rows.some((row) => row.kind === "executor");
}

// Keys of the steps, by their number: x is the Roman ten.
const STEP_KEYS = "0123456789x";

// A button for each program that can be chosen.
function showPrograms(group, programs, current, climb) {
  group.replaceChildren(
    ...programs.map(({ key, name }) => {
      const button = document.createElement("button");
      button.append(Object.assign(document.createElement("kbd"), { textContent: STEP_KEYS[key] }));
      button.append(name.replace(/^\d+_/, "").replaceAll("_", " "));
      button.title = name;
      button.setAttribute("aria-pressed", name === current);
      button.addEventListener("click", () => climb(key));
      return button;
    }),
  );
}
