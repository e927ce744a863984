// Lets sources that include cuBLAS compile without it. A function that computes is refused by name.
// Has only what the programs of this folder's list use.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_SUPPORTED = 15 };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
enum cublasMath_t { CUBLAS_DEFAULT_MATH, CUBLAS_TF32_TENSOR_OP_MATH = 3 };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };
enum cublasComputeType_t {
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
enum cudaDataType { CUDA_R_32F = 0, CUDA_R_16F = 2, CUDA_R_16BF = 14 };
using cublasHandle_t = struct cublasContext*;

namespace refused {
inline cublasStatus_t call(const char* function) {
  std::fprintf(stderr, "%s: there is no cuBLAS here\n", function);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
}  // namespace refused

inline cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  *handle = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t cublasDestroy(cublasHandle_t) { return CUBLAS_STATUS_SUCCESS; }

inline cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) {
  return CUBLAS_STATUS_SUCCESS;
}

#define LADDER_REFUSED(function)          \
  template <class... Arguments>           \
  cublasStatus_t function(Arguments...) { \
    return refused::call(#function);      \
  }

LADDER_REFUSED(cublasSgemm)
LADDER_REFUSED(cublasGemmEx)
