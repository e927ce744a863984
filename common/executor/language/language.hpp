/// \file
/// All that a kernel sees without another header: types, mathematics, intrinsics, barriers, warp
/// functions, atomics, clocks. C++17. Qualifiers come from the translator or qualifiers.hpp.
#pragma once

// Programs use these headers without including them, as with nvcc.
#include <assert.h>
#include <limits.h>
#include <math.h>
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
#include "executor/language/ptx.hpp"
#include "executor/language/rounding.hpp"
#include "executor/language/tensor_cores.hpp"
#include "executor/language/textures/surface.hpp"
#include "executor/language/textures/texture.hpp"
#include "executor/language/vector_types.hpp"
#include "executor/language/warp_functions.hpp"
