// CUDA's functions for devices, and the limits of GPUs, with which the executor judges a program.
#include <cstdio>
#include <iterator>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/device_api.hpp"
#include "executor/runtime/device_models.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/threads.hpp"

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

static cudaDeviceProp propertiesOf(const DeviceModel& model) {
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

static thread_local int currentDevice = 0;
}  // namespace nbody::executor::runtime

using namespace nbody::executor;
using namespace nbody::executor::runtime;

static bool isDevice(int device) { return device >= 0 && device < runtimeSettings().devices; }
static cudaError_t ifDevice(int device) {
  return result(isDevice(device) ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSynchronize() {
  if (currentThread.inKernel) return cudaSuccess;  // work that a kernel launches runs after it
  const Caller caller(__builtin_return_address(0));
  const ApiCall call;
  if (const cudaError_t error = refuseCapture(); error != cudaSuccess) return result(error);
  finishAll();
  return result(failureAskedFor("cudaDeviceSynchronize", caller));
}

cudaError_t cudaDeviceReset() {
  const ApiCall call;
  finishAll();
  releaseAll();
  clearSticky();
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = runtimeSettings().devices;
  return cudaSuccess;  // as on a GPU, after any errors
}
cudaError_t cudaSetDevice(int device) {
  if (!isDevice(device)) return result(cudaErrorInvalidDevice);
  currentDevice = device;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = currentDevice;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (isDevice(device)) *properties = propertiesOf(model());
  return ifDevice(device);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  constexpr int kMost = 145;  // number of attributes in CUDA 12
  cudaDeviceProp p;
  if (const cudaError_t error = cudaGetDeviceProperties(&p, device); error != cudaSuccess)
    return error;
  switch (attribute) {
#define NBODY_CASE(name, number, member) \
  case cudaDevAttr##name:                \
    *value = static_cast<int>(p.member); \
    return result();
    NBODY_ATTRIBUTES(NBODY_CASE)
#undef NBODY_CASE
    default:
      *value = 0;  // an ability that the executor lacks
      return result(static_cast<int>(attribute) > kMost ? cudaErrorInvalidValue : cudaSuccess);
  }
}
cudaError_t cudaDeviceGetPCIBusId(char* name, int length, int device) {
  std::snprintf(name, length, "0000:%02x:00.0", device);
  return ifDevice(device);
}
constexpr int kVersion = 12040;  // version of CUDA whose names the executor has
cudaError_t cudaDriverGetVersion(int* version) {
  *version = kVersion;
  return result();
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* name) {
  if (device == nullptr || name == nullptr) return result(cudaErrorInvalidValue);
  return std::sscanf(name, "%*x:%x:", reinterpret_cast<unsigned*>(device)) == 1
             ? ifDevice(*device)
             : result(cudaErrorInvalidValue);
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  if (device == nullptr) return result(cudaErrorInvalidValue);
  *device = 0;
  return result();
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return ifDevice(device); }
cudaError_t cudaSetValidDevices(int*, int) { return result(); }

// Limits and settings without effect here. A program may read what it has set.
static std::size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};
static unsigned deviceFlags = cudaDeviceScheduleAuto;
static cudaFuncCache cacheConfig = cudaFuncCachePreferNone;

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  deviceFlags = flags;
  return result();
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  *flags = deviceFlags;
  return result();
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  if (limit >= std::size(limits)) return result(cudaErrorUnsupportedLimit);
  limits[limit] = value;
  return result();
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  if (limit >= std::size(limits)) return result(cudaErrorUnsupportedLimit);
  *value = limits[limit];
  return result();
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  cacheConfig = config;
  return result();
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cacheConfig;
  return result();
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return result(); }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;  // for all settings, as on GPUs since 2014
  return result();
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = kHighestPriority;
  return result();
}
cudaError_t cudaCtxResetPersistingL2Cache() { return result(); }
cudaError_t cudaProfilerStart() { return result(); }
cudaError_t cudaProfilerStop() { return result(); }

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = device != peer && isDevice(device) && isDevice(peer);
  return ifDevice(device);
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) { return ifDevice(peer); }
cudaError_t cudaDeviceDisablePeerAccess(int peer) { return ifDevice(peer); }
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to) {
  *value = attribute == cudaDevP2PAttrAccessSupported && from != to;
  return ifDevice(isDevice(from) ? to : from);
}
