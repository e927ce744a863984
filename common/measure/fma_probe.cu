// Part of GPU builds only: the ceiling of a GPU's FP32 lanes.
#include <fstream>
#include <string>

#include "cuda/cuda.hpp"
#include "measure/device.hpp"
#include "measure/timing.hpp"

namespace nbody {

namespace {

constexpr int kBlock = 256;
constexpr int kBlocksPerMultiprocessor = 8;  // 2,048 threads: all that fit
constexpr int kChains = 8;         // independent sums in a thread: an FMA's result is ready after 4 cycles
constexpr int kIterations = 4096;  // of the loop below
constexpr int kUnroll = 16;        // so that the loop's own instructions are below 1%

/// Clock ticks of one SM and nanoseconds, over the same stretch of the kernel.
struct Stretch {
  long long ticks;
  long long nanoseconds;
};

__device__ long long globalNanoseconds() {
  long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Every thread runs kChains chains of kIterations * kUnroll dependent FMAs; its sum goes to `sums` so that
/// the compiler keeps them. Thread 0 of block 0 also times itself.
__global__ void fmaKernel(float* sums, float a, float b, Stretch* stretch) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float chain[kChains];
  for (int c = 0; c < kChains; ++c) chain[c] = static_cast<float>(i + c);
  const long long firstTick = clock64();
  const long long firstNanosecond = globalNanoseconds();
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
  if (i == 0) *stretch = {clock64() - firstTick, globalNanoseconds() - firstNanosecond};
}

FmaCeiling measureFma(int multiprocessors, int lanes) {
  const int blocks = multiprocessors * kBlocksPerMultiprocessor;
  DeviceArray<float> sums(static_cast<std::size_t>(blocks) * kBlock, "FMA probe sums");
  DeviceArray<Stretch> stretch(1, "FMA probe clock");
  Timing timing = timeOnDevice(
      [&] {
        launch({static_cast<unsigned>(blocks), kBlock}, fmaKernel, sums.data(), 0.999f, 0.001f,
               stretch.data());
      },
      5);
  const double flop = 2.0 * blocks * kBlock * kChains * kUnroll * kIterations;
  const Stretch clock = stretch.download()[0];
  FmaCeiling ceiling;
  ceiling.tflops = flop / (timing.min * 1e-3) * 1e-12;
  ceiling.smClockGhz = static_cast<double>(clock.ticks) / clock.nanoseconds;
  ceiling.share = ceiling.tflops * 1e12 / (2.0 * lanes * multiprocessors * ceiling.smClockGhz * 1e9);
  return ceiling;
}

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// The kernel module's version, such as 580.159.04, from the file that it publishes; the CUDA version that
/// the driver serves where there is no such file.
std::string driverVersion() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;)
    if (word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos)
      return word;
  int driver = 0;
  CUDA_CHECK(cudaDriverGetVersion(&driver));
  return "for CUDA " + version(driver);
}

}  // namespace

Device probeDevice() {
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
  device.fma = measureFma(device.multiprocessors, device.lanesPerMultiprocessor);
  return device;
}

}  // namespace nbody
