// Blocks of a multiprocessor by the toolkit's own cuda_occupancy.h. Each line of the input: major minor warps blocks
// shared reserved registers shared-of-block threads; each of the output: blocks.
#include <cuda_occupancy.h>

#include <iostream>

int main() {
  int major, minor, warps, blocks, registers, threads;
  size_t shared, reserved, used;
  while (std::cin >> major >> minor >> warps >> blocks >> shared >> reserved >> registers >> used >>
         threads) {
    cudaOccDeviceProp device;
    device.computeMajor = major;
    device.computeMinor = minor;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = 32 * warps;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.sharedMemPerBlock = 49152;
    device.sharedMemPerMultiprocessor = shared;
    device.sharedMemPerBlockOptin = shared - reserved;
    device.reservedSharedMemPerBlock = reserved;
    device.numSms = 100;
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = 1024;
    kernel.numRegs = registers;
    kernel.sharedSizeBytes = 0;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.maxDynamicSharedSizeBytes = used;
    kernel.numBlockBarriers = 1;
    const cudaOccDeviceState state;
    cudaOccResult result;
    const auto status =
        cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads, used);
    std::cout << (status == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1) << "\n";
  }
}
