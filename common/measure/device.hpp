/// \file
/// The device that a program runs on, and the ceiling that its speed is held against.
#pragma once

#include <string>

namespace nbody {

/// Results of the FMA probe: what the device's FP32 lanes give when they do nothing but
/// multiply-add.
struct FmaCeiling {
  double tflops = 0;  ///< measured, 2 FLOP for each FMA
  double smClockGhz = 0;  ///< at which the probe ran: clock64 against the global timer
  double share = 0;  ///< of 2 x lanes x SMs x that clock
};

struct Device {
  std::string name;  ///< as its maker writes it
  std::string kind;  ///< "gpu", "executor" or "host"
  std::string computeCapability;  ///< the rest for a GPU only
  std::string driver;
  std::string cuda;
  int multiprocessors = 0;
  int lanesPerMultiprocessor = 0;
  FmaCeiling fma;  ///< all 0 where it was not measured
};

/// The GPU in use, with \p measure its FMA ceiling measured (about a quarter of a second); the
/// executor in a build for the CPU.
Device probeDevice(bool measure);

/// The CPU of this machine, on which the host baselines run.
Device hostDevice();

/// FP32 lanes in one multiprocessor of a compute capability: 64 on 7.5 and 8.0, 128 on 8.6 and
/// later.
int lanesPerMultiprocessor(int major, int minor);

}  // namespace nbody
