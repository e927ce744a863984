/// \file
/// With which an algorithm runs: device, host, seq.
#pragma once

#include "thrust/detail/system.h"
