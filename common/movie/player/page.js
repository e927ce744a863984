// Functions for elements of both pages, the movies' and the live view's.

const element = (id) => document.getElementById(id);

function notify(text, kind = "") {
  element("notice").textContent = text;
  element("notice").className = kind;
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

function chooseNext(select, by) {
  select.selectedIndex = Math.min(select.length - 1, Math.max(0, select.selectedIndex + by));
  select.dispatchEvent(new Event("change"));
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {}); // may be forbidden
}
