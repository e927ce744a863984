/// \file
/// The memory of device_vector and its like.
#pragma once

#include "executor/language/libraries/thrust_memory.hpp"

#include_next <thrust/mr/device_memory_resource.h>
