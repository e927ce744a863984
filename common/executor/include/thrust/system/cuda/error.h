/// \file
/// CUDA's errors as Thrust names them.
#pragma once

#include "thrust/detail/system.h"
