// Kernels that leave an array or read what nothing wrote: what the checker must say of them in every
// order of threads. A constant after each kernel holds a line of it.
#include "checker_reports.hpp"

using namespace nbody;

namespace {

__global__ void staticSharedKernel(float* out) {
  __shared__ float tile[kBlock];
  tile[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 9) out[0] = tile[threadIdx.x + kBlock - 9];
}
constexpr int kStatic = __LINE__ - 2;

__global__ void dynamicSharedKernel(float* out) {
  extern __shared__ float4 tile[];
  if (threadIdx.x == blockDim.x - 1) tile[threadIdx.x] = {1, 2, 3, out[0]};
}
constexpr int kDynamic = __LINE__ - 2;

__global__ void globalKernel(float* values, int index) {
  if (threadIdx.x == 3) values[index] = 1;
}
constexpr int kGlobal = __LINE__ - 2;

__global__ void localArrayKernel(const int* index, float* out) {
  float local[4] = {1, 2, 3, 4};
  out[threadIdx.x] = local[index[threadIdx.x]];
}
constexpr int kLocal = __LINE__ - 2;

/// Thread 5 leaves its element of the tile as it is.
__global__ void unwrittenSharedKernel(const float* in, float* out) {
  __shared__ float tile[kBlock];
  if (threadIdx.x != 5) tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 50) out[0] = tile[5];
}
constexpr int kUnwrittenShared = __LINE__ - 2;

__global__ void unwrittenGlobalKernel(const float* in, float* out) {
  if (threadIdx.x == 6) out[0] = in[threadIdx.x];
}
constexpr int kUnwrittenGlobal = __LINE__ - 2;

__global__ void addToUnwrittenKernel(float* sum) {
  if (threadIdx.x == 6) atomicAdd(&sum[0], 1.0f);
}
constexpr int kAddToUnwritten = __LINE__ - 2;

/// Reads four numbers at once from number \p first on.
__global__ void fourAtOnceKernel(const float* values, int first, float* out) {
  const float4* const four = reinterpret_cast<const float4*>(values + first);
  if (threadIdx.x == 0) out[0] = four->x + float4(*four).w;  // clang++ does not tell of the copy
}
constexpr int kFourAtOnce = __LINE__ - 2;

/// Has doubles behind \p bytes bytes of shared memory.
__global__ void doublesBehindKernel(int bytes, float* out) {
  extern __shared__ char room[];
  double* const doubles = reinterpret_cast<double*>(room + bytes);
  doubles[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = static_cast<float>(doubles[kBlock - 1]);
}
constexpr int kDoublesBehind = __LINE__ - 4;

}  // namespace

TEST_CASE("accesses that are not aligned to the size of their type") {
  auto values = zeros<float>(100, "values");
  auto out = zeros<float>(1, "out");
  for (const int first : {1, 2, 7})
    requireReport(launching(kOneBlock, fourAtOnceKernel, values.data(), first, out.data()),
                  "misaligned access to global memory: values[" + std::to_string(first) + "]",
                  {"by thread (", at(kFourAtOnce),
                   "A float4 lies at a multiple of 16 bytes, and this address is " +
                       std::to_string(first % 4 * 4) + " bytes past one",
                   "stopped there"});
  requireQuiet(launching(kOneBlock, fourAtOnceKernel, values.data(), 8, out.data()));
  const auto launchBehind = [&](int bytes) {
    launch({1, kBlock, (kBlock + 1) * sizeof(double)}, doublesBehindKernel, bytes, out.data());
  };
  requireReport([&] { launchBehind(4); }, "misaligned access to shared memory: room[",
                {at(kDoublesBehind), "A double lies"});
  requireQuiet([&] { launchBehind(8); });
}

TEST_CASE("out of the bounds of static shared memory") {
  auto out = zeros<float>(1, "out");
  requireReport(launching(kOneBlock, staticSharedKernel, out.data()),
                "out of bounds of shared memory: tile[64] of 64 elements",
                {"  access by thread (9,0,0) of block (0,0,0)" + at(kStatic), "stopped there"});
}

TEST_CASE("out of the bounds of dynamic shared memory") {
  auto out = zeros<float>(1, "out");
  const auto launchWith = [&](std::size_t bytes) {
    launch({2, kBlock, bytes}, dynamicSharedKernel, out.data());
  };
  requireReport([&] { launchWith((kBlock - 1) * sizeof(float4)); },
                "out of bounds of shared memory: tile[63] of 63 elements (1008 bytes)",
                {"by thread (63,0,0) of block (", at(kDynamic)});
  requireReport([&] { launchWith(0); },
                "out of bounds of shared memory: tile[63] of 0 elements (0 bytes)", {at(kDynamic)});
  requireQuiet([&] { launchWith(kBlock * sizeof(float4)); });
}

TEST_CASE("out of the bounds of global memory") {
  auto values = zeros<float>(100, "values");
  for (int index : {100, 150, 1000, -1, -100}) {
    requireReport(launching(kOneBlock, globalKernel, values.data(), index),
                  "out of bounds of global memory: values[" + std::to_string(index) +
                      "] of 100 elements (400 bytes)",
                  {"  write of 4 bytes by thread (3,0,0) of block (0,0,0)" + at(kGlobal),
                   "Compare the index with the size"});
  }
  requireReport(launching(kOneBlock, globalKernel, static_cast<float*>(nullptr), 2),
                "out of bounds: a kernel uses a null pointer",
                {at(kGlobal), "Give the kernel device memory"});
  float* const wild = reinterpret_cast<float*>(0x123456789000);
  requireReport(launching(kOneBlock, globalKernel, wild, 2),
                "out of bounds: a kernel uses an address at which there is no memory",
                {at(kGlobal)});
  std::vector<float> host(10);
  requireReport(
      launching(kOneBlock, globalKernel, host.data(), 2),
      "out of bounds: a kernel uses host memory: the checker does not know where it was allocated",
      {at(kGlobal)});
  // Nothing was written where it did not belong.
  CHECK(values.download() == std::vector<float>(100, 0));
  CHECK(host == std::vector<float>(10, 0));
}

TEST_CASE("out of the bounds of a local array") {
  DeviceArray<int> index(1, "index");
  auto out = zeros<float>(1, "out");
  for (int value : {4, -1}) {
    index.upload({value});
    requireReport(
        launching({1, 1}, localArrayKernel, index.data(), out.data()),
        "out of bounds of a local array: local[" + std::to_string(value) + "] of 4 elements",
        {at(kLocal)});
  }
}

TEST_CASE("a read of what nothing wrote") {
  auto in = zeros<float>(kBlock, "in");
  auto out = zeros<float>(1, "out");
  requireReport(launching(kOneBlock, unwrittenSharedKernel, in.data(), out.data()),
                "uninitialised shared memory: tile[5]",
                {"  read by thread (50,0,0) of block (0,0,0)" + at(kUnwrittenShared),
                 "No thread of this block has written this element"});
  in.poison();
  const auto read = [&] { launch(kOneBlock, unwrittenGlobalKernel, in.data(), out.data()); };
  requireReport(read, "uninitialised global memory: in[6]",
                {"  read by thread (6,0,0) of block (0,0,0)" + at(kUnwrittenGlobal),
                 "Neither the host nor a kernel has written this element"});
  in.upload(std::vector<float>(kBlock, 1));
  requireQuiet(read);
  requireReport(
      [&] {
        DeviceArray<float> sum(1, "sum");
        launch(kOneBlock, addToUnwrittenKernel, sum.data());
      },
      "uninitialised global memory: sum[0]", {"  read by thread (6,0,0)", at(kAddToUnwritten)});
}
