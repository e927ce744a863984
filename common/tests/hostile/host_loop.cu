// Kind: work of the host
// Tries: no kernel: the forces by the suite's own host loop, which it links.
// Stopped by: the linker: a submission's process has no reference.
#include <cmath>

#include "honest.hpp"
#include "physics/reference.hpp"

void answer(Call call) {
  const std::vector<real4> bodies = call.bodies.download();
  Bodies all;
  for (const real4& b : bodies) all.add({b.x, b.y, b.z, b.w}, {0, 0, 0, 0});
  const double softening = std::sqrt(static_cast<double>(call.softeningSquared));
  std::vector<real4> forces;
  const int count = static_cast<int>(bodies.size());
  for (const Double4& a : referenceAccelerations(all, softening, sampleOf(count, count)))
    forces.push_back({static_cast<real>(a.x), static_cast<real>(a.y), static_cast<real>(a.z), 0});
  call.accelerations.upload(forces);
}
