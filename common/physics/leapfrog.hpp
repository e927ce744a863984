/// \file
/// The leapfrog integrator, kick-drift-kick.
///
/// A time step of length h: half a kick v += a h/2, a drift x += v h, new forces, half a kick. Second order,
/// symplectic and time-reversible (Verlet 1967); one force evaluation per time step.
#pragma once

#include "cuda/device_array.hpp"
#include "cuda/real.hpp"

namespace nbody {

/// Returns \p velocity after a kick of length \p time; w is 0.
template <class Real4, class Real>
__host__ __device__ inline Real4 kicked(Real4 velocity, Real4 acceleration, Real time) {
  return {velocity.x + acceleration.x * time, velocity.y + acceleration.y * time,
          velocity.z + acceleration.z * time, 0};
}

/// Returns \p body after a drift of length \p time; w, its mass, stays.
template <class Real4, class Real>
__host__ __device__ inline Real4 drifted(Real4 body, Real4 velocity, Real time) {
  return {body.x + velocity.x * time, body.y + velocity.y * time, body.z + velocity.z * time,
          body.w};
}

/// Gives the kick that the previous time step still needs, half a kick and the drift, in one kernel. The kick that
/// ends a time step and the one that begins the next use the same accelerations.
/// \param bodies         x, y, z, mass; length count
/// \param velocities     x, y, z, 0; length count
/// \param accelerations  x, y, z, ignored; length count
/// \param kickDue        half the length of the previous time step, or 0
/// \param timeStep       h, in the scene's unit of time; negative runs backwards
template <class Real4>
void kickDrift(DeviceArray<Real4>& bodies, DeviceArray<Real4>& velocities,
               const DeviceArray<Real4>& accelerations, double kickDue, double timeStep);

/// Gives a kick of length \p time, which ends a time step if no other follows. Arguments as for kickDrift().
template <class Real4>
void kick(DeviceArray<Real4>& velocities, const DeviceArray<Real4>& accelerations, double time);

}  // namespace nbody
