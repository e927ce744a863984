// Draws a moment with WebGL 2: bodies add their light in a picture of 16-bit floats, which then
// becomes colours.

// Colours from slow to fast.
const RAMP = ["#2140d9", "#3880ff", "#9eb8fa", "#ffc273", "#ff8038"];

class Renderer {
  constructor(gl) {
    this.gl = gl;
    this.mostTexels = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    this.points = makeProgram(gl, POINT_VERTEX, POINT_FRAGMENT);
    this.trails = makeProgram(gl, TRAIL_VERTEX, TRAIL_FRAGMENT);
    this.screen = makeProgram(gl, SCREEN_VERTEX, SCREEN_FRAGMENT);
    // Phones often support only the second.
    const halves = ["EXT_color_buffer_float", "EXT_color_buffer_half_float"];
    this.lightFormat = halves.some((name) => gl.getExtension(name)) ? gl.RGBA16F : gl.RGBA8;
    this.target = gl.createFramebuffer();
    gl.bindVertexArray(gl.createVertexArray()); // the shaders read textures only
    gl.blendFunc(gl.ONE, gl.ONE);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  }

  mostFrames(count) {
    return Math.floor(this.mostTexels / Math.ceil(count / this.mostTexels));
  }

  // Makes room for so many frames of so many bodies, and drops earlier ones.
  reserve(count, places) {
    const gl = this.gl;
    for (const name of ["shades", "positions", "boxes"]) gl.deleteTexture(this[name] ?? null);
    this.count = count;
    this.width = Math.min(count, this.mostTexels);
    this.rows = Math.ceil(count / this.width);
    this.texels = new Uint16Array(3 * this.width * this.rows);
    this.shades = makeTexture(gl, gl.R8, this.width, this.rows);
    this.positions = makeTexture(gl, gl.RGB16UI, this.width, this.rows * places);
    this.boxes = makeTexture(gl, gl.RGBA32F, 2, places);
    this.shaded = false;
  }

  // Draws these moments from now on. The first one is at the given place.
  holds(moments, first = 0) {
    this.frames = moments.length;
    this.first = first;
    this.frameTime = moments[1]?.time - moments[0]?.time || 1;
  }

  // Coordinates are relative to the origin, so that 24 bits are enough.
  upload(place, { low, step }, origin, numbers) {
    const gl = this.gl;
    const corner = [0, 1, 2].map((axis) => low[axis] - origin[axis]);
    const box = new Float32Array([...corner, 0, ...step, 0]);
    gl.bindTexture(gl.TEXTURE_2D, this.boxes);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, place, 2, 1, gl.RGBA, gl.FLOAT, box);
    this.texels.set(numbers); // the rest of the last row stays empty
    gl.bindTexture(gl.TEXTURE_2D, this.positions);
    const rows = [0, place * this.rows, this.width, this.rows];
    gl.texSubImage2D(gl.TEXTURE_2D, 0, ...rows, gl.RGB_INTEGER, gl.UNSIGNED_SHORT, this.texels);
  }

  // A byte per body; null: colours show speed or parts.
  shade(bytes) {
    const gl = this.gl;
    this.shaded = bytes !== null;
    if (!this.shaded) return;
    const texels = new Uint8Array(this.width * this.rows);
    texels.set(bytes);
    gl.bindTexture(gl.TEXTURE_2D, this.shades);
    const all = [0, 0, this.width, this.rows];
    gl.texSubImage2D(gl.TEXTURE_2D, 0, ...all, gl.RED, gl.UNSIGNED_BYTE, texels);
  }

  resize(width, height) {
    const gl = this.gl;
    if (gl.canvas.width === width && gl.canvas.height === height && this.light) return;
    [gl.canvas.width, gl.canvas.height] = [width, height];
    gl.deleteTexture(this.light ?? null);
    this.light = makeTexture(gl, this.lightFormat, width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.light, 0);
  }

  // what: { moment, camera, origin, extent, parts, trail: { span, vertices, whole } },
  // span in frames
  draw(what) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.viewport(0, 0, gl.canvas.width, gl.canvas.height);
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    if (what.trail.span > 0) this.drawTrails(what);
    this.drawPoints(what);
    gl.disable(gl.BLEND);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.useProgram(this.screen.program);
    bindTexture(gl, 0, this.light);
    gl.uniform1i(this.screen.at("picture"), 0);
    gl.uniform1f(this.screen.at("brightest"), this.brightest());
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  // Returns the light that becomes white: a body alone has up to 3, and many bodies cover each other. A picture of eight bits holds 1.
  brightest() {
    return this.lightFormat === this.gl.RGBA8 ? 1 : Math.min(300, 3 + 0.3 * this.count);
  }

  drawPoints(what) {
    const { gl, points, count } = this;
    const shorter = Math.min(gl.canvas.width, gl.canvas.height);
    this.useScene(points, what);
    // Many bodies are small and faint, few are large and bright; none gets larger near the viewer.
    const few = Math.min(1, 40 / count);
    const ratio = gl.canvas.width / gl.canvas.clientWidth;
    const reach = what.extent.radius * (0.018 + 0.055 / Math.cbrt(count) + 0.05 * few);
    gl.uniform1f(points.at("size"), reach * FOCAL_LENGTH * shorter);
    gl.uniform2f(points.at("sizes"), (5 + 24 * few) * ratio, (160 - 120 * few) * ratio);
    const room = (shorter / ratio) ** 2 / count;
    gl.uniform1f(points.at("light"), Math.min(3, 0.16 * Math.pow(room, 0.35)));
    gl.drawArrays(gl.POINTS, 0, count);
  }

  drawTrails(what) {
    const { gl, trails, count } = this;
    this.useScene(trails, what);
    const { span, vertices, whole } = what.trail;
    gl.uniform1f(trails.at("span"), span);
    gl.uniform1i(trails.at("vertices"), vertices);
    gl.uniform1i(trails.at("whole"), whole);
    gl.uniform1f(trails.at("light"), Math.min(0.8, 8 / Math.sqrt(count)));
    gl.drawArraysInstanced(gl.LINE_STRIP, 0, vertices, count);
  }

  useScene({ program, at }, { moment, camera, origin, extent, parts }) {
    const gl = this.gl;
    const { width, height } = gl.canvas;
    const shorter = Math.min(width, height);
    gl.useProgram(program);
    ["positions", "boxes", "shades"].forEach((name, unit) => {
      bindTexture(gl, unit, this[name]);
      gl.uniform1i(at(name), unit);
    });
    gl.uniform1i(at("shaded"), this.shaded);
    gl.uniform4i(at("table"), this.width, this.rows, this.frames, this.first);
    gl.uniform1f(at("moment"), moment);
    gl.uniform1f(at("frameTime"), this.frameTime);
    gl.uniformMatrix3fv(at("rotation"), false, camera.rotation());
    gl.uniform3fv(at("target"), camera.target.map((value, axis) => value - origin[axis]));
    gl.uniform1f(at("eyeDistance"), camera.distance);
    gl.uniform2f(at("lens"), (FOCAL_LENGTH * shorter) / width, (FOCAL_LENGTH * shorter) / height);
    gl.uniform2f(at("speeds"), extent.slow, extent.fast);
    gl.uniform4fv(at("ramp"), RAMP.flatMap((colour) => [...lightOf(colour), 1]));
    gl.uniform1i(at("parts"), parts.length);
    if (parts.length === 0) return;
    gl.uniform1iv(at("ends"), parts.map((part) => part.first + part.count));
    gl.uniform4fv(at("colours"), parts.flatMap((part) => [...lightOf(part.colour), part.light]));
  }
}
