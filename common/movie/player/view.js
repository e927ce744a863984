// How the bodies are viewed. After a change call touch(), so that the next picture shows it.

class View {
  constructor(camera, parts) {
    this.camera = camera;
    this.parts = parts;
    this.trails = 0;
    this.byPart = parts.length > 0;
    this.changed = true;
  }

  touch() {
    this.changed = true;
  }

  // Pixels of the picture per pixel of the page.
  get pixels() {
    return Math.min(2, window.devicePixelRatio || 1);
  }

  shownParts() {
    if (!this.byPart) return [];
    return this.parts.map((part) => ({ ...part, light: part.shown ? part.light : 0 }));
  }
}

// Calls before(seconds since the last call) for each picture of the screen, and draw() if the view
// has changed.
function animate(renderer, view, before, draw) {
  const stage = renderer.gl.canvas;
  let last = performance.now();
  const show = (now) => {
    requestAnimationFrame(show);
    before(Math.min(0.1, (now - last) / 1000)); // no jump after the page was paused
    last = now;
    if (!view.changed) return;
    view.changed = false;
    const sides = [stage.clientWidth, stage.clientHeight];
    renderer.resize(...sides.map((side) => Math.max(1, Math.round(side * view.pixels))));
    draw();
  };
  window.addEventListener("resize", () => view.touch());
  requestAnimationFrame(show);
}

// Returns a context for the renderer; null if the browser has no WebGL 2.
function makeContext(stage) {
  const gl = stage.getContext("webgl2", { alpha: false, antialias: false, depth: false });
  const lost = () => notify("The GPU was taken away: load the page again.");
  stage.addEventListener("webglcontextlost", lost);
  return gl;
}
