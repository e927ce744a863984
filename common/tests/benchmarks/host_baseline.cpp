// How fast the host baseline simd is compared with the serial one.
#include <thread>

#include "benchmark.hpp"
#include "bodies/scenes.hpp"
#include "bodies/vectors.hpp"
#include "measure/timing.hpp"
#include "physics/baselines.hpp"

using namespace nbody;

TEST_CASE("the simd baseline is at least 7 times as fast as the serial one") {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return skipTest("needs AVX2 and FMA");
#else
  return skipTest("the factor is for AVX2");
#endif
  if (std::thread::hardware_concurrency() < 2) return skipTest("needs two cores");
  const std::vector<float4> bodies = converted<float4>(makePlummer(8192, 1).positions);
  std::vector<float4> accelerations;
  // The least of several runs: others use this machine too.
  const double serial = timeOnHost([&] { serialForces(bodies, 1e-4f, accelerations); }, 5).min;
  const double simd = timeOnHost([&] { simdForces(bodies, 1e-4f, accelerations); }, 20).min;
  atLeast("simd, compared with serial", serial / simd, 7, "times");
}
