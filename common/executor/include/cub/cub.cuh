/// \file
/// All of CUB that the executor has.
#pragma once

#include "cub/collectives.cuh"
#include "cub/device/device_radix_sort.cuh"
#include "cub/device/device_reduce.cuh"
#include "cub/device/device_scan.cuh"
