#include "cuda/device_array.hpp"

#include <atomic>

#ifndef NBODY_GPU
#include "executor/checker/checker.hpp"
#include "executor/runtime/settings.hpp"
#endif
#include "cuda/launch.hpp"

namespace nbody {

int multiprocessors() {
  constexpr int kMostDevices = 64;
  static std::atomic<int> counts[kMostDevices];  // 0: not asked yet
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  int count = device < kMostDevices ? counts[device].load() : 0;
  if (count == 0) {
    CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    if (device < kMostDevices) counts[device] = count;
  }
  return count;
}

void* allocateDevice(std::size_t bytes, [[maybe_unused]] std::size_t elementBytes,
                     const std::string& name) {
  if (bytes == 0) return nullptr;
  void* pointer = nullptr;
  const cudaError_t status = cudaMalloc(&pointer, bytes);
  if (status == cudaSuccess) {
#ifndef NBODY_GPU
    executor::checker::describe(pointer, name, elementBytes);
#endif
    return pointer;
  }
  if (status != cudaErrorMemoryAllocation) CUDA_CHECK(status);
  static_cast<void>(cudaGetLastError());  // the failure is reported here, not by the next launch
  throw CudaError("no memory for " + name + ": " + std::to_string(bytes) + " bytes needed, " +
                  std::to_string(freeDeviceBytes()) + " free; fewer bodies need less");
}

void freeDevice(void* pointer) noexcept { static_cast<void>(cudaFree(pointer)); }

void copyToDevice(void* device, const void* host, std::size_t bytes) {
  CUDA_CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream()));
  synchronizeDevice();
}

void copyToHost(void* host, const void* device, std::size_t bytes) {
  CUDA_CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream()));
  synchronizeDevice();
}

void fillDevice(void* device, int value, std::size_t bytes) {
  CUDA_CHECK(cudaMemsetAsync(device, value, bytes, stream()));
}

void synchronizeDevice() { CUDA_CHECK(cudaStreamSynchronize(stream())); }

void poisonDevice(void* device, std::size_t bytes) {
  fillDevice(device, 0xff, bytes);
#ifndef NBODY_GPU
  executor::checker::markUnwritten(device, bytes);
#endif
}

std::size_t freeDeviceBytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return free;
}

std::optional<std::uint64_t> deviceBytesRead() {
#ifndef NBODY_GPU
  if (executor::checker::kOn) return executor::checker::globalBytesRead();
#endif
  return std::nullopt;
}

std::uint64_t hostWaits() {
#ifdef NBODY_GPU
  return 0;
#else
  return executor::hostWaits();
#endif
}

}  // namespace nbody
