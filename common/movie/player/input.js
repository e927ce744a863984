// Keys, mouse and touch.

function viewKeys(view) {
  return {
    r: () => view.camera.reset(),
    f: toggleFullScreen,
    t: () => chooseNext(element("trails")),
    "+": () => view.camera.zoomBy(1.2),
    "-": () => view.camera.zoomBy(1 / 1.2),
  };
}

// Connects the controls that the pages share. Returns on(id, event, act), which connects another: it calls act(the element).
function connectViewControls(view) {
  const on = (id, event, act) =>
    element(id).addEventListener(event, () => {
      act(element(id));
      view.touch();
    });
  on("trails", "change", (select) => (view.trails = Number(select.value)));
  on("reset", "click", () => view.camera.reset());
  on("full", "click", toggleFullScreen);
  element("full").hidden = !document.fullscreenEnabled;
  return on;
}

// A list, a number field or a button with the focus handles its own keys.
function keepsKey({ tagName, type }, key) {
  return tagName === "SELECT" || type === "number" || (tagName === "BUTTON" && key === " ");
}

// keys: what each key does, by its name in lower case.
function connectKeys(view, keys) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || keepsKey(event.target, event.key)) return;
    event.preventDefault();
    act();
    view.touch();
  });
}

function embedded() {
  return window.parent !== window;
}

// One pointer turns the view, or with the right button or shift moves it. Two zoom and move it.
function connectPointers(stage, view) {
  document.body.classList.toggle("embedded", embedded());
  const pointers = new Map();
  let travelled = 0;
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  stage.addEventListener("pointerdown", (event) => {
    stage.setPointerCapture(event.pointerId);
    if (pointers.size === 0) travelled = 0;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  stage.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    const shorter = Math.min(stage.clientWidth, stage.clientHeight);
    const apart = pointers.size === 2 ? spread() : 0;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    travelled += Math.abs(dx) + Math.abs(dy);
    if (pointers.size === 2) {
      view.camera.zoomBy(spread() / Math.max(1, apart));
      view.camera.pan(dx / shorter / 2, dy / shorter / 2); // each finger moves it half the way
    } else if (event.buttons & 2 || event.shiftKey) {
      view.camera.pan(dx / shorter, dy / shorter);
    } else {
      view.camera.orbit((Math.PI * dx) / shorter, (-Math.PI * dy) / shorter);
    }
    view.touch();
  });
  const release = (event) => {
    const wasTap = pointers.size === 1 && travelled < 6 && event.type === "pointerup";
    if (pointers.delete(event.pointerId) && wasTap && event.button === 0) view.toggle();
  };
  stage.addEventListener("pointerup", release);
  stage.addEventListener("pointercancel", release);
  stage.addEventListener("contextmenu", (event) => event.preventDefault());
  const zoom = (event) => {
    // In an embedded movie, the wheel scrolls the page until the reader clicks on the movie.
    if (embedded() && !document.hasFocus()) return;
    event.preventDefault();
    const pixels = event.deltaY * [1, 16, 400][event.deltaMode]; // given in pixels, lines or pages
    view.camera.zoomBy(Math.exp(-pixels / 600));
    view.touch();
  };
  stage.addEventListener("wheel", zoom, { passive: false });
}

// Hides the controls while the movie plays and the pointer rests.
function hideWhenIdle(view) {
  const silent = 2500; // ms
  let timer = 0;
  const wake = () => {
    document.body.classList.remove("idle");
    clearTimeout(timer);
    timer = setTimeout(() => document.body.classList.toggle("idle", view.playing), silent);
  };
  for (const event of ["pointermove", "pointerdown", "keydown", "focusin", "wheel"])
    document.addEventListener(event, wake);
  wake();
}
