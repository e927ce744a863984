// The controls at the bottom and the figures at the top.

function showFacts(facts) {
  document.title = `${facts.scene}: ${showSource(facts, facts.program)} bodies`;
  if (facts.interactionsPerSecond === null) return;
  element("rate").textContent = scientific(facts.interactionsPerSecond);
  element("rate-row").hidden = false;
}

function showState(player) {
  element("time").textContent = player.time.toFixed(3);
  element("drift-row").hidden = player.energyDrift === null;
  if (player.energyDrift !== null) element("drift").textContent = scientific(player.energyDrift);
  element("frame").textContent = `${Math.round(player.moment) + 1} / ${player.last + 1}`;
  element("scrub").value = player.moment;
  showPlaying(player.playing);
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

function playbackKeys(player) {
  const speed = element("speed");
  return {
    " ": () => player.toggle(),
    ArrowLeft: () => player.stepBy(-1),
    ArrowRight: () => player.stepBy(1),
    ArrowUp: () => choose(speed, Math.min(speed.length - 1, speed.selectedIndex + 1)),
    ArrowDown: () => choose(speed, Math.max(0, speed.selectedIndex - 1)),
    Home: () => player.seek(0),
    End: () => player.seek(player.last),
    c: () => colourBy(player, !player.byPart),
  };
}

function connectControls(player) {
  const on = connectViewControls(player);
  element("scrub").max = player.last;
  on("scrub", "input", (scrub) => {
    player.playing = false;
    player.seek(Number(scrub.value));
  });
  on("play", "click", () => player.toggle());
  on("back", "click", () => player.stepBy(-1));
  on("forward", "click", () => player.stepBy(1));
  on("speed", "change", (select) => (player.speed = Number(select.value)));
  on("colour", "change", (select) => colourBy(player, select.value === "component"));
  element("colour-choice").hidden = player.parts.length === 0;
  showLegend(player);
  element("controls").hidden = false;
}
