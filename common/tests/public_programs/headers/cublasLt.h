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

template <class... Arguments>
cublasStatus_t cublasLtMatmulDescCreate(Arguments...) {
  return refused::call("cublasLtMatmulDescCreate");
}

template <class... Arguments>
cublasStatus_t cublasLtMatmulDescSetAttribute(Arguments...) {
  return refused::call("cublasLtMatmulDescSetAttribute");
}

template <class... Arguments>
cublasStatus_t cublasLtMatrixLayoutCreate(Arguments...) {
  return refused::call("cublasLtMatrixLayoutCreate");
}

template <class... Arguments>
cublasStatus_t cublasLtMatmulPreferenceCreate(Arguments...) {
  return refused::call("cublasLtMatmulPreferenceCreate");
}

template <class... Arguments>
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(Arguments...) {
  return refused::call("cublasLtMatmulPreferenceSetAttribute");
}

template <class... Arguments>
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(Arguments...) {
  return refused::call("cublasLtMatmulAlgoGetHeuristic");
}

template <class... Arguments>
cublasStatus_t cublasLtMatmul(Arguments...) {
  return refused::call("cublasLtMatmul");
}

template <class... Arguments>
cublasStatus_t cublasLtMatmulDescDestroy(Arguments...) {
  return CUBLAS_STATUS_SUCCESS;
}

template <class... Arguments>
cublasStatus_t cublasLtMatmulPreferenceDestroy(Arguments...) {
  return CUBLAS_STATUS_SUCCESS;
}

template <class... Arguments>
cublasStatus_t cublasLtMatrixLayoutDestroy(Arguments...) {
  return CUBLAS_STATUS_SUCCESS;
}
