#include "cuda/check.hpp"

#include <string>

#include "base/bad_input.hpp"
#include "cuda/launch.hpp"
#include "cuda/trouble.hpp"
#ifndef NBODY_GPU
#include "executor/runtime/settings.hpp"
#endif

namespace nbody {

void checkCuda(cudaError_t status, const char* expression, const char* file, int line) {
#ifndef NBODY_GPU
  if (const std::exception_ptr error = executor::takeKernelError()) std::rethrow_exception(error);
#endif
  if (status == cudaSuccess) return;
  const std::string place = std::string(" (") + file + ":" + std::to_string(line) + ")";
  if (status == cudaErrorLaunchOutOfResources)
    throw BadInput("the block is too large for the registers that the kernel's threads need" +
                   place);
  const std::string failed = std::string(expression) + " failed: " + cudaGetErrorString(status);
  if (troubleOf(status, {}).empty()) throw CudaError(failed + place);
  throw CudaError(troubleOf(status, thisMachine()) + " [" + failed + place + "]");
}

static cudaStream_t otherStream = nullptr;  // in its place

void useStream(cudaStream_t stream) { otherStream = stream; }

cudaStream_t stream() {
  if (otherStream != nullptr) return otherStream;
  static cudaStream_t theStream = [] {
    cudaStream_t created;
    CUDA_CHECK(cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking));
    return created;
  }();
  return theStream;
}

bool capturing() {
  cudaStreamCaptureStatus status;
  CUDA_CHECK(cudaStreamIsCapturing(stream(), &status));
  return status != cudaStreamCaptureStatusNone;
}

}  // namespace nbody
