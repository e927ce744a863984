// Buttons, lists and keys: what they send to the program, and what they change only on this page.

function connectLiveControls({ sky, ask }) {
  const on = connectViewControls(sky);
  on("play", "click", () => sky.toggle());
  on("step", "click", () => ask({ do: "step" }));
  on("restart", "click", () => ask({ do: "reset" }));
  on("colour", "change", (select) => ask({ set: { colour: select.value } }));
}

function liveKeys(live) {
  const climbs = Object.fromEntries([...STEP_KEYS].map((key, step) => [key, () => live.climb(step)]));
  const press = (id) => () => element(id).click();
  const nextColour = () => chooseNext(element("colour"));
  const few = () => live.ask({ set: { bodies: FEW_BODIES } });
  const many = () => live.ask({ set: { bodies: manyBodies(live.run?.kind) } });
  return { ...climbs, "-": few, "+": many, "=": many, " ": press("play"), s: press("step"), n: press("restart"), c: nextColour };
}
