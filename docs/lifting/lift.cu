/// \file
/// Uses a step's forces in your own program: positions and masses go in, accelerations come out, and a hundred of them
/// are compared with direct sums. The page library.md has the command for each step.
#include <cmath>
#include <cstdio>
#include <random>

#include "driver/step_forces.hpp"

using namespace nbody;
using namespace nbody::NBODY_STEP_NAMESPACE;  // of the step, for example nbody::fmm

int main() {
  constexpr int kCount = 100000;
  constexpr real kSoftening = real(0.01);
  std::mt19937 random(1);
  std::normal_distribution<real> normal;
  std::vector<real4> bodies(kCount);  // x, y, z, mass
  for (real4& body : bodies)
    body = {normal(random), normal(random), normal(random), real(1) / kCount};

  Options options;  // the step's own, for example options.theta = 0.4
  options.resolve({kCount, true, multiprocessors()});
  DeviceArray<real4> onDevice(kCount, "bodies"), accelerations(kCount, "accelerations");
  onDevice.upload(bodies);
  StepForces forces;  // keeps the step's memory, as in a simulation from step to step
  do forces.compute(onDevice, kSoftening * kSoftening, options, accelerations);
  while (forces.lackedMemory());

  const std::vector<real4> found = accelerations.download();
  double worst = 0;
  for (int i = 0; i < kCount; i += kCount / 100) {
    double a[3] = {};
    for (const real4& b : bodies) {
      const double r[] = {
          double(b.x) - bodies[i].x, double(b.y) - bodies[i].y, double(b.z) - bodies[i].z};
      const double s =
          b.w * std::pow(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + kSoftening * kSoftening, -1.5);
      for (int k = 0; k < 3; ++k) a[k] += s * r[k];
    }
    worst = std::fmax(worst,
                      std::hypot(found[i].x - a[0], found[i].y - a[1], found[i].z - a[2]) /
                          std::hypot(a[0], a[1], a[2]));
  }
  std::printf("worst relative error of 100 accelerations: %.1e\n", worst);
  return worst < 0.01 ? 0 : 1;
}
