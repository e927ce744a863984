/// \file
/// CUDA's bfloat16.
#pragma once

#include "executor/language/bfloat16.hpp"
#include "executor/language/small_float_atomics.hpp"
