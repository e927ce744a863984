/// \file
/// All of CUB that the executor supports.
#pragma once

#include "cub/collectives.cuh"
#include "cub/device.cuh"
