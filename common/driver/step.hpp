/// \file
/// All headers that a step's forces.cu needs. It defines the functions that step_forces.hpp declares.
#pragma once

#include <memory>

#include "cuda/cuda.hpp"
#include "measure/timing.hpp"
#include "options.hpp"
