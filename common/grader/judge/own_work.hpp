/// \file
/// Whether forces are the work of a submission's kernels: written by them, from what the device has
/// and not from what the host has worked out, by many threads.
#pragma once

#include <cstddef>
#include <string>

#include "cuda/device_array.hpp"
#include "cuda/real.hpp"

namespace nbody {

/// Such a complaint begins with one of these two; own_work.py knows both.
inline constexpr const char* kNotOwnWork = "the forces are not the work of a kernel: ";
inline constexpr const char* kNotParallel = "the kernel is not parallel: ";

class OwnWork {
 public:
  /// \param hostWork  the step's own forces need the host, which reads the bodies
  explicit OwnWork(bool hostWork) : hostWork_(hostWork) {}

  /// Before an evaluation for \p count bodies; \p exact: the second look, at one that seemed serial.
  void begin(std::size_t count, bool exact);

  /// Whether one thread has done so much of the evaluation that it is worth a second look.
  bool seemsSerial() const;

  /// What is wrong with how the evaluation came by its forces; empty where nothing is.
  std::string complaint(const DeviceArray<real4>& accelerations) const;

 private:
  bool hostWork_;
  std::size_t count_ = 0;
};

}  // namespace nbody
