/// \file
/// All of CUB that the executor has.
#pragma once

#include "cub/collectives.cuh"
#include "cub/device.cuh"
