/// \file
/// Limits of GPUs, with which the executor judges a program.
#pragma once

#include <cstddef>
#include <string>

namespace nbody::executor::runtime {

/// Numbers from the CUDA programming guide (compute capabilities) and from NVIDIA's data sheets.
struct DeviceModel {
  const char* name;  ///< name of an option: "h100"
  const char* title;  ///< "NVIDIA H100"
  int major, minor;  ///< compute capability
  int threadsPerMultiprocessor;
  int blocksPerMultiprocessor;
  std::size_t sharedPerMultiprocessor;  ///< bytes
  std::size_t sharedPerBlockOptIn;  ///< bytes per block that asks for more than 48 KiB
  std::size_t reservedSharedPerBlock;  ///< bytes
  int l2CacheBytes;
  int memoryBusBits;
  std::size_t memoryBytes;
};

constexpr std::size_t kSharedPerBlock = 48 * 1024;  ///< bytes, on all GPUs
constexpr int kMostThreads = 1024;  ///< per block, on all GPUs
constexpr int kRegistersPerMultiprocessor = 65536;

/// Returns the model of that name; null if there is none.
const DeviceModel* findModel(const std::string& name);
/// Returns the model of the settings.
const DeviceModel& model();
/// Returns "t4, a100, ...".
std::string modelNames();

}  // namespace nbody::executor::runtime
