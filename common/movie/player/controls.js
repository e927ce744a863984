// The controls at the bottom and the figures at the top.

const element = (id) => document.getElementById(id);

function showFacts(facts) {
  const some = facts.shown < facts.bodies ? `${facts.shown.toLocaleString("en")} of ` : "";
  const bodies = facts.bodies.toLocaleString("en");
  document.title = `${facts.scene}: ${bodies} bodies`;
  element("scene").textContent = facts.scene;
  const source = [`${some}${bodies} bodies`, facts.program, facts.device];
  element("source").textContent = source.join(" \u00b7 ");
  if (facts.interactionsPerSecond === null) return;
  element("rate").textContent = scientific(facts.interactionsPerSecond);
  element("rate-row").hidden = false;
}

function scientific(value) {
  if (value === 0) return "0";
  const exponent = Math.floor(Math.log10(value));
  const digits = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
  const raised = [...String(exponent)].map((c) => (c === "-" ? "\u207b" : digits[Number(c)]));
  return `${(value / 10 ** exponent).toFixed(1)} \u00d7 10${raised.join("")}`;
}

function showState(player) {
  element("time").textContent = player.time.toFixed(3);
  element("drift-row").hidden = player.energyDrift === null;
  if (player.energyDrift !== null) element("drift").textContent = scientific(player.energyDrift);
  element("frame").textContent = `${Math.round(player.moment) + 1} / ${player.last + 1}`;
  element("scrub").value = player.moment;
  element("play").setAttribute("aria-pressed", player.playing);
  element("play").setAttribute("aria-label", player.playing ? "Pause" : "Play");
  element("speed").value = player.speed;
  element("trails").value = player.trails;
  element("colour").value = player.byPart ? "component" : "speed";
}

function showLegend(player) {
  if (player.byPart) showParts(element("legend"), player.parts, () => player.touch());
  else showRamp(element("legend"));
}

function colourBy(player, byPart) {
  player.byPart = byPart && player.parts.length > 0;
  showLegend(player);
  player.touch();
}

function chooseNext(select, by) {
  select.selectedIndex = Math.min(select.length - 1, Math.max(0, select.selectedIndex + by));
  select.dispatchEvent(new Event("change"));
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {}); // a frame may not allow it
}

function connectControls(player) {
  const on = (id, event, act) =>
    element(id).addEventListener(event, () => {
      act(element(id));
      player.touch();
    });
  element("scrub").max = player.last;
  on("scrub", "input", (scrub) => {
    player.playing = false;
    player.seek(Number(scrub.value));
  });
  on("play", "click", () => player.toggle());
  on("back", "click", () => player.stepBy(-1));
  on("forward", "click", () => player.stepBy(1));
  on("speed", "change", (select) => (player.speed = Number(select.value)));
  on("trails", "change", (select) => (player.trails = Number(select.value)));
  on("colour", "change", (select) => colourBy(player, select.value === "component"));
  on("reset", "click", () => player.camera.reset());
  on("full", "click", toggleFullScreen);
  element("full").hidden = !document.fullscreenEnabled;
  element("colour-choice").hidden = player.parts.length === 0;
  showLegend(player);
  element("controls").hidden = false;
}
