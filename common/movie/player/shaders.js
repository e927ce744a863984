// GLSL. Positions lie in a texture, a frame in whole rows of it, so that any moment is at hand. After
// the last place comes the first again, so that a live view can keep the newest frames.

const POSITIONS = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D positions;  // 16-bit numbers within the frame's box
uniform sampler2D boxes;  // row k: corner and step of frame k
uniform ivec4 table;  // texels in a row, rows in a frame, frames, place of the first of them
uniform float frameTime;  // from a frame to the next
uniform mat3 rotation;
uniform vec3 target;
uniform float eyeDistance;
uniform vec2 lens;  // focal length, in half widths and half heights
uniform vec2 speeds;  // of the slow and the fast
uniform sampler2D shades;  // where shaded: of each body, from 0 to 1 along the ramp
uniform bool shaded;
uniform vec4 ramp[5];
uniform int parts;  // 0 where colour is by speed
uniform int ends[16];  // first body after each part
uniform vec4 colours[16];

vec3 placeIn(int body, int frame) {
  int k = (table.w + clamp(frame, 0, table.z - 1)) % textureSize(boxes, 0).y;
  uvec3 numbers = texelFetch(positions, ivec2(body % table.x, k * table.y + body / table.x), 0).rgb;
  vec3 low = texelFetch(boxes, ivec2(0, k), 0).xyz, step = texelFetch(boxes, ivec2(1, k), 0).xyz;
  return low + vec3(numbers) * step;
}

// Between frames bodies move along a curve through the four about them (Catmull and Rom 1974).
vec3 placeAt(int body, float moment, out float speed) {
  int k = int(floor(moment));
  float t = moment - float(k);
  vec3 b = placeIn(body, k), c = placeIn(body, k + 1);
  // Beyond the first and the last frame they go on straight.
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

// Behind the viewer w is negative, and so cut away.
vec4 projected(vec3 place) {
  vec3 p = rotation * (place - target);
  return vec4(p.xy * lens, 0.0, eyeDistance - p.z);
}
`;

const POINT_VERTEX = `${POSITIONS}
uniform float moment;
uniform float size;  // diameter in pixels of a body at distance 1
uniform vec2 sizes;  // least and most
uniform float light;
out vec3 colour;
void main() {
  float speed;
  vec3 place = placeAt(gl_VertexID, moment, speed);
  gl_Position = projected(place);
  float wanted = size / gl_Position.w;
  gl_PointSize = clamp(wanted, sizes.x, sizes.y);
  // Far away the same light would fall on fewer pixels than one: it fades. Near by it spreads.
  float share = min(wanted / gl_PointSize, 1.0);
  colour = colourOf(gl_VertexID, speed) * light * share * share;
}
`;

const POINT_FRAGMENT = `#version 300 es
precision highp float;
in vec3 colour;
out vec4 pixel;
void main() {
  vec2 p = 2.0 * gl_PointCoord - 1.0;
  float r = dot(p, p);
  // A core in a faint haze, which many bodies together make a cloud.
  float haze = exp(-4.5 * r), third = haze * haze * haze;
  float glow = third * third * third + 0.11 * (haze - exp(-4.5));
  pixel = vec4(colour * max(glow, 0.0), 1.0);
}
`;

// Instance: a body; vertex: a moment on the way that it came.
const TRAIL_VERTEX = `${POSITIONS}
uniform float moment;
uniform float span;  // frames
uniform bool whole;  // no place between two frames
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

const TRAIL_FRAGMENT = `#version 300 es
precision highp float;
in vec3 colour;
out vec4 pixel;
void main() { pixel = vec4(colour, 1.0); }
`;

// One triangle over the whole picture.
const SCREEN_VERTEX = `#version 300 es
void main() {
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
`;

// Light without bound becomes a colour: dense places whiten and do not burn out. Noise of a step of
// eight bits keeps the dark from showing bands (interleaved gradient noise, Jimenez 2014).
const SCREEN_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D picture;
out vec4 pixel;
void main() {
  ivec2 place = ivec2(gl_FragCoord.xy);
  vec3 light = texelFetch(picture, place, 0).rgb;
  float most = max(max(light.r, light.g), max(light.b, 1e-6));
  light *= pow(most, -0.3);  // the faint is lifted, the dense held back
  most = pow(most, 0.7);
  // Half keeps its hue, half goes white.
  vec3 shown = mix(light / most * (1.0 - exp(-most)), 1.0 - exp(-light), 0.5);
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  vec3 ground = vec3(0.012, 0.018, 0.034);
  pixel = vec4(ground + (1.0 - ground) * shown + (noise - 0.5) / 255.0, 1.0);
}
`;
