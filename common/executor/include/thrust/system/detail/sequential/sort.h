/// \file
/// Sorts numbers by digits, as on the host. Thrust's device code would only merge.
#pragma once

#include "executor/language/libraries/host_compiler.inl"

#include_next <thrust/system/detail/sequential/sort.h>

#include "executor/language/libraries/cuda_compiler.inl"
