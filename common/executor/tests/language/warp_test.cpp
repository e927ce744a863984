// CUDA's warp functions, atomics and clocks on the executor. Votes of a block are in programs/kernel_language.cu.
#include "in_kernel.hpp"

#include <array>

#include "executor/language/small_floats.hpp"

using namespace nbody;

namespace {

constexpr unsigned kAll = 0xffffffff;

/// Returns what each of \p threads threads of one block computes, the same in every order.
template <class T, class Body>
std::vector<T> fromThreads(unsigned threads, const Body& body) {
  std::vector<std::vector<T>> results;
  inEveryOrder([&] {
    results.emplace_back(threads);
    inKernel(1, threads, [&] { results.back()[threadIdx.x] = body(threadIdx.x); });
  });
  for (const std::vector<T>& result : results) CHECK(result == results.front());
  return results.front();
}

}  // namespace

TEST_CASE("lanes that meet are the active ones") {
  const auto active = fromThreads<unsigned>(48, [](unsigned i) {
    if (i % 2 == 0) return __activemask();
    return i % 4 == 1 ? __activemask() : 0u;
  });
  CHECK(active[0] == 0x55555555);
  CHECK(active[1] == 0x22222222);
  CHECK(active[34] == 0x5555);
}

TEST_CASE("matches and reductions of lanes") {
  const auto same =
      fromThreads<unsigned>(32, [](unsigned i) { return __match_any_sync(kAll, i / 8); });
  const auto ends = fromThreads<unsigned>(
      32, [](unsigned i) { return i < 4 ? __match_any_sync(0xfu, i == 2 ? 1.5 : -1.5) : 0u; });
  const auto equal = fromThreads<unsigned>(32, [](unsigned i) {
    int first, second;
    const unsigned mask = __match_all_sync(kAll, 7ull << 40, &first);
    return mask * (first != 0) + __match_all_sync(kAll, i, &second) + second;
  });
  const auto least = fromThreads<int>(
      32, [](unsigned i) { return __reduce_min_sync(kAll, 5 - static_cast<int>(i)); });
  const auto sum = fromThreads<unsigned>(32, [](unsigned i) {
    return i % 2 == 0 ? __reduce_add_sync(0x55555555u, i) : __reduce_xor_sync(0xaaaaaaaau, 1u << i);
  });
  for (unsigned i = 0; i < 32; ++i) {
    CHECK(same[i] == 0xffu << i / 8 * 8);
    CHECK(equal[i] == kAll);
    CHECK(least[i] == -26);
    CHECK(sum[i] == (i % 2 == 0 ? 240u : 0xaaaaaaaau));
  }
  CHECK(ends[2] == 4);
  CHECK(ends[3] == 0xb);
}

TEST_CASE("shuffles move values of any size, within their width") {
  struct Large {
    double x, y;
    short z;
  };
  const auto moved = fromThreads<double>(32, [](unsigned i) {
    const Large other =
        __shfl_down_sync(kAll, Large{1.0 * i, 2.0 * i, static_cast<short>(i)}, 3u, 8);
    return other.x + 100 * other.y + 10000.0 * other.z;
  });
  for (unsigned i = 0; i < 32; ++i) {
    const double from = i % 8 < 5 ? i + 3 : i;
    CHECK(moved[i] == from + 200 * from + 10000 * from);
  }
  const auto halves = fromThreads<float>(
      32, [](unsigned i) { return __half2float(__shfl_xor_sync(kAll, __half(i), 16)); });
  CHECK(halves[3] == 19);
}

TEST_CASE("atomics of every operation return what was there") {
  int i = 5;
  unsigned u = 5;
  unsigned long long l = 5;
  long long s = -5;
  float f = 5;
  double d = 5;
  unsigned short h = 5;
  CHECK(atomicAdd(&i, 2) == 5);
  CHECK(atomicSub_block(&i, 10) == 7);
  CHECK(atomicMin_system(&i, -9) == -3);
  CHECK(atomicExch(&i, 6) == -9);
  CHECK(atomicOr(&u, 8u) == 5);
  CHECK(atomicAnd(&u, 12u) == 13);
  CHECK(atomicXor(&u, 5u) == 12);
  CHECK(atomicInc(&u, 9u) == 9);
  CHECK(atomicInc(&u, 9u) == 0);
  CHECK(atomicDec(&u, 3u) == 1);
  CHECK(atomicDec(&u, 3u) == 0);
  CHECK(u == 3);
  CHECK(atomicMax(&l, 1ull << 40) == 5);
  CHECK(atomicCAS(&l, 1ull << 40, 7ull) == 1ull << 40);
  CHECK(atomicCAS(&l, 1ull, 9ull) == 7);
  CHECK(atomicMax(&s, 3ll) == -5);
  CHECK(atomicAdd(&f, 0.5f) == 5);
  CHECK(atomicExch(&f, 1.0f) == 5.5f);
  CHECK(atomicAdd_system(&d, 0.5) == 5);
  CHECK(atomicCAS(&h, static_cast<unsigned short>(5), static_cast<unsigned short>(6)) == 5);
  CHECK(h == 6);
  CHECK(d == 5.5);
  i = std::numeric_limits<int>::max();
  atomicAdd(&i, 1);
  CHECK(i == std::numeric_limits<int>::min());
}

TEST_CASE("atomic sums of many threads lose nothing") {
  double d = 0;
  float4 v = {};
  __half h = 0;
  half2 p = __half2half2(__half(0));
  nv_bfloat16 b = 0;
  inKernel(16, 64, [&] {
    atomicAdd(&d, 1.0);
    atomicAdd(&v, make_float4(1, 2, 3, 4));
    atomicAdd(&h, __half(1));
    atomicAdd(&p, __floats2half2_rn(1, 2));
    if (threadIdx.x == 0) atomicAdd(&b, nv_bfloat16(2));
  });
  CHECK(d == 1024);
  CHECK(v.w == 4096);
  CHECK(float(h) == 1024);
  CHECK(__high2float(p) == 2048);
  CHECK(float(b) == 32);
}

TEST_CASE("a thread that spins on an atomic or the clock lets the others run") {
  int flag = 0;
  inKernel(1, 64, [&] {
    if (threadIdx.x == 0)
      while (atomicAdd(&flag, 0) == 0) {
      }
    if (threadIdx.x == 63) {
      const long long start = clock64();
      while (clock64() - start < 1000) __nanosleep(10);
      atomicExch(&flag, 1);
    }
  });
  CHECK(flag == 1);
}

TEST_CASE("trap ends the kernel and names the thread") {
  checkParts(messageOf([] {
               inKernel({2, 2}, 32, [] {
                 if (threadIdx.x == 3 && blockIdx.x == 1 && blockIdx.y == 0) __trap();
               });
             }),
             {"executor: trap: thread (3,0,0) of block (1,0,0)"});
}

TEST_CASE("lanes, warps and multiprocessors have numbers") {
  const auto lanes = fromThreads<unsigned>(70, [](unsigned) {
    return executor::laneId() + 100 * executor::warpId() + 10000 * executor::smId();
  });
  CHECK(lanes[69] == 205);
  std::array<unsigned, 6> blocks{};
  inKernel({3, 2}, 1, [&] { blocks[blockIdx.x + 3 * blockIdx.y] = executor::smId(); });
  CHECK(blocks == std::array<unsigned, 6>{0, 1, 2, 3, 0, 1});
}
