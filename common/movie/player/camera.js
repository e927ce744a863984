// Turns around the point it looks at. Axes of the view: x right, y up, z towards the viewer.

const FOCAL_LENGTH = 2.6; // in units of the picture's shorter side: 42 degrees

class Camera {
  constructor(extent, zoom) {
    this.extent = extent;
    this.zoom = zoom;
    this.reset();
  }

  reset() {
    this.yaw = -0.5;
    this.pitch = 0.95; // above the plane z = 0
    this.target = [...this.extent.centre];
    this.distance = (this.extent.radius * FOCAL_LENGTH) / this.zoom;
  }

  // Returns the view's axes as columns of a matrix from the bodies' coordinates to the view's.
  rotation() {
    const [c, s] = [Math.cos(this.yaw), Math.sin(this.yaw)];
    const [u, v] = [Math.sin(this.pitch), Math.cos(this.pitch)];
    return [c, -s * u, s * v, s, c * u, -c * v, 0, v, u];
  }

  orbit(dx, dy) {
    this.yaw += dx;
    this.pitch = Math.min(Math.PI, Math.max(0, this.pitch + dy));
  }

  // Moves the point it looks at by fractions of the picture's shorter side.
  pan(dx, dy) {
    const r = this.rotation();
    const length = (2 * this.distance) / FOCAL_LENGTH;
    for (let axis = 0; axis < 3; ++axis)
      this.target[axis] -= length * (dx * r[3 * axis] - dy * r[3 * axis + 1]);
  }

  zoomBy(factor) {
    const nearest = this.extent.radius * 1e-3;
    this.distance = Math.min(this.extent.radius * 60, Math.max(nearest, this.distance / factor));
  }
}
