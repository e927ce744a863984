/// \file
/// Headers of the suite and of the standard library that the steps' forces.cu and options.hpp use.
/// Each submission's kernels include it first (judge.cmake), because the compiler launcher then has
/// it precompiled: reading it takes longer than the submission's own lines.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "bodies/vectors.hpp"
#include "cuda/cuda.hpp"
#include "cuda/launch.hpp"
#include "driver/compiled_values.hpp"
#include "driver/defaults.hpp"
#include "driver/step_options.hpp"
#include "measure/timing.hpp"
