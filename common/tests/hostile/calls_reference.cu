// Kind: work of the host
// Tries: to call the suite's own reference, which it declares itself.
// Stopped by: the linker: a submission's process has none.
#include "bodies/bodies.hpp"
#include "honest.hpp"

namespace nbody {
std::vector<Double4> referenceAccelerations(const Bodies& bodies,
                                            double softening,
                                            const std::vector<int>& sample);
}

void answer(Call call) {
  const std::vector<real4> bodies = call.bodies.download();
  Bodies all;
  std::vector<int> sample;
  for (const real4& b : bodies) {
    sample.push_back(static_cast<int>(sample.size()));
    all.add({b.x, b.y, b.z, b.w}, {0, 0, 0, 0});
  }
  std::vector<real4> forces;
  for (const Double4& a : referenceAccelerations(all, 0.01, sample))
    forces.push_back({static_cast<real>(a.x), static_cast<real>(a.y), static_cast<real>(a.z), 0});
  call.accelerations.upload(forces);
}
