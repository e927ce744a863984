/// \file
/// The device system's copies.
#pragma once

#include_next <thrust/system/detail/adl/copy.h>

#include "executor/language/libraries/thrust_copies.hpp"
