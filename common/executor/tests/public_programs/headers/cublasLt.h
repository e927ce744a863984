// Does for cuBLASLt what cublas_v2.h does for cuBLAS.
#pragma once

#include "cublas_v2.h"

using cublasLtHandle_t = struct cublasLtContext*;
using cublasLtMatmulDesc_t = struct cublasLtMatmulDescription*;
using cublasLtMatmulPreference_t = struct cublasLtMatmulPreference*;
using cublasLtMatrixLayout_t = struct cublasLtMatrixLayout*;

struct cublasLtMatmulAlgo_t {};

struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
};

enum cublasLtEpilogue_t {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36
};
enum cublasLtMatmulDescAttributes_t {
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8
};
enum cublasLtMatmulPreferenceAttributes_t { CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 };

inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t) { return CUBLAS_STATUS_SUCCESS; }

LADDER_REFUSED(cublasLtMatmulDescCreate)
LADDER_REFUSED(cublasLtMatmulDescSetAttribute)
LADDER_REFUSED(cublasLtMatrixLayoutCreate)
LADDER_REFUSED(cublasLtMatmulPreferenceCreate)
LADDER_REFUSED(cublasLtMatmulPreferenceSetAttribute)
LADDER_REFUSED(cublasLtMatmulAlgoGetHeuristic)
LADDER_REFUSED(cublasLtMatmul)

inline cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t) {
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t) {
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t) {
  return CUBLAS_STATUS_SUCCESS;
}
