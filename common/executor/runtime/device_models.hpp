/// \file
/// The limits of GPUs, by which the executor judges a program.
#pragma once

#include <cstddef>
#include <string>

#include "executor/runtime/device_api.hpp"

namespace nbody::executor::runtime {

/// Numbers of the CUDA programming guide's table of compute capabilities, and of NVIDIA's data
/// sheets.
struct DeviceModel {
  const char* name;  ///< as an option, "h100"
  const char* title;  ///< "NVIDIA H100"
  int major, minor;  ///< of the compute capability
  int threadsPerMultiprocessor;
  int blocksPerMultiprocessor;
  std::size_t sharedPerMultiprocessor;  ///< bytes
  std::size_t sharedPerBlockOptIn;  ///< bytes of a block that asks for more than 48 KiB
  std::size_t reservedSharedPerBlock;  ///< bytes
  int l2CacheBytes;
  int memoryBusBits;
  std::size_t memoryBytes;
};

constexpr std::size_t kSharedPerBlock = 48 * 1024;  ///< bytes, on all GPUs
constexpr int kMostThreads = 1024;  ///< of a block, on all GPUs
constexpr int kRegistersPerMultiprocessor = 65536;

/// Null where there is none of that name.
const DeviceModel* findModel(const std::string& name);
/// The one of the settings.
const DeviceModel& model();
/// "t4, a100, ..."
std::string modelNames();

cudaDeviceProp propertiesOf(const DeviceModel& model);

}  // namespace nbody::executor::runtime
