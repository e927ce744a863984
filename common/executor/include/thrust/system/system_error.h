/// \file
/// The exception of algorithms that fail with a CUDA error.
#pragma once

#include_next <thrust/system/system_error.h>

#include <thrust/system/cuda/error.h>

#include "executor/language/libraries/thrust_policies.hpp"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

inline const bool throwsSystemError = [] {
  throwError = [](cudaError_t error, const char* what) {
    throw system_error(error, cuda_category(), what);
  };
  return true;
}();

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
