/// \file
/// The leapfrog integrator, kick-drift-kick.
///
/// A step of length h: half a kick v += a h/2, a drift x += v h, new forces, half a kick. Second
/// order, symplectic and time-reversible (Verlet 1967); one force evaluation a step.
#pragma once

#include "cuda/device_array.hpp"
#include "cuda/real.hpp"

namespace nbody {

/// \p velocity after a kick of length \p time; w is 0.
template <class Real4, class Real>
__host__ __device__ inline Real4 kicked(Real4 velocity, Real4 acceleration, Real time) {
  return {velocity.x + acceleration.x * time, velocity.y + acceleration.y * time,
          velocity.z + acceleration.z * time, 0};
}

/// \p body after a drift of length \p time; w, its mass, stays.
template <class Real4, class Real>
__host__ __device__ inline Real4 drifted(Real4 body, Real4 velocity, Real time) {
  return {body.x + velocity.x * time, body.y + velocity.y * time, body.z + velocity.z * time,
          body.w};
}

/// The kick that is due from the step before, half a kick and the drift, in one kernel: what ends a
/// step and what begins the next are from the same accelerations.
/// \param bodies         x, y, z, mass; length count
/// \param velocities     x, y, z, 0; length count
/// \param accelerations  x, y, z, ignored; length count
/// \param kickDue        half the step before, or 0
/// \param timeStep       h, in the scene's unit of time; negative runs backwards
template <class Real4>
void kickDrift(DeviceArray<Real4>& bodies, DeviceArray<Real4>& velocities,
               const DeviceArray<Real4>& accelerations, double kickDue, double timeStep);

/// A kick of length \p time, which ends a step where no other follows.
template <class Real4>
void kick(DeviceArray<Real4>& velocities, const DeviceArray<Real4>& accelerations, double time);

}  // namespace nbody
