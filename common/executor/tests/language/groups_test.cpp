// Cooperative groups on the executor: who is in one, what they exchange, compute and copy, where they wait.
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

/// The sums of four consecutive threads, taken by a function that takes any tile of four.
template <class Parent>
int sumOfFour(const cg::thread_block_tile<4, Parent>& tile, int value) {
  for (unsigned delta = tile.size() / 2; delta > 0; delta /= 2)
    value += tile.shfl_xor(value, delta);
  return value;
}

int sumByHalving(const cg::thread_group& group, int* scratch, int value) {
  const unsigned rank = static_cast<unsigned>(group.thread_rank());
  for (unsigned half = static_cast<unsigned>(group.size()) / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < half) value += scratch[rank + half];
    group.sync();
  }
  return value;
}

}  // namespace

TEST_CASE("blocks and grids know their places and sizes") {
  checkInKernel({2, 3}, {8, 4, 2}, [&](int& wrong) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::grid_group grid = cg::this_grid();
    wrong += block.size() != 64 || block.num_threads() != 64;
    wrong += block.thread_rank() != threadIdx.x + 8 * threadIdx.y + 32 * threadIdx.z;
    wrong += block.group_index().y != blockIdx.y || block.thread_index().z != threadIdx.z;
    wrong += grid.size() != 384 || grid.num_blocks() != 6;
    wrong += grid.block_rank() != blockIdx.x + 2 * blockIdx.y;
    wrong += grid.thread_rank() != 64 * grid.block_rank() + block.thread_rank();
    const cg::thread_group any = block;
    wrong += any.size() != 64 || any.thread_rank() != block.thread_rank();
  });
}

TEST_CASE("tiles of a warp shuffle, vote and match among themselves") {
  checkInKernel(1, 64, [&](int& wrong) {
    const int i = static_cast<int>(threadIdx.x), first = i / 8 * 8;
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    wrong += tile.thread_rank() != threadIdx.x % 8 || tile.size() != 8;
    wrong += tile.meta_group_rank() != threadIdx.x / 8 || tile.meta_group_size() != 8;
    wrong += tile.shfl(i, 3) != first + 3 || tile.shfl(i, 11) != first + 3;
    wrong += tile.shfl_down(i, 2) != (i % 8 < 6 ? i + 2 : i);
    wrong += tile.shfl_up(i, 2) != (i % 8 >= 2 ? i - 2 : i);
    wrong += tile.ballot(i % 8 == 5) != 1u << 5 || !tile.any(i % 8 == 5) || tile.all(i % 8 == 5);
    wrong += tile.match_any(i % 2) != (i % 2 == 0 ? 0x55u : 0xaau);
    int all = 0;
    wrong += tile.match_all(7, all) != 0xff || all == 0;
    const auto four = cg::tiled_partition<4>(tile);
    wrong += four.meta_group_rank() != threadIdx.x % 8 / 4 || four.meta_group_size() != 2;
    wrong += sumOfFour(four, i) != 4 * (i / 4 * 4) + 6;
    const cg::thread_block_tile<4> plain = four;
    wrong += plain.thread_rank() != threadIdx.x % 4;
    tile.sync();
    cg::sync(four);
  });
}

TEST_CASE("tiles of several warps meet, also where the block ends within one") {
  checkInKernel(1, 160, [&](int& wrong) {
    const int i = static_cast<int>(threadIdx.x);
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    const int first = i / 64 * 64, count = std::min(64, 160 - first);
    wrong += tile.thread_rank() != threadIdx.x % 64 || tile.meta_group_size() != 3;
    wrong += tile.shfl(i, 31) != first + 31;
    wrong += tile.any(i == 70) != (first == 64) || tile.all(i != 70) != (first != 64);
    tile.sync();
    wrong += cg::reduce(tile, i, cg::plus<int>()) != count * first + count * (count - 1) / 2;
    wrong += cg::inclusive_scan(tile, 1) != i - first + 1;
    wrong += cg::exclusive_scan(tile, i, cg::greater<int>()) != (i == first ? 0 : i - 1);
    const auto warp = cg::tiled_partition<32>(tile);
    wrong += warp.meta_group_rank() != threadIdx.x % 64 / 32 || warp.meta_group_size() != 2;
  });
}

TEST_CASE("lanes that are together, and parts of them") {
  checkInKernel(1, 64, [&](int& wrong) {
    const int i = static_cast<int>(threadIdx.x) % 32;
    if (i % 3 != 0) return;
    const cg::coalesced_group group = cg::coalesced_threads();
    wrong += group.size() != 11 || group.thread_rank() != static_cast<unsigned>(i / 3);
    wrong += group.shfl(i, 4) != 12 || group.shfl_down(i, 1) != std::min(i + 3, 30);
    wrong += group.ballot(i == 6) != 1u << 2;
    wrong += cg::reduce(group, i, cg::plus<int>()) != 165;
    const auto four = cg::tiled_partition(group, 4);
    wrong += four.size() != (i < 24 ? 4u : 3u) || four.meta_group_rank() != threadIdx.x % 32 / 12;
    const auto even = cg::binary_partition(group, i % 2 == 0);
    wrong += even.size() != (i % 2 == 0 ? 6u : 5u) || even.meta_group_size() != 2;
    const auto alike = cg::labeled_partition(group, i / 12);
    wrong += alike.size() != (i < 24 ? 4u : 3u) || alike.meta_group_size() != 3;
    wrong += alike.meta_group_rank() != static_cast<unsigned>(i / 12);
  });
}

TEST_CASE("reductions and scans work on values of any size, in the order of the ranks") {
  checkInKernel(1, 96, [&](int& wrong) {
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

TEST_CASE("a group whose kind is known at run time synchronises its own threads") {
  std::array<int, 64> scratch{};
  std::array<int, 64> sums{};
  inKernel(1, 64, [&] {
    const cg::thread_block block = cg::this_thread_block();
    const int i = static_cast<int>(threadIdx.x);
    const int whole = sumByHalving(block, scratch.data(), i);
    const cg::thread_group tile = cg::tiled_partition(block, 16);
    const int part = sumByHalving(tile, scratch.data() + i / 16 * 16, i);
    if (tile.thread_rank() == 0) sums[i] = part;
    if (i == 0) sums[1] = whole;
  });
  CHECK(sums[1] == 2016);
  CHECK(sums[48] == 16 * 48 + 120);
}
