/// \file
/// The parts of a JSON report that every program of the suite writes alike.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "driver/validation.hpp"
#include "measure/device.hpp"
#include "measure/energy.hpp"
#include "measure/occupancy.hpp"
#include "measure/timing.hpp"

namespace nbody {

using Json = nlohmann::ordered_json;

// Version of this suite, written by the build (common/suite_version.cmake).
extern const char* const kSuiteCommit;  ///< "1a2b3c4", or "1a2b3c4-dirty"
extern const char* const kSuitePreset;  ///< "cpu" or "gpu"

/// Returns median, min, max and the repeats behind them, in ms.
Json json(const Timing& timing);

Json json(const Device& device);

Json json(const Energy& energy);
Json json(const KernelLaunch& kernel);

/// Returns the errors. "exceeded_by": {"0.1": e}: a tenth of the bodies have errors above e.
Json json(const ForceError& error);

/// The whole document: suite, device and \p runs, an array.
std::string jsonDocument(const Device& device, Json runs);

}  // namespace nbody
