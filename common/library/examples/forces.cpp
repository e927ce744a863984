// Computes the accelerations of bodies in a cube with step 06's tree on the host, and their errors.
#include <nbody_ladder.h>

#include <cstdio>
#include <memory>
#include <random>
#include <vector>

int main() {
  constexpr int kCount = 10000;
  constexpr double kSoftening = 0.01;
  std::mt19937 random;
  std::uniform_real_distribution<float> coordinate(-1, 1);
  std::vector<float> positions(3 * kCount), masses(kCount, 1.0f / kCount),
      accelerations(3 * kCount);
  for (float& x : positions) x = coordinate(random);

  const std::unique_ptr<nbody_method, void (*)(nbody_method*)> method(
      nbody_new("host_tree", NBODY_FP32, kSoftening, "theta=0.4"), nbody_free);
  nbody_errors errors;
  if (!method ||
      nbody_accelerations(method.get(), kCount, positions.data(), masses.data(),
                          accelerations.data(), nullptr, nullptr) != NBODY_OK ||
      nbody_error(NBODY_FP32, kCount, positions.data(), masses.data(), accelerations.data(),
                  kSoftening, nullptr, &errors) != NBODY_OK) {
    std::fprintf(stderr, "%s\n", nbody_last_error());
    return 1;
  }
  std::printf("median error %.0e, %d bodies compared\n", errors.median, errors.sampled);
}
