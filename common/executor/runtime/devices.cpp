// CUDA's functions for devices.
#include <cstdio>

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
cudaError_t cudaGetDevice(int* device) {
  *device = currentDevice;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (isDevice(device)) *properties = propertiesOf(model());
  return ifDevice(device);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  constexpr int kMost = 145;  // as many attributes as CUDA 12 has
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
      *value = 0;  // an ability that the executor does not have
      return result(static_cast<int>(attribute) > kMost ? cudaErrorInvalidValue : cudaSuccess);
  }
}
cudaError_t cudaDeviceGetPCIBusId(char* name, int length, int device) {
  std::snprintf(name, length, "0000:%02x:00.0", device);
  return ifDevice(device);
}
cudaError_t cudaSetDeviceFlags(unsigned) { return result(); }
constexpr int kVersion = 12040;  // of the CUDA whose names the executor has
cudaError_t cudaDriverGetVersion(int* version) {
  *version = kVersion;
  return result();
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = kVersion;
  return result();
}

// Limits bind nothing here.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t) {
  return result(limit <= cudaLimitPersistingL2CacheSize ? cudaSuccess : cudaErrorUnsupportedLimit);
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
