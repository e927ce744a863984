/// \file
/// Thrust's configuration, which each of its headers includes first. The compiler is a host
/// compiler, and the device system is the executor's, thrust::cuda.
#pragma once

#include "executor/language/libraries/host_compiler.inl"

#undef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM 4  // THRUST_DEVICE_SYSTEM_CPP, whose headers are used
#include_next <thrust/detail/config.h>
#undef __THRUST_DEVICE_SYSTEM_NAMESPACE
#define __THRUST_DEVICE_SYSTEM_NAMESPACE cuda
#undef __THRUST_DEVICE_SYSTEM_ROOT
// clang-format off
#define __THRUST_DEVICE_SYSTEM_ROOT thrust/system/cpp
// clang-format on

#include "executor/language/libraries/cuda_compiler.inl"
