/// \file
/// Moves of iterators.
#pragma once

#include "thrust/distance.h"
