/// \file
/// Managed memory, for Thrust's vectors.
#pragma once

#include "executor/language/libraries/thrust_memory.hpp"

#include_next <thrust/universal_allocator.h>
