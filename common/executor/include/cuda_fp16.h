/// \file
/// CUDA's half.
#pragma once

#include "executor/language/half.hpp"
#include "executor/language/small_float_atomics.hpp"
