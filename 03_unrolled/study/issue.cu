#include "study/issue.hpp"

#include <algorithm>
#include <utility>

#include "cuda/launch.hpp"
#include "study/loops.cuh"

namespace nbody {

namespace {

constexpr int kIterations = 2000;
constexpr int kWarpsPerScheduler = kBlock / 32 / 4;

const char* const kMixes[] = {"sum*s+t",
                              "x*s+sum",
                              "x*x+sum",
                              "x*y+sum",
                              "sum+x",
                              "sum*x",
                              "x*y+sum, roots",
                              "sum+x, roots",
                              "x*y+sum, loads",
                              "sum+x, loads",
                              "x*y+sum and sum+x",
                              "sum*x and sum+x"};
const char* const kChanges[] = {"step 03",
                                "a product for the root",
                                "additions for the pull's multiply-adds",
                                "no mass",
                                "operands swapped",
                                "root taken ahead"};

template <class T>
T medianOf(std::vector<T> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Launches loops, one block on each multiprocessor.
class Bench {
 public:
  Bench(int multiprocessors, int repeats)
      : blocks_(multiprocessors),
        repeats_(repeats),
        sums_(static_cast<std::size_t>(multiprocessors) * kBlock, "sums"),
        cycles_(multiprocessors, "cycles") {
    std::vector<float4> values(kTile);
    for (int i = 0; i < kTile; ++i) values[i] = {0.1f + i, 1.0f + i, 0.5f * i, 1.0f / (i + 1)};
    values_.upload(values);
  }

  template <Mix kMix, int... kSeeds>
  void addOperands(std::integer_sequence<int, kSeeds...>) {
    (add("operandLoop",
         {static_cast<int>(kMix), kSeeds},
         kMixes[static_cast<int>(kMix)],
         [&] {
           operandLoop<kMix, kSeeds><<<blocks_, kBlock, 0, stream()>>>(
               values_.data(), kIterations, sums_.data(), cycles_.data());
         }),
     ...);
  }

  template <Change... kChange>
  void addForces() {
    (addForce<kChange, 2>(), ...);
    (addForce<kChange, 4>(), ...);
  }

  std::vector<IssueLoop> loops;

 private:
  template <Change kChange, int kBodies>
  void addForce() {
    add("forceLoop",
        {static_cast<int>(kChange), kBodies},
        std::string(kChanges[static_cast<int>(kChange)]) + ", K = " + std::to_string(kBodies),
        [&] {
          forceLoop<kChange, kBodies><<<blocks_, kBlock, 0, stream()>>>(
              values_.data(), kIterations, 1e-4f, sums_.data(), cycles_.data());
        });
  }

  template <class Launch>
  void add(const std::string& kernel,
           std::vector<int> arguments,
           const std::string& what,
           const Launch& launch) {
    std::vector<long long> times;
    for (int run = 0; run <= repeats_; ++run) {  // the first is not counted: the code comes
      launch();
      CUDA_CHECK(cudaGetLastError());
      const long long median = medianOf(cycles_.download());
      if (run > 0) times.push_back(median);
    }
    loops.push_back(
        {kernel, std::move(arguments), what, kIterations, kWarpsPerScheduler, medianOf(times)});
  }

  unsigned blocks_;
  int repeats_;
  DeviceArray<float4> values_{kTile, "values"};
  DeviceArray<float> sums_;
  DeviceArray<long long> cycles_;
};

}  // namespace

std::vector<IssueLoop> measureLoops(int repeats) {
  Bench bench(multiprocessors(), repeats);
  using One = std::integer_sequence<int, 0>;
  using Few = std::integer_sequence<int, 0, 6, 25, 49>;
  using Many = std::integer_sequence<int, 0, 1, 4, 6, 9, 16, 25, 35, 39, 49, 54, 60>;
  bench.addOperands<Mix::scale>(One{});
  bench.addOperands<Mix::shared>(Few{});
  bench.addOperands<Mix::square>(Few{});
  bench.addOperands<Mix::product>(Many{});
  bench.addOperands<Mix::add>(Few{});
  bench.addOperands<Mix::multiply>(Few{});
  bench.addOperands<Mix::productRoot>(Few{});
  bench.addOperands<Mix::addRoot>(Few{});
  bench.addOperands<Mix::productLoad>(Few{});
  bench.addOperands<Mix::addLoad>(Few{});
  bench.addOperands<Mix::productAdd>(Few{});
  bench.addOperands<Mix::multiplyAdd>(Few{});
  bench.addForces<Change::none,
                  Change::productForRoot,
                  Change::addsForSums,
                  Change::noMass,
                  Change::swapped,
                  Change::rootAhead>();
  return bench.loops;
}

}  // namespace nbody
