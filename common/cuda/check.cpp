#include "cuda/check.hpp"

#include <string>
#include <utility>

#include "base/bad_input.hpp"
#include "cuda/launch.hpp"
#include "cuda/trouble.hpp"
#ifndef NBODY_GPU
#include "executor/runtime/settings.hpp"
#endif

namespace nbody {

namespace {

/// 12.4 of 12040
std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// 7.5 of 75
std::string capability(int number) {
  return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

/// Returns advice on how to build a program with machine code for the GPU.
std::string rebuild(const Machine& machine) {
  const std::string architecture =
      machine.capability == 0 ? "NN (for capability N.N)" : std::to_string(machine.capability);
  return "build it again on this machine, or with -DCMAKE_CUDA_ARCHITECTURES=" + architecture;
}

std::string oldDriver(const Machine& machine) {
  if (machine.driver == 0)
    return "no NVIDIA driver is loaded: install one (nvidia-smi then lists the GPU), or run "
           "without "
           "a GPU: ./run COMMAND --preset cpu";
  return "the NVIDIA driver knows CUDA up to " + version(machine.driver) +
         ", but this program was built with CUDA " + version(machine.toolkit) +
         ": update the driver, or build with an older CUDA toolkit";
}

std::string newPtx(const Machine& machine) {
  return "this program has no machine code for the GPU, and its PTX, of CUDA " +
         version(machine.toolkit) + ", is too new for the driver, which knows CUDA up to " +
         version(machine.driver) + ": " + rebuild(machine) + ", or update the driver";
}

std::string otherArchitecture(const Machine& machine) {
  const std::string gpu = machine.capability == 0
                              ? "this GPU"
                              : "this GPU, of capability " + capability(machine.capability);
  return "this program has no machine code for " + gpu + ": " + rebuild(machine);
}

}  // namespace

Machine thisMachine() {
  Machine machine;
  int major = 0, minor = 0, device = 0;
  static_cast<void>(cudaDriverGetVersion(&machine.driver));
  static_cast<void>(cudaRuntimeGetVersion(&machine.toolkit));
  if (cudaGetDevice(&device) == cudaSuccess &&
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess)
    machine.capability = 10 * major + minor;
  static_cast<void>(cudaGetLastError());
  return machine;
}

std::string troubleOf(cudaError_t status, const Machine& machine) {
  switch (status) {
    case cudaErrorInsufficientDriver:
      return oldDriver(machine);
    case cudaErrorUnsupportedPtxVersion:
      return newPtx(machine);
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidKernelImage:
      return otherArchitecture(machine);
    case cudaErrorDevicesUnavailable:
      return "the GPU's compute mode lets only one process use it, or none "
             "(nvidia-smi -q -d COMPUTE): end the process that nvidia-smi lists, or as "
             "administrator type nvidia-smi -c DEFAULT";
    case cudaErrorNoDevice:
      return "there is no GPU that this process may use: check that nvidia-smi -L lists one, that "
             "CUDA_VISIBLE_DEVICES does not hide it, that this user may read and write it (ls -l "
             "/dev/nvidia*), and in a container that the container got one (docker --gpus all, "
             "apptainer --nv)";
    case cudaErrorInitializationError:
    case cudaErrorOperatingSystem:
    case cudaErrorUnknown:
      return "the driver does not answer: check that this user may read and write "
             "/dev/nvidia0, /dev/nvidiactl and /dev/nvidia-uvm (ls -l /dev/nvidia*), and that "
             "nvidia-smi works";
    case cudaErrorSystemDriverMismatch:
      return "the NVIDIA driver and its libraries have different versions: restart the computer";
    case cudaErrorCompatNotSupportedOnDevice:
      return "CUDA's forward compatibility libraries do not support this GPU: remove their folder, "
             "compat, from LD_LIBRARY_PATH";
    case cudaErrorECCUncorrectable:
      return "the GPU found an error in its memory that it cannot correct: tell the "
             "administrator";
    case cudaErrorMemoryAllocation:
      return "the GPU has no memory left: use fewer bodies, or end other programs that use the GPU "
             "(nvidia-smi lists them)";
    default:
      return "";
  }
}

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

static thread_local cudaStream_t otherStream = nullptr;  // in its place

cudaStream_t useStream(cudaStream_t stream) { return std::exchange(otherStream, stream); }

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
