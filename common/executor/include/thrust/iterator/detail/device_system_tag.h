/// \file
/// The tag of iterators over device memory.
#pragma once

#include "executor/language/libraries/thrust_policies.hpp"

#include_next <thrust/iterator/detail/device_system_tag.h>
