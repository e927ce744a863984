// What a kernel can call, on a GPU and on the executor: warp functions and atomics.
#include "launch.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

constexpr unsigned kAllLanes = 0xffffffffu;

struct WarpResults {
  int broadcast, neighbour, up, down, narrow, ballot, any, all, odd;
  float half;
  double pair;
};

__global__ void warpKernel(WarpResults* out) {
  const int lane = threadIdx.x % 32;
  WarpResults r;
  r.broadcast = __shfl_sync(kAllLanes, 10 * lane, 7);
  r.neighbour = __shfl_xor_sync(kAllLanes, 10 * lane, 1);
  r.up = __shfl_up_sync(kAllLanes, 10 * lane, 3u);
  r.down = __shfl_down_sync(kAllLanes, 10 * lane, 3u);
  r.narrow = __shfl_sync(kAllLanes, 10 * lane, 9, 8);
  r.ballot = __ballot_sync(kAllLanes, lane % 3 == 0);
  r.any = __any_sync(kAllLanes, lane == 31);
  r.all = __all_sync(kAllLanes, lane != 31);
  r.half = __shfl_xor_sync(kAllLanes, 0.5f * lane, 16);
  r.pair = __shfl_xor_sync(kAllLanes, 0.25 * lane, 2);
  r.odd = 0;
  if (lane % 2 == 1) r.odd = __shfl_xor_sync(0xaaaaaaaau, lane, 2);
  out[blockIdx.x * blockDim.x + threadIdx.x] = r;
}

/// Lanes leave one by one; those that remain still vote.
__global__ void leavingKernel(unsigned* out) {
  const int lane = threadIdx.x;
  if (lane >= 8) return;
  out[lane] = __ballot_sync(0xffu, 1);
}

__global__ void syncwarpKernel(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  __syncwarp();
  const int warp = threadIdx.x / 32 * 32;
  out[threadIdx.x] = values[warp + (threadIdx.x + 5) % 32];
}

struct Sums {
  int ints;
  unsigned most;
  int least;
  float floats;
  double doubles;
  float4 vector;
  int owner;
  unsigned long long wide;
};

__global__ void atomicKernel(Sums* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums->ints, i);
  atomicMax(&sums->most, static_cast<unsigned>(i));
  atomicMin(&sums->least, -i);
  atomicAdd(&sums->floats, 1.0f);
  atomicAdd(&sums->doubles, 0.5);
  atomicAdd(&sums->vector, make_float4(1, 2, 3, 4));
  atomicCAS(&sums->owner, -1, i);
  atomicAdd(&sums->wide, 1ULL << 33);
}

__global__ void exchangeKernel(int* slot, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      atomicExch(slot, blockIdx.x * blockDim.x + threadIdx.x);
}

}  // namespace

TEST_CASE("shuffles and votes") {
  inEveryOrder([] {
    const auto got = leftBy(warpKernel, 128, {2, 64});
    for (int i = 0; i < 128; ++i) {
      const int lane = i % 32;
      INFO("lane " << lane);
      REQUIRE(got[i].broadcast == 70);
      REQUIRE(got[i].neighbour == 10 * (lane ^ 1));
      REQUIRE(got[i].up == 10 * (lane < 3 ? lane : lane - 3));
      REQUIRE(got[i].down == 10 * (lane > 28 ? lane : lane + 3));
      REQUIRE(got[i].narrow == 10 * (lane / 8 * 8 + 1));
      REQUIRE(static_cast<unsigned>(got[i].ballot) == 0x49249249u);
      REQUIRE(got[i].any == 1);
      REQUIRE(got[i].all == 0);
      REQUIRE(got[i].half == 0.5f * (lane ^ 16));
      REQUIRE(got[i].pair == 0.25 * (lane ^ 2));
      REQUIRE(got[i].odd == (lane % 2 == 1 ? lane ^ 2 : 0));
    }
  });
}

TEST_CASE("a vote goes on without the lanes that its mask leaves out") {
  inEveryOrder([] {
    for (unsigned votes : leftBy(leavingKernel, 8, {1, 32})) REQUIRE(votes == 0xffu);
  });
}

TEST_CASE("__syncwarp separates a warp's writes from its reads") {
  inEveryOrder([] {
    const auto got = leftBy(syncwarpKernel, 64, {1, 64});
    for (int i = 0; i < 64; ++i) REQUIRE(got[i] == i / 32 * 32 + (i + 5) % 32);
  });
}

TEST_CASE("atomics lose nothing between threads and blocks") {
  inEveryOrder([] {
    constexpr int kThreads = 40 * 256;
    DeviceArray<Sums> sums(1, "sums");
    sums.upload({Sums{0, 0, 0, 0, 0, {0, 0, 0, 0}, -1, 0}});
    launch({40, 256}, atomicKernel, sums.data());
    const Sums got = sums.download()[0];
    REQUIRE(got.ints == kThreads / 2 * (kThreads - 1));
    REQUIRE(got.most == kThreads - 1);
    REQUIRE(got.least == -(kThreads - 1));
    REQUIRE(got.floats == kThreads);
    REQUIRE(got.doubles == kThreads / 2);
    REQUIRE(got.vector.x == kThreads);
    REQUIRE(got.vector.w == 4 * kThreads);
    REQUIRE(got.owner >= 0);
    REQUIRE(got.owner < kThreads);
    REQUIRE(got.wide == (1ULL << 33) * kThreads);
  });
}

TEST_CASE("an exchange gives every value out once") {
  inEveryOrder([] {
    DeviceArray<int> slot(1, "slot");
    DeviceArray<int> out(512, "out");
    slot.upload({-1});
    launch({4, 128}, exchangeKernel, slot.data(), out.data());
    std::vector<int> seen(513, 0);
    for (int value : out.download()) ++seen[value + 1];
    ++seen[slot.download()[0] + 1];
    REQUIRE(seen == std::vector<int>(513, 1));
  });
}
