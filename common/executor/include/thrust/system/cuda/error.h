/// \file
/// CUDA's errors as Thrust's error codes.
#pragma once

#include <thrust/system/error_code.h>

#include "executor/runtime/api.hpp"

THRUST_NAMESPACE_BEGIN
namespace system {

inline const error_category& cuda_category() {
  class Category : public error_category {
   public:
    const char* name() const override { return "cuda"; }
    std::string message(int code) const override {
      return cudaGetErrorString(static_cast<cudaError_t>(code));
    }
  };
  static const Category category;
  return category;
}

}  // namespace system

using system::cuda_category;
namespace cuda {
using system::cuda_category;
}
THRUST_NAMESPACE_END
