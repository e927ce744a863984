// What a kernel can count on, on a GPU and on the executor: indices, barriers, warp functions,
// atomics, memory.
#include "cuda/device_buffer.hpp"
#include "cuda/trouble.hpp"
#include "launch.hpp"
#include "orders.hpp"
#ifdef NBODY_GPU
#include "cuda/graph.hpp"
#endif

using namespace nbody;

namespace {

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void indexKernel(int* out) {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  out[block * threads + thread] = 1000 * block + thread;
}

/// Each round every thread hands its value to its neighbour through shared memory; after blockDim.x
/// rounds it holds its own again, and after `rounds` that of the thread `rounds` places before it.
__global__ void rotateKernel(int* out, int rounds) {
  __shared__ int values[1024];
  int value = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    values[threadIdx.x] = value;
    __syncthreads();
    value = values[(threadIdx.x + blockDim.x - 1) % blockDim.x];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void reverseDynamicKernel(float4* out) {
  extern __shared__ float4 values[];
  const float x = static_cast<float>(threadIdx.x);
  values[threadIdx.x] = {x, 2 * x, 3 * x, 4 * x};
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

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

__global__ void mathKernel(const float* in, float* out) {
  out[0] = rsqrtf(16.0f);
  out[1] = static_cast<float>(__popc(0xf0f0u));
  out[2] = static_cast<float>(__ffs(8));
  out[3] = static_cast<float>(__clz(1));
  out[4] = __int_as_float(__float_as_int(1.5f));
  out[5] = static_cast<float>(min(3, 4) + max(5, 6));
  out[6] = __ldg(in);
  out[7] = static_cast<float>(__ffs(0));
}

/// What \p kernel leaves in its first argument, an array of \p count elements.
template <class T, class... Parameters, class... Arguments>
std::vector<T> leftBy(void (*kernel)(T*, Parameters...),
                      int count,
                      const LaunchShape& shape,
                      Arguments... arguments) {
  DeviceArray<T> out(count, "out");
  launch(shape, kernel, out.data(), arguments...);
  return out.download();
}

}  // namespace

TEST_CASE("a buffer keeps its memory and grows where it must") {
  DeviceBuffer<int> buffer("kept");
  buffer.upload({1, 2, 3});
  const int* first = buffer.data();
  buffer.upload({4, 5});
  CHECK(buffer.data() == first);
  CHECK(buffer.download(0, 3) == std::vector<int>{4, 5, 3});
  buffer.upload(std::vector<int>(1000, 6));
  CHECK(buffer.download(999, 1) == std::vector<int>{6});
  CHECK(buffer.reserve(1000) == buffer.data());
}

TEST_CASE("indices cover a three-dimensional grid") {
  inEveryOrder([] {
    const auto got = leftBy(indexKernel, 12 * 24, {dim3(3, 2, 2), dim3(4, 3, 2)});
    for (int i = 0; i < 12 * 24; ++i) REQUIRE(got[i] == 1000 * (i / 24) + i % 24);
  });
}

TEST_CASE("a barrier separates writes from reads, each round anew") {
  inEveryOrder([] {
    for (int threads : {1, 31, 32, 33, 256, 1000, 1024})
      for (int rounds : {1, 3, 40}) {
        const auto got = leftBy(rotateKernel, 4 * threads, LaunchShape(4, threads), rounds);
        for (int i = 0; i < 4 * threads; ++i)
          REQUIRE(got[i] == ((i % threads - rounds) % threads + threads) % threads);
      }
  });
}

TEST_CASE("dynamic shared memory is the block's own") {
  inEveryOrder([] {
    const auto got = leftBy(reverseDynamicKernel, 500, {5, 100, 100 * sizeof(float4)});
    for (int i = 0; i < 500; ++i) REQUIRE(got[i].w == 4.0f * (99 - i % 100));
  });
}

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

TEST_CASE("device mathematics") {
  DeviceArray<float> out(8, "out");
  DeviceArray<float> in(1, "in");
  in.upload({0.75f});
  launch({1, 1}, mathKernel, in.data(), out.data());
  CHECK(out.download() == std::vector<float>{0.25f, 8, 4, 31, 1.5f, 9, 0.75f, 0});
}

TEST_CASE("a launch that no GPU takes is refused with its place") {
  DeviceArray<int> out(1, "out");
  const std::string tooLarge = messageOf([&] {
    rotateKernel<<<1, 2048, 0, stream()>>>(out.data(), 1);
    CUDA_CHECK(cudaGetLastError());
  });
  CHECK(contains(tooLarge, "cuda_test.cu:"));
  CHECK_FALSE(messageOf([&] { launch({0, 32}, rotateKernel, out.data(), 1); }).empty());
  launch({1, 1}, rotateKernel, out.data(), 1);  // and the next launch works
  CHECK(out.download()[0] == 0);
}

TEST_CASE("a device array keeps, poisons and clears its elements") {
  DeviceArray<float> array(100, "array");
  std::vector<float> host(100);
  for (int i = 0; i < 100; ++i) host[i] = static_cast<float>(i);
  array.upload(host);
  CHECK(array.download() == host);
  array.poison();
  for (float x : array.download()) CHECK(std::isnan(x));
  array.clear();
  CHECK(array.download() == std::vector<float>(100, 0.0f));

  DeviceArray<float> moved = std::move(array);
  CHECK(moved.size() == 100);
  CHECK(moved.name() == "array");
  CHECK(contains(messageOf([&] { moved.upload({1.0f}); }), "array"));
  CHECK(DeviceArray<float>(0, "empty").download().empty());
}

TEST_CASE("an array beyond the memory is refused with its name and both sizes") {
  const std::size_t huge = std::numeric_limits<std::size_t>::max() / 64;
  checkParts(messageOf([&] { DeviceArray<double>(huge, "huge"); }),
             {"huge", "bytes needed", "free"});
}

#ifdef NBODY_GPU
TEST_CASE("work that throws while a graph captures it leaves the stream to others") {
  DeviceArray<int> out(1, "out");
  const std::string message =
      messageOf([&] { Graph([&] { out.clear(), throw CudaError("half-way"); }, 1); });
  CHECK(message == "half-way");
  out.upload({7});
  Graph graph([&] { out.clear(); }, 3);
  CHECK(out.download()[0] == 7);  // captured, not run
  graph.launch();
  CHECK(out.download()[0] == 0);
}
#endif

TEST_CASE("CUDA_CHECK names expression, file and line") {
  checkParts(messageOf([] { CUDA_CHECK(cudaErrorMemoryAllocation); }),
             {"cudaErrorMemoryAllocation failed: out of memory", "cuda_test.cu:"});
}

TEST_CASE("what is the machine's fault is told with what to do, in one line") {
  const Machine colab = {12040, 12050, 75};
  checkParts(troubleOf(cudaErrorUnsupportedPtxVersion, colab),
             {"of CUDA 12.5", "up to 12.4", "-DCMAKE_CUDA_ARCHITECTURES=75", "update the driver"});
  checkParts(troubleOf(cudaErrorInsufficientDriver, colab), {"up to 12.4", "is of CUDA 12.5"});
  checkParts(troubleOf(cudaErrorInsufficientDriver, {}), {"no NVIDIA driver", "--preset cpu"});
  checkParts(troubleOf(cudaErrorNoKernelImageForDevice, colab), {"capability 7.5", "=75"});
  checkParts(troubleOf(cudaErrorNoKernelImageForDevice, {}), {"for this GPU: build anew"});
  checkParts(troubleOf(cudaErrorDevicesUnavailable, colab), {"compute mode", "nvidia-smi -c"});
  checkParts(troubleOf(cudaErrorNoDevice, {}), {"CUDA_VISIBLE_DEVICES", "--gpus all", "--nv"});
  checkParts(troubleOf(cudaErrorOperatingSystem, {}), {"may read and write /dev/nvidia0"});
  checkParts(troubleOf(cudaErrorMemoryAllocation, colab), {"no more memory", "fewer bodies"});
  CHECK(troubleOf(cudaErrorInvalidValue, colab).empty());
  CHECK(troubleOf(cudaErrorIllegalAddress, colab).empty());

  const std::string told = messageOf([] { CUDA_CHECK(cudaErrorDevicesUnavailable); });
  checkParts(told,
             {"the GPU is taken: ", "[cudaErrorDevicesUnavailable failed: ", "cuda_test.cu:"});
  CHECK(told.find('\n') == std::string::npos);
}
