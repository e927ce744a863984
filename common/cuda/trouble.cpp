#include "cuda/trouble.hpp"

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

/// How a program gets machine code for the GPU.
std::string rebuild(const Machine& machine) {
  const std::string architecture =
      machine.capability == 0 ? "NN (for capability N.N)" : std::to_string(machine.capability);
  return "build anew on this machine, or with -DCMAKE_CUDA_ARCHITECTURES=" + architecture;
}

std::string oldDriver(const Machine& machine) {
  if (machine.driver == 0)
    return "no NVIDIA driver is loaded: install one (nvidia-smi then lists the GPU), or run "
           "without "
           "a GPU: ./run COMMAND --preset cpu";
  return "the NVIDIA driver knows CUDA up to " + version(machine.driver) +
         ", this program is of CUDA " + version(machine.toolkit) +
         ": update the driver, or build with a toolkit that it knows";
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
      return "the GPU is taken: its compute mode lets one process use it, or none "
             "(nvidia-smi -q -d COMPUTE): end the process that nvidia-smi lists, or as "
             "administrator type nvidia-smi -c DEFAULT";
    case cudaErrorNoDevice:
      return "no GPU that this process may use: look whether nvidia-smi -L lists one, whether "
             "CUDA_VISIBLE_DEVICES leaves one out, whether this user may read and write it (ls -l "
             "/dev/nvidia*), and in a container whether it was given one (docker --gpus all, "
             "apptainer --nv)";
    case cudaErrorInitializationError:
    case cudaErrorOperatingSystem:
    case cudaErrorUnknown:
      return "the driver does not answer: look whether this user may read and write "
             "/dev/nvidia0, /dev/nvidiactl and /dev/nvidia-uvm (ls -l /dev/nvidia*), and whether "
             "nvidia-smi works";
    case cudaErrorSystemDriverMismatch:
      return "the NVIDIA driver in the kernel and its libraries are of different versions: reboot";
    case cudaErrorCompatNotSupportedOnDevice:
      return "CUDA's forward compatibility libraries are not for this GPU: take their folder, "
             "compat, out of LD_LIBRARY_PATH";
    case cudaErrorECCUncorrectable:
      return "the GPU's memory has an error that its hardware found and cannot mend: tell the "
             "administrator";
    case cudaErrorMemoryAllocation:
      return "the GPU has no more memory: fewer bodies need less, and nvidia-smi lists whose "
             "programs have the rest";
    default:
      return "";
  }
}

}  // namespace nbody
