// CUDA's functions for devices.
#include <cstdio>
#include <cstring>
#include <map>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/device_api.hpp"
#include "executor/runtime/device_models.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::runtime {
static thread_local int currentDevice = 0;
}

using namespace nbody::executor;
using namespace nbody::executor::runtime;

static bool isDevice(int device) { return device >= 0 && device < runtimeSettings().devices; }
static cudaError_t ifDevice(int device) {
  return result(isDevice(device) ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSynchronize() {
  if (currentThread.inKernel) return cudaSuccess;  // what a kernel launches runs after it
  const ApiCall call;
  if (const cudaError_t error = refuseCapture(); error != cudaSuccess) return result(error);
  finishAll();
  return result();
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
  return cudaSuccess;  // as on a GPU whatever has happened before
}
cudaError_t cudaSetDevice(int device) {
  if (!isDevice(device)) return result(cudaErrorInvalidDevice);
  currentDevice = device;
  return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return ifDevice(device); }
cudaError_t cudaGetDevice(int* device) {
  *device = currentDevice;
  return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  *device = 0;
  return result();
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (isDevice(device)) *properties = propertiesOf(model());
  return ifDevice(device);
}

cudaError_t cudaDeviceGetPCIBusId(char* name, int length, int device) {
  std::snprintf(name, length, "0000:%02x:00.0", device);
  return ifDevice(device);
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* name) {
  unsigned bus = 0;
  if (std::sscanf(name, "%*x:%x:%*x.%*x", &bus) != 1) return result(cudaErrorInvalidValue);
  *device = static_cast<int>(bus);
  return ifDevice(*device);
}
cudaError_t cudaSetDeviceFlags(unsigned) { return result(); }
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  *flags = cudaDeviceScheduleAuto | cudaDeviceMapHost;
  return result();
}
constexpr int kVersion = 12040;  // of the CUDA whose names the executor has
cudaError_t cudaDriverGetVersion(int* version) {
  *version = kVersion;
  return result();
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = kVersion;
  return result();
}

// Limits bind nothing here; what a program has set it reads again. As CUDA has them at the start.
static std::map<cudaLimit, std::size_t> limits = {{cudaLimitStackSize, 1024},
                                                  {cudaLimitPrintfFifoSize, std::size_t{8} << 20},
                                                  {cudaLimitMallocHeapSize, std::size_t{8} << 20},
                                                  {cudaLimitDevRuntimeSyncDepth, 2},
                                                  {cudaLimitDevRuntimePendingLaunchCount, 2048},
                                                  {cudaLimitMaxL2FetchGranularity, 64},
                                                  {cudaLimitPersistingL2CacheSize, 0}};
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  const ApiCall call;
  const auto known = limits.find(limit);
  if (known == limits.end()) return result(cudaErrorUnsupportedLimit);
  known->second = value;
  return result();
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  const ApiCall call;
  const auto known = limits.find(limit);
  if (known == limits.end()) return result(cudaErrorUnsupportedLimit);
  *value = known->second;
  return result();
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return result(); }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return result();
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return result(); }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return result();
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
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
