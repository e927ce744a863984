/// \file
/// Types of CUDA's functions for memory.
#pragma once

#include <cstddef>

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
};

typedef struct cudaArray* cudaArray_t;

// Flags; numbers of CUDA's driver_types.h.
enum : unsigned {
  cudaHostAllocDefault = 0,
  cudaHostAllocPortable = 1,
  cudaHostAllocMapped = 2,
  cudaHostAllocWriteCombined = 4,
  cudaHostRegisterDefault = 0,
  cudaHostRegisterPortable = 1,
  cudaHostRegisterMapped = 2,
  cudaHostRegisterIoMemory = 4,
  cudaHostRegisterReadOnly = 8,
  cudaMemAttachGlobal = 1,
  cudaMemAttachHost = 2,
  cudaMemAttachSingle = 4,
};
enum { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };

enum cudaMemLocationType {
  cudaMemLocationTypeInvalid,
  cudaMemLocationTypeDevice,
  cudaMemLocationTypeHost,
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly,
  cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation,
  cudaMemAdviseSetAccessedBy,
  cudaMemAdviseUnsetAccessedBy,
};
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};

typedef struct nbodyMemPool* cudaMemPool_t;
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };
enum cudaMemAccessFlags {
  cudaMemAccessFlagsProtNone,
  cudaMemAccessFlagsProtRead,
  cudaMemAccessFlagsProtReadWrite = 3,
};
struct cudaMemAccessDesc {
  cudaMemLocation location;
  cudaMemAccessFlags flags;
};
