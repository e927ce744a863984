/// \file
/// One of CUB's iterators.
#pragma once

#include "cub/iterator/iterators.cuh"
