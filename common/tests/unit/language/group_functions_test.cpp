// What cooperative groups do together on the executor: reduce, scan, copy, have one of them work.
#include "in_kernel.hpp"

#include <array>

#include "cooperative_groups.h"
#include "cooperative_groups/memcpy_async.h"
#include "cooperative_groups/reduce.h"
#include "cooperative_groups/scan.h"

using namespace nbody;
namespace cg = cooperative_groups;

namespace {

/// A value larger than a register.
struct Moments {
  double mass, x, y;
  int count;
  friend Moments operator+(const Moments& a, const Moments& b) {
    return {a.mass + b.mass, a.x + b.x, a.y + b.y, a.count + b.count};
  }
};

}  // namespace

TEST_CASE("reductions and scans work on values of any size, in the order of the ranks") {
  int wrong = 0;
  inKernel(1, 96, [&] {
    const double i = threadIdx.x;
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const double first = threadIdx.x / 32 * 32, sum = 32 * first + 496;
    const Moments own = {1, i, -i, 1};
    const Moments all = cg::reduce(warp, own, cg::plus<Moments>());
    wrong += all.count != 32 || all.x != sum || all.y != -sum;
    const Moments before = cg::exclusive_scan(warp, own, cg::plus<Moments>());
    wrong += before.count != static_cast<int>(warp.thread_rank());
    const double factor = 2;  // a lambda with something in it
    const auto scaled = [=](double a, double b) { return a + factor * b; };
    wrong += cg::inclusive_scan(warp, 1.0, scaled) != 1 + 2.0 * warp.thread_rank();
    wrong += cg::reduce(warp, threadIdx.x, cg::bit_or<unsigned>()) != (threadIdx.x | 31);
    wrong += cg::reduce(warp, i, cg::less<double>()) != first;
  });
  CHECK(wrong == 0);
}

TEST_CASE("groups copy together, in bytes or elements") {
  std::array<char, 37> from, to{};
  for (int i = 0; i < 37; ++i) from[i] = static_cast<char>(i + 1);
  std::array<double, 40> numbers, copied{};
  for (int i = 0; i < 40; ++i) numbers[i] = i;
  inKernel(1, 64, [&] {
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, to.data(), from.data(), 37);
    cg::memcpy_async(block, copied.data(), 30, numbers.data(), 40);
    cg::wait(block);
  });
  CHECK(to == from);
  CHECK(copied[29] == 29);
  CHECK(copied[30] == 0);
}
