#include "cuda/device_array.hpp"

#ifndef NBODY_GPU
#include "executor/checker/checker.hpp"
#endif
#include "base/bad_input.hpp"
#include "cuda/launch.hpp"
#include "cuda/multiprocessors.hpp"

namespace nbody {

#ifdef NBODY_GPU
cudaStream_t stream() {
  static cudaStream_t theStream = [] {
    cudaStream_t created;
    CUDA_CHECK(cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking));
    return created;
  }();
  return theStream;
}

void checkLaunch(cudaError_t status, const LaunchShape& shape, const void* kernel) {
  if (status == cudaErrorLaunchOutOfResources) {
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    throw BadInput("a block of " + std::to_string(shape.block.x * shape.block.y) +
                   " threads is too large: the " + std::to_string(attributes.numRegs) +
                   " registers of each allow " + std::to_string(attributes.maxThreadsPerBlock));
  }
  checkCuda(status, "kernel launch", shape.file, shape.line);
}
#endif

int multiprocessors() {
#ifdef NBODY_GPU
  static const int count = [] {
    int device = 0;
    int found = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, device));
    return found;
  }();
  return count;
#else
  return 8;
#endif
}

void* allocateDevice(std::size_t bytes,
                     [[maybe_unused]] std::size_t elementBytes,
                     const std::string& name) {
  if (bytes == 0) return nullptr;
  void* pointer = nullptr;
  if (cudaMalloc(&pointer, bytes) == cudaSuccess) {
#ifndef NBODY_GPU
    executor::checker::describe(pointer, name, elementBytes);
#endif
    return pointer;
  }
  static_cast<void>(cudaGetLastError());  // the failure is reported here, not by the next launch
  throw CudaError("no memory for " + name + ": " + std::to_string(bytes) + " bytes needed, " +
                  std::to_string(freeDeviceBytes()) + " free");
}

void freeDevice(void* pointer) noexcept { static_cast<void>(cudaFree(pointer)); }

#ifdef NBODY_GPU

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

#else

void copyToDevice(void* device, const void* host, std::size_t bytes) {
  CUDA_CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
}

void copyToHost(void* host, const void* device, std::size_t bytes) {
  CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
}

void fillDevice(void* device, int value, std::size_t bytes) {
  CUDA_CHECK(cudaMemset(device, value, bytes));
}

void synchronizeDevice() { CUDA_CHECK(cudaDeviceSynchronize()); }

#endif

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

}  // namespace nbody
