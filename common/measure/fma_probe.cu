// GPU builds only: the ceiling of a GPU's FP32 lanes.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "cuda/cuda.hpp"
#include "measure/device.hpp"
#include "measure/energy.hpp"
#include "measure/timing.hpp"

namespace nbody {

namespace {

constexpr int kBlock = 256;
constexpr int kBlocksPerMultiprocessor = 8;  // 2,048 threads: all that fit
constexpr int kChains = 8;  // independent sums in a thread: an FMA's result is ready after 4 cycles
constexpr int kIterations = 4096;  // iterations of the loop below
constexpr int kUnroll = 16;  // so that the loop's own instructions are below 1%

constexpr int kRuns = 5;  // the median counts

/// One block's work: its start and end in nanoseconds of the device's clock, and the SM's ticks
/// between.
struct Stretch {
  long long start;
  long long end;
  long long ticks;
};

__device__ long long globalNanoseconds() {
  long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Every thread runs kChains chains of kIterations * kUnroll dependent FMAs; its sum goes to
/// `sums`, of one float for each thread, so that the compiler keeps them. Thread 0 of each block
/// times it into `stretches`, of one for each block. The barriers make the time that of all the
/// block's warps.
__global__ void fmaKernel(float* sums, float a, float b, Stretch* stretches) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float chain[kChains];
  for (int c = 0; c < kChains; ++c) chain[c] = static_cast<float>(i + c);
  __syncthreads();
  const long long start = globalNanoseconds();
  const long long firstTick = clock64();
#pragma unroll 1
  for (int k = 0; k < kIterations; ++k) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
#pragma unroll
      for (int c = 0; c < kChains; ++c) chain[c] = chain[c] * a + b;
    }
  }
  float sum = 0;
  for (int c = 0; c < kChains; ++c) sum += chain[c];
  sums[i] = sum;
  __syncthreads();
  if (threadIdx.x == 0) stretches[blockIdx.x] = {start, globalNanoseconds(), clock64() - firstTick};
}

/// The ceiling from one run's stretches: all FLOP between the first start and the last end.
FmaCeiling ceilingOf(const std::vector<Stretch>& stretches, int multiprocessors, int lanes) {
  long long start = stretches[0].start;
  long long end = stretches[0].end;
  double ticksPerNanosecond = 0;
  for (const Stretch& s : stretches) {
    start = std::min(start, s.start);
    end = std::max(end, s.end);
    ticksPerNanosecond += static_cast<double>(s.ticks) / static_cast<double>(s.end - s.start);
  }
  const double flop = 2.0 * kBlock * kChains * kUnroll * kIterations * stretches.size();
  FmaCeiling ceiling;
  ceiling.tflops = flop / static_cast<double>(end - start) * 1e-3;
  ceiling.smClockGhz = ticksPerNanosecond / stretches.size();
  ceiling.share = ceiling.tflops * 1e3 / (2.0 * lanes * multiprocessors * ceiling.smClockGhz);
  return ceiling;
}

FmaCeiling measureFma(int multiprocessors, int lanes) {
  const int blocks = multiprocessors * kBlocksPerMultiprocessor;
  DeviceArray<float> sums(static_cast<std::size_t>(blocks) * kBlock, "FMA probe sums");
  DeviceArray<Stretch> stretches(blocks, "FMA probe times");
  auto run = [&] {
    fmaKernel<<<static_cast<unsigned>(blocks), kBlock, 0, stream()>>>(sums.data(), 0.999f, 0.001f,
                                                                      stretches.data());
    CUDA_CHECK(cudaGetLastError());
    return ceilingOf(stretches.download(), multiprocessors, lanes);
  };
  for (const double begin = nowMs(); nowMs() - begin < kWarmUpMs;) run();
  std::vector<FmaCeiling> ceilings;
  for (int k = 0; k < kRuns; ++k) ceilings.push_back(run());
  std::nth_element(ceilings.begin(), ceilings.begin() + kRuns / 2, ceilings.end(),
                   [](const FmaCeiling& a, const FmaCeiling& b) { return a.tflops < b.tflops; });
  return ceilings[kRuns / 2];
}

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// The kernel module's version, such as 580.159.04, from the file that it publishes; the CUDA
/// version that the driver serves where there is no such file.
std::string driverVersion() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;)
    if (word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') != std::string::npos)
      return word;
  int driver = 0;
  CUDA_CHECK(cudaDriverGetVersion(&driver));
  return "for CUDA " + version(driver);
}

}  // namespace

EnergyCounter deviceEnergyCounter() {
  int id = 0;
  CUDA_CHECK(cudaGetDevice(&id));
  char address[32];
  CUDA_CHECK(cudaDeviceGetPCIBusId(address, sizeof address, id));
  return nvmlEnergyCounter(address);
}

Device probeDevice(bool measure) {
  int id = 0;
  CUDA_CHECK(cudaGetDevice(&id));
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, id));
  int runtime = 0;
  CUDA_CHECK(cudaRuntimeGetVersion(&runtime));

  Device device;
  device.name = properties.name;
  device.kind = "gpu";
  device.computeCapability =
      std::to_string(properties.major) + "." + std::to_string(properties.minor);
  device.driver = driverVersion();
  device.cuda = version(runtime);
  device.multiprocessors = properties.multiProcessorCount;
  device.lanesPerMultiprocessor = lanesPerMultiprocessor(properties.major, properties.minor);
  if (measure) device.fma = measureFma(device.multiprocessors, device.lanesPerMultiprocessor);
  return device;
}

}  // namespace nbody
