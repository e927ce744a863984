// Keys, mouse and touch.

function connectKeys(player) {
  const keys = {
    " ": () => player.toggle(),
    ArrowLeft: () => player.stepBy(-1),
    ArrowRight: () => player.stepBy(1),
    ArrowUp: () => chooseNext(element("speed"), 1),
    ArrowDown: () => chooseNext(element("speed"), -1),
    Home: () => player.seek(0),
    End: () => player.seek(player.last),
    r: () => player.camera.reset(),
    f: toggleFullScreen,
    t: () => {
      const trails = element("trails");
      chooseNext(trails, trails.selectedIndex + 1 < trails.length ? 1 : -trails.length);
    },
    c: () => colourBy(player, !player.byPart),
    "+": () => player.camera.zoomBy(1.2),
    "-": () => player.camera.zoomBy(1 / 1.2),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName } = event.target;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    // A list and a button that has the focus keep their own keys.
    if (!act || tagName === "SELECT" || (tagName === "BUTTON" && event.key === " ")) return;
    event.preventDefault();
    act();
    player.touch();
  });
}

function embedded() {
  return window.parent !== window;
}

// One pointer turns the view, or moves it with the right button or shift; two zoom and move it.
function connectPointers(stage, player) {
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
      player.camera.zoomBy(spread() / Math.max(1, apart));
      player.camera.pan(dx / shorter / 2, dy / shorter / 2); // each finger moves it half
    } else if (event.buttons & 2 || event.shiftKey) {
      player.camera.pan(dx / shorter, dy / shorter);
    } else {
      player.camera.orbit((Math.PI * dx) / shorter, (-Math.PI * dy) / shorter);
    }
    player.touch();
  });
  const release = (event) => {
    const wasTap = pointers.size === 1 && travelled < 6 && event.type === "pointerup";
    if (pointers.delete(event.pointerId) && wasTap && event.button === 0) player.toggle();
  };
  stage.addEventListener("pointerup", release);
  stage.addEventListener("pointercancel", release);
  stage.addEventListener("contextmenu", (event) => event.preventDefault());
  const zoom = (event) => {
    // Within a page the wheel scrolls that, until somebody clicks on the movie.
    if (embedded() && !document.hasFocus()) return;
    event.preventDefault();
    const pixels = event.deltaY * [1, 16, 400][event.deltaMode]; // given in pixels, lines or pages
    player.camera.zoomBy(Math.exp(-pixels / 600));
    player.touch();
  };
  stage.addEventListener("wheel", zoom, { passive: false });
}

// While it plays and nobody moves, the controls are out of the way.
function hideWhenIdle(player) {
  const silent = 2500; // ms
  let timer = 0;
  const wake = () => {
    document.body.classList.remove("idle");
    clearTimeout(timer);
    timer = setTimeout(() => document.body.classList.toggle("idle", player.playing), silent);
  };
  for (const event of ["pointermove", "pointerdown", "keydown", "focusin", "wheel"])
    document.addEventListener(event, wake);
  wake();
}
