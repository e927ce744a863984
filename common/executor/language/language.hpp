/// \file
/// All that a kernel sees without a further header: types, mathematics, intrinsics, barriers, warp
/// functions, atomics, clocks. C++17; the qualifiers are the translator's, or qualifiers.hpp's.
#pragma once

// Programs use of these without asking for them, as they do under nvcc.
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include "executor/language/atomics.hpp"
#include "executor/language/conversions.hpp"
#include "executor/language/device_functions.hpp"
#include "executor/language/integers.hpp"
#include "executor/language/math.hpp"
#include "executor/language/memory_access.hpp"
#include "executor/language/rounding.hpp"
#include "executor/language/tensor_cores.hpp"
#include "executor/language/textures/texture.hpp"
#include "executor/language/vector_types.hpp"
#include "executor/language/warp_functions.hpp"
