// Functions for elements of both pages, the movies' and the live view's.

const element = (id) => document.getElementById(id);

function notify(text) {
  element("notice").textContent = text;
  element("notice").hidden = text === "";
}

function powerOfTen(exponent) {
  const digits = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
  return `10${[...String(exponent)].map((c) => (c === "-" ? "\u207b" : digits[c])).join("")}`;
}

function scientific(value) {
  if (value === 0) return "0";
  const [factor, exponent] = value.toExponential(1).split("e");
  return `${factor} \u00d7 ${powerOfTen(Number(exponent))}`;
}

function choose(select, index) {
  select.selectedIndex = index;
  select.dispatchEvent(new Event("change"));
}

// Chooses the next entry, and after the last one the first.
function chooseNext(select) {
  choose(select, (select.selectedIndex + 1) % select.length);
}

function showPlaying(playing) {
  element("play").setAttribute("aria-pressed", playing);
  element("play").setAttribute("aria-label", playing ? "Pause" : "Play");
}

// Shows what is computed, and by which program. Returns the number of bodies as text.
function showSource({ scene, bodies, shown, device }, program) {
  const [all, some] = [bodies, shown].map((count) => count.toLocaleString("en"));
  const source = [`${shown < bodies ? `${some} of ` : ""}${all} bodies`, program, device];
  element("scene").textContent = scene;
  element("source").textContent = source.join(" \u00b7 ");
  return all;
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {}); // may be forbidden
}
