/// \file
/// The distributions of cuRAND's generators for kernels: behind curand_kernel.h.
#pragma once

// Uniform ones leave 0 out and have 1.
template <class State>
NBODY_ALWAYS_INLINE float curand_uniform(State* state) {
  return static_cast<float>(curand(state)) * 0x1p-32f + 0x1p-33f;
}
namespace nbody::executor {
template <class State>
NBODY_ALWAYS_INLINE double uniformOf53Bits(State* state) {
  const unsigned long long low = curand(state), high = curand(state);
  return static_cast<double>(low ^ high << 21) * 0x1p-53 + 0x1p-54;
}
}  // namespace nbody::executor
template <class State>
NBODY_ALWAYS_INLINE double curand_uniform_double(State* state) {
  return nbody::executor::uniformOf53Bits(state);
}
NBODY_ALWAYS_INLINE double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;  // of one number, as cuRAND's
}
template <class State>
NBODY_ALWAYS_INLINE float4 curand_uniform4(State* state) {
  const float a = curand_uniform(state), b = curand_uniform(state), c = curand_uniform(state);
  return {a, b, c, curand_uniform(state)};
}

// Normal ones are Box and Muller's, two at a time.
template <class State>
NBODY_ALWAYS_INLINE float2 curand_normal2(State* state) {
  const float length = sqrtf(-2 * logf(curand_uniform(state)));
  const float angle = 2 * curand_uniform(state);
  return {length * sinpif(angle), length * cospif(angle)};
}
template <class State>
NBODY_ALWAYS_INLINE double2 curand_normal2_double(State* state) {
  const double length = sqrt(-2 * log(nbody::executor::uniformOf53Bits(state)));
  const double angle = 2 * nbody::executor::uniformOf53Bits(state);
  return {length * sinpi(angle), length * cospi(angle)};
}
template <class State>
NBODY_ALWAYS_INLINE float curand_normal(State* state) {
  if (state->hasNormal != 0) {
    state->hasNormal = 0;
    return state->normal;
  }
  const float2 both = curand_normal2(state);
  state->hasNormal = 1;
  state->normal = both.y;
  return both.x;
}
template <class State>
NBODY_ALWAYS_INLINE double curand_normal_double(State* state) {
  return curand_normal2_double(state).x;
}
template <class State>
NBODY_ALWAYS_INLINE float4 curand_normal4(State* state) {
  const float2 a = curand_normal2(state), b = curand_normal2(state);
  return {a.x, a.y, b.x, b.y};
}
template <class State>
NBODY_ALWAYS_INLINE float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <class State>
NBODY_ALWAYS_INLINE double curand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
