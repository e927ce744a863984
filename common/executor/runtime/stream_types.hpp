/// \file
/// Streams and events as programs hold them.
#pragma once

#include <cstddef>

#include "executor/runtime/errors.hpp"

namespace nbody::executor::runtime {
struct Stream;
struct Event;
}  // namespace nbody::executor::runtime

typedef nbody::executor::runtime::Stream* cudaStream_t;
typedef nbody::executor::runtime::Event* cudaEvent_t;

#define CUDART_CB
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(0x1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(0x2))
// Streams of launches from kernels.
#define cudaStreamTailLaunch (reinterpret_cast<cudaStream_t>(0x3))
#define cudaStreamFireAndForget (reinterpret_cast<cudaStream_t>(0x4))

typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);
typedef void (*cudaHostFn_t)(void* data);

enum : unsigned {
  cudaStreamDefault = 0,
  cudaStreamNonBlocking = 1,
  cudaEventDefault = 0,
  cudaEventBlockingSync = 1,
  cudaEventDisableTiming = 2,
  cudaEventInterprocess = 4,
  cudaEventRecordDefault = 0,
  cudaEventRecordExternal = 1,
  cudaEventWaitDefault = 0,
  cudaEventWaitExternal = 1,
};

enum cudaAccessProperty {
  cudaAccessPropertyNormal,
  cudaAccessPropertyStreaming,
  cudaAccessPropertyPersisting,
};
struct cudaAccessPolicyWindow {
  void* base_ptr;
  std::size_t num_bytes;
  float hitRatio;
  cudaAccessProperty hitProp, missProp;
};
enum cudaStreamAttrID {
  cudaStreamAttributeAccessPolicyWindow = 1,
  cudaStreamAttributeSynchronizationPolicy = 3,
};
union cudaStreamAttrValue {
  cudaAccessPolicyWindow accessPolicyWindow;
  int syncPolicy;
};
