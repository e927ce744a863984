// cudaDeviceGetAttribute(): single properties by number.
#include "executor/runtime/device_api.hpp"
#include "executor/runtime/error_state.hpp"

#define NBODY_ATTRIBUTES(X)                                                         \
  X(MaxThreadsPerBlock, maxThreadsPerBlock)                                         \
  X(MaxBlockDimX, maxThreadsDim[0])                                                 \
  X(MaxBlockDimY, maxThreadsDim[1])                                                 \
  X(MaxBlockDimZ, maxThreadsDim[2])                                                 \
  X(MaxGridDimX, maxGridSize[0])                                                    \
  X(MaxGridDimY, maxGridSize[1])                                                    \
  X(MaxGridDimZ, maxGridSize[2])                                                    \
  X(MaxSharedMemoryPerBlock, sharedMemPerBlock)                                     \
  X(TotalConstantMemory, totalConstMem)                                             \
  X(WarpSize, warpSize)                                                             \
  X(MaxPitch, memPitch)                                                             \
  X(MaxRegistersPerBlock, regsPerBlock)                                             \
  X(ClockRate, clockRate)                                                           \
  X(TextureAlignment, textureAlignment)                                             \
  X(GpuOverlap, deviceOverlap)                                                      \
  X(MultiProcessorCount, multiProcessorCount)                                       \
  X(KernelExecTimeout, kernelExecTimeoutEnabled)                                    \
  X(Integrated, integrated)                                                         \
  X(CanMapHostMemory, canMapHostMemory)                                             \
  X(ComputeMode, computeMode)                                                       \
  X(ConcurrentKernels, concurrentKernels)                                           \
  X(EccEnabled, ECCEnabled)                                                         \
  X(PciBusId, pciBusID)                                                             \
  X(PciDeviceId, pciDeviceID)                                                       \
  X(TccDriver, tccDriver)                                                           \
  X(MemoryClockRate, memoryClockRate)                                               \
  X(GlobalMemoryBusWidth, memoryBusWidth)                                           \
  X(L2CacheSize, l2CacheSize)                                                       \
  X(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)                       \
  X(AsyncEngineCount, asyncEngineCount)                                             \
  X(UnifiedAddressing, unifiedAddressing)                                           \
  X(PciDomainId, pciDomainID)                                                       \
  X(TexturePitchAlignment, texturePitchAlignment)                                   \
  X(ComputeCapabilityMajor, major)                                                  \
  X(ComputeCapabilityMinor, minor)                                                  \
  X(StreamPrioritiesSupported, streamPrioritiesSupported)                           \
  X(GlobalL1CacheSupported, globalL1CacheSupported)                                 \
  X(LocalL1CacheSupported, localL1CacheSupported)                                   \
  X(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor)                   \
  X(MaxRegistersPerMultiprocessor, regsPerMultiprocessor)                           \
  X(ManagedMemory, managedMemory)                                                   \
  X(IsMultiGpuBoard, isMultiGpuBoard)                                               \
  X(MultiGpuBoardGroupID, multiGpuBoardGroupID)                                     \
  X(HostNativeAtomicSupported, hostNativeAtomicSupported)                           \
  X(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio)             \
  X(PageableMemoryAccess, pageableMemoryAccess)                                     \
  X(ConcurrentManagedAccess, concurrentManagedAccess)                               \
  X(ComputePreemptionSupported, computePreemptionSupported)                         \
  X(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem)           \
  X(CooperativeLaunch, cooperativeLaunch)                                           \
  X(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch)                     \
  X(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin)                           \
  X(HostRegisterSupported, hostRegisterSupported)                                   \
  X(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables) \
  X(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost)                 \
  X(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor)                         \
  X(MaxPersistingL2CacheSize, persistingL2CacheMaxSize)                             \
  X(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize)                           \
  X(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock)                        \
  X(MemoryPoolsSupported, memoryPoolsSupported)                                     \
  X(ClusterLaunch, clusterLaunch)

using nbody::executor::runtime::result;

constexpr int kMostAttribute = 145;  // as many as CUDA 12 has

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp p;
  if (const cudaError_t error = cudaGetDeviceProperties(&p, device); error != cudaSuccess)
    return error;
  switch (attribute) {
#define NBODY_CASE(name, member)         \
  case cudaDevAttr##name:                \
    *value = static_cast<int>(p.member); \
    return result();
    NBODY_ATTRIBUTES(NBODY_CASE)
#undef NBODY_CASE
    default:
      *value = 0;  // an ability that the executor does not have
      return result(static_cast<int>(attribute) > kMostAttribute ? cudaErrorInvalidValue
                                                                 : cudaSuccess);
  }
}
