#include "executor/runtime/device_models.hpp"

#include <cstdio>

#include "executor/runtime/settings.hpp"

namespace nbody::executor::runtime {

namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kGiB = kKiB * kKiB * kKiB;
constexpr int kMiB = 1024 * 1024;

constexpr DeviceModel kModels[] = {
    {"t4", "Tesla T4", 7, 5, 1024, 16, 64 * kKiB, 64 * kKiB, 0, 4 * kMiB, 256, 16 * kGiB},
    {"a100", "NVIDIA A100", 8, 0, 2048, 32, 164 * kKiB, 163 * kKiB, kKiB, 40 * kMiB, 5120,
     40 * kGiB},
    {"h100", "NVIDIA H100", 9, 0, 2048, 32, 228 * kKiB, 227 * kKiB, kKiB, 50 * kMiB, 5120,
     80 * kGiB},
};

void setExtents(cudaDeviceProp& p) {
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = kMostThreads;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.maxTexture1D = 131072;
  p.maxTexture1DLinear = 268435456;
  p.maxTexture2D[0] = 131072;
  p.maxTexture2D[1] = 65536;
  p.maxTexture2DLinear[0] = 131072;
  p.maxTexture2DLinear[1] = 65000;
  p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture3D[0] = p.maxTexture3D[1] = p.maxTexture3D[2] = 16384;
}

void setAbilities(cudaDeviceProp& p) {
  p.deviceOverlap = p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = 1;
  p.managedMemory = p.concurrentManagedAccess = p.computePreemptionSupported = 1;
  p.cooperativeLaunch = p.hostRegisterSupported = p.memoryPoolsSupported = 1;
  p.canUseHostPointerForRegisteredMem = p.streamPrioritiesSupported = p.unifiedFunctionPointers = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.asyncEngineCount = 2;
}

}  // namespace

const DeviceModel* findModel(const std::string& name) {
  for (const DeviceModel& model : kModels)
    if (name == model.name) return &model;
  return nullptr;
}

const DeviceModel& model() {
  const DeviceModel* found = findModel(runtimeSettings().device);
  return found != nullptr ? *found : *findModel("h100");
}

std::string modelNames() {
  std::string names;
  for (const DeviceModel& model : kModels)
    names += (names.empty() ? "" : ", ") + std::string(model.name);
  return names;
}

cudaDeviceProp propertiesOf(const DeviceModel& model) {
  cudaDeviceProp p = {};
  std::snprintf(p.name, sizeof p.name, "CPU executor, with the limits of %s", model.title);
  p.totalGlobalMem = model.memoryBytes;
  p.sharedMemPerBlock = kSharedPerBlock;
  p.sharedMemPerBlockOptin = model.sharedPerBlockOptIn;
  p.sharedMemPerMultiprocessor = model.sharedPerMultiprocessor;
  p.reservedSharedMemPerBlock = model.reservedSharedPerBlock;
  p.regsPerBlock = p.regsPerMultiprocessor = kRegistersPerMultiprocessor;
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = kMostThreads;
  p.maxThreadsPerMultiProcessor = model.threadsPerMultiprocessor;
  p.maxBlocksPerMultiProcessor = model.blocksPerMultiprocessor;
  p.multiProcessorCount = runtimeSettings().multiprocessors;
  p.clockRate = p.memoryClockRate = 1000000;  // kHz: a tick of clock() is a nanosecond
  p.totalConstMem = 65536;
  p.major = model.major;
  p.minor = model.minor;
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.l2CacheSize = model.l2CacheBytes;
  p.memoryBusWidth = model.memoryBusBits;
  p.singleToDoublePrecisionPerfRatio = 2;
  setExtents(p);
  setAbilities(p);
  return p;
}

}  // namespace nbody::executor::runtime
