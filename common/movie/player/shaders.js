// GLSL. Positions are in a texture, each frame in whole rows, so that any moment can be drawn.
// After the last place the first one follows, so that a live view can keep the newest frames.

const POSITIONS = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D positions;  // 16-bit numbers within the frame's box
uniform sampler2D boxes;  // row k: corner and step of frame k
uniform ivec4 table;  // texels per row, rows per frame, frames, place of the first frame
uniform float frameTime;  // between two frames
uniform mat3 rotation;
uniform vec3 target;
uniform float eyeDistance;
uniform vec2 lens;  // focal length, in half widths and half heights
uniform vec2 speeds;  // of slow and fast bodies
uniform sampler2D shades;  // if shaded: one per body, from 0 to 1 along the ramp
uniform bool shaded;
uniform vec4 ramp[5];
uniform int parts;  // 0: colours show speed
uniform int ends[16];  // first body after each part
uniform vec4 colours[16];

vec3 placeIn(int body, int frame) {
  int k = (table.w + clamp(frame, 0, table.z - 1)) % textureSize(boxes, 0).y;
  uvec3 numbers = texelFetch(positions, ivec2(body % table.x, k * table.y + body / table.x), 0).rgb;
  vec3 low = texelFetch(boxes, ivec2(0, k), 0).xyz, step = texelFetch(boxes, ivec2(1, k), 0).xyz;
  return low + vec3(numbers) * step;
}

// Between frames bodies follow a curve through the four nearest ones (Catmull and Rom 1974).
vec3 placeAt(int body, float moment, out float speed) {
  int k = int(floor(moment));
  float t = moment - float(k);
  vec3 b = placeIn(body, k), c = placeIn(body, k + 1);
  // Before the first and after the last frame they go straight.
  vec3 a = k > 0 ? placeIn(body, k - 1) : 2.0 * b - c;
  vec3 d = k + 2 < table.z ? placeIn(body, k + 2) : 2.0 * c - b;
  vec3 v = 0.5 * (c - a), w = 0.5 * (d - b);
  vec3 square = 3.0 * (c - b) - 2.0 * v - w, cube = 2.0 * (b - c) + v + w;
  speed = length(v + t * (2.0 * square + 3.0 * t * cube)) / frameTime;
  return b + t * (v + t * (square + t * cube));
}

vec3 colourOf(int body, float speed) {
  if (parts > 0) {
    for (int i = 0; i < parts; ++i)
      if (body < ends[i]) return colours[i].rgb * colours[i].a;
    return vec3(0.6);
  }
  float share = (speed - speeds.x) / (speeds.y - speeds.x);
  if (shaded) share = texelFetch(shades, ivec2(body % table.x, body / table.x), 0).r;
  float place = 4.0 * clamp(share, 0.0, 1.0);
  int k = min(int(place), 3);
  return mix(ramp[k].rgb, ramp[k + 1].rgb, place - float(k));
}

// Behind the viewer w is negative, and the body is clipped.
vec4 projected(vec3 place) {
  vec3 p = rotation * (place - target);
  return vec4(p.xy * lens, 0.0, eyeDistance - p.z);
}
`;

const POINT_VERTEX = `${POSITIONS}
uniform float moment;
uniform float size;  // diameter in pixels at distance 1
uniform vec2 sizes;  // smallest and largest
uniform float light;
out vec3 colour;
void main() {
  float speed;
  vec3 place = placeAt(gl_VertexID, moment, speed);
  gl_Position = projected(place);
  float wanted = size / gl_Position.w;
  gl_PointSize = clamp(wanted, sizes.x, sizes.y);
  // A far body fades, because its light would fall on less than one pixel. A near one spreads.
  float share = min(wanted / gl_PointSize, 1.0);
  colour = colourOf(gl_VertexID, speed) * light * share * share;
}
`;

const FRAGMENT = `#version 300 es
precision highp float;
out vec4 pixel;
`;

const POINT_FRAGMENT = `${FRAGMENT}
in vec3 colour;
void main() {
  vec2 p = 2.0 * gl_PointCoord - 1.0;
  float r = dot(p, p);
  // A bright core in a faint haze. Many bodies together become a cloud.
  float haze = exp(-4.5 * r), third = haze * haze * haze;
  float glow = third * third * third + 0.11 * (haze - exp(-4.5));
  pixel = vec4(colour * max(glow, 0.0), 1.0);
}
`;

// Instance: a body; vertex: a moment of its past path.
const TRAIL_VERTEX = `${POSITIONS}
uniform float moment;
uniform float span;  // in frames
uniform bool whole;  // true: vertices only on frames
uniform int vertices;
uniform float light;
out vec3 colour;
void main() {
  float age = float(gl_VertexID) / float(vertices - 1);
  float then = max(moment - age * span, 0.0), speed;
  vec3 place = placeAt(gl_InstanceID, whole ? round(then) : then, speed);
  gl_Position = projected(place);
  colour = colourOf(gl_InstanceID, speed) * light * (1.0 - age) * (1.0 - age);
}
`;

const TRAIL_FRAGMENT = `${FRAGMENT}
in vec3 colour;
void main() { pixel = vec4(colour, 1.0); }
`;

// One triangle that covers the whole picture.
const SCREEN_VERTEX = `#version 300 es
void main() {
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
`;

// Turns light into a colour, on a logarithmic scale up to the brightest place, so that centres keep their shape. Bright places
// whiten. Noise of one step of eight bits hides bands in the dark (interleaved gradient noise, Jimenez 2014).
const SCREEN_FRAGMENT = `${FRAGMENT}
uniform sampler2D picture;
uniform float brightest;
void main() {
  ivec2 place = ivec2(gl_FragCoord.xy);
  vec3 light = texelFetch(picture, place, 0).rgb;
  float most = max(max(light.r, light.g), max(light.b, 1e-6));
  float share = min(log(1.0 + 40.0 * most) / log(1.0 + 40.0 * brightest), 1.0);
  vec3 shown = share * mix(light / most, vec3(1.0), 0.85 * share * share * share);
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  vec3 ground = vec3(0.012, 0.018, 0.034);
  pixel = vec4(ground + (1.0 - ground) * shown + (noise - 0.5) / 255.0, 1.0);
}
`;
