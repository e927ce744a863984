/// \file
/// CUDA's functions for devices: number, properties, waiting for all work.
#pragma once

#include <cstddef>

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"

enum cudaComputeMode {
  cudaComputeModeDefault,
  cudaComputeModeExclusive,
  cudaComputeModeProhibited,
  cudaComputeModeExclusiveProcess,
};
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual,
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte,
};
enum cudaLimit {
  cudaLimitStackSize,
  cudaLimitPrintfFifoSize,
  cudaLimitMallocHeapSize,
  cudaLimitDevRuntimeSyncDepth,
  cudaLimitDevRuntimePendingLaunchCount,
  cudaLimitMaxL2FetchGranularity,
  cudaLimitPersistingL2CacheSize,
};
enum cudaDeviceP2PAttr {
  cudaDevP2PAttrPerformanceRank = 1,
  cudaDevP2PAttrAccessSupported,
  cudaDevP2PAttrNativeAtomicSupported,
  cudaDevP2PAttrCudaArrayAccessSupported,
};
enum : unsigned {
  cudaDeviceScheduleAuto = 0,
  cudaDeviceScheduleSpin = 1,
  cudaDeviceScheduleYield = 2,
  cudaDeviceScheduleBlockingSync = 4,
  cudaDeviceBlockingSync = 4,
  cudaDeviceMapHost = 8,
  cudaDeviceLmemResizeToMax = 16,
};

/// Attributes, with their numbers in CUDA's driver_types.h and the equal members of cudaDeviceProp.
#define NBODY_ATTRIBUTES(X)                                                              \
  X(MaxThreadsPerBlock, 1, maxThreadsPerBlock)                                           \
  X(MaxBlockDimX, 2, maxThreadsDim[0])                                                   \
  X(MaxBlockDimY, 3, maxThreadsDim[1])                                                   \
  X(MaxBlockDimZ, 4, maxThreadsDim[2])                                                   \
  X(MaxGridDimX, 5, maxGridSize[0])                                                      \
  X(MaxGridDimY, 6, maxGridSize[1])                                                      \
  X(MaxGridDimZ, 7, maxGridSize[2])                                                      \
  X(MaxSharedMemoryPerBlock, 8, sharedMemPerBlock)                                       \
  X(TotalConstantMemory, 9, totalConstMem)                                               \
  X(WarpSize, 10, warpSize)                                                              \
  X(MaxPitch, 11, memPitch)                                                              \
  X(MaxRegistersPerBlock, 12, regsPerBlock)                                              \
  X(ClockRate, 13, clockRate)                                                            \
  X(TextureAlignment, 14, textureAlignment)                                              \
  X(GpuOverlap, 15, deviceOverlap)                                                       \
  X(MultiProcessorCount, 16, multiProcessorCount)                                        \
  X(KernelExecTimeout, 17, kernelExecTimeoutEnabled)                                     \
  X(Integrated, 18, integrated)                                                          \
  X(CanMapHostMemory, 19, canMapHostMemory)                                              \
  X(ComputeMode, 20, computeMode)                                                        \
  X(ConcurrentKernels, 31, concurrentKernels)                                            \
  X(EccEnabled, 32, ECCEnabled)                                                          \
  X(PciBusId, 33, pciBusID)                                                              \
  X(PciDeviceId, 34, pciDeviceID)                                                        \
  X(TccDriver, 35, tccDriver)                                                            \
  X(MemoryClockRate, 36, memoryClockRate)                                                \
  X(GlobalMemoryBusWidth, 37, memoryBusWidth)                                            \
  X(L2CacheSize, 38, l2CacheSize)                                                        \
  X(MaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor)                        \
  X(AsyncEngineCount, 40, asyncEngineCount)                                              \
  X(UnifiedAddressing, 41, unifiedAddressing)                                            \
  X(PciDomainId, 50, pciDomainID)                                                        \
  X(TexturePitchAlignment, 51, texturePitchAlignment)                                    \
  X(ComputeCapabilityMajor, 75, major)                                                   \
  X(ComputeCapabilityMinor, 76, minor)                                                   \
  X(StreamPrioritiesSupported, 78, streamPrioritiesSupported)                            \
  X(GlobalL1CacheSupported, 79, globalL1CacheSupported)                                  \
  X(LocalL1CacheSupported, 80, localL1CacheSupported)                                    \
  X(MaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor)                    \
  X(MaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor)                            \
  X(ManagedMemory, 83, managedMemory)                                                    \
  X(IsMultiGpuBoard, 84, isMultiGpuBoard)                                                \
  X(MultiGpuBoardGroupID, 85, multiGpuBoardGroupID)                                      \
  X(HostNativeAtomicSupported, 86, hostNativeAtomicSupported)                            \
  X(SingleToDoublePrecisionPerfRatio, 87, singleToDoublePrecisionPerfRatio)              \
  X(PageableMemoryAccess, 88, pageableMemoryAccess)                                      \
  X(ConcurrentManagedAccess, 89, concurrentManagedAccess)                                \
  X(ComputePreemptionSupported, 90, computePreemptionSupported)                          \
  X(CanUseHostPointerForRegisteredMem, 91, canUseHostPointerForRegisteredMem)            \
  X(CooperativeLaunch, 95, cooperativeLaunch)                                            \
  X(CooperativeMultiDeviceLaunch, 96, cooperativeMultiDeviceLaunch)                      \
  X(MaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin)                            \
  X(HostRegisterSupported, 99, hostRegisterSupported)                                    \
  X(PageableMemoryAccessUsesHostPageTables, 100, pageableMemoryAccessUsesHostPageTables) \
  X(DirectManagedMemAccessFromHost, 101, directManagedMemAccessFromHost)                 \
  X(MaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor)                         \
  X(MaxPersistingL2CacheSize, 108, persistingL2CacheMaxSize)                             \
  X(MaxAccessPolicyWindowSize, 109, accessPolicyMaxWindowSize)                           \
  X(ReservedSharedMemoryPerBlock, 111, reservedSharedMemPerBlock)                        \
  X(MemoryPoolsSupported, 115, memoryPoolsSupported)                                     \
  X(ClusterLaunch, 120, clusterLaunch)
enum cudaDeviceAttr {
#define NBODY_ENUMERATOR(name, number, member) cudaDevAttr##name = number,
  NBODY_ATTRIBUTES(NBODY_ENUMERATOR)
#undef NBODY_ENUMERATOR
      cudaDevAttrCanFlushRemoteWrites = 98,
};

typedef struct CUuuid_st {
  char bytes[16];
} cudaUUID_t;

/// Members in CUDA 12's order. The executor fills them from the model of device_models.hpp.
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  std::size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  std::size_t totalConstMem;
  int major, minor;
  std::size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory;
  int computeMode, maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2];
  int maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3];
  int maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3];
  int maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap,
      maxSurfaceCubemapLayered[2];
  std::size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
  int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
  int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  int globalL1CacheSupported, localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
  int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
  int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
  int cooperativeLaunch, cooperativeMultiDeviceLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  std::size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned int memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
};

cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char* name, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* name);
/// Sets the device, because all are equal.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned* flags);
cudaError_t cudaInitDevice(int device, unsigned deviceFlags, unsigned flags);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);

// Functions that are accepted without effect.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

// If there are several devices, they access each other's memory.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to);

// Old names, which CUDA has until version 12.
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, std::size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
inline cudaError_t cudaThreadGetLimit(std::size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
