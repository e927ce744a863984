/// \file
/// The device on which a program runs, and the ceiling with which its speed is compared.
#pragma once

#include <string>

namespace nbody {

/// Results of the FMA probe: the rate of the device's FP32 lanes if they do nothing but multiply-adds.
struct FmaCeiling {
  double tflops = 0;  ///< measured TFLOP/s; an FMA counts as 2 FLOP
  double smClockGhz = 0;  ///< clock during the probe, in GHz (clock64 / global timer)
  double share = 0;  ///< tflops as a share of 2 x lanes x multiprocessors x smClockGhz
};

/// Facts about a device.
struct Device {
  std::string name;  ///< the maker's name for it
  std::string kind;  ///< "gpu", "executor" or "host"
  std::string computeCapability;  ///< this and what follows only for a GPU
  std::string driver;
  std::string cuda;
  int multiprocessors = 0;
  int lanesPerMultiprocessor = 0;
  FmaCeiling fma;  ///< all 0 if it was not measured
};

/// Returns the GPU in use, or the executor in a build for the CPU. With \p measure, measures the FMA ceiling
/// of a GPU, which takes about a quarter of a second.
Device probeDevice(bool measure);

/// Returns the CPU of this machine, on which the host baselines run.
Device hostDevice();

/// Returns the FP32 lanes of a multiprocessor: 64 for compute capability 7.5 and 8.0, 128 from 8.6 on.
int lanesPerMultiprocessor(int major, int minor);

}  // namespace nbody
