/// \file
/// CUDA's runtime and kernel language, on the CPU executor.
#pragma once

#ifndef __cplusplus
#error "the CPU executor has CUDA's runtime for C++ only"
#endif

#include "nbody/letters_away.inl"

#define CUDART_VERSION 12040
#define CUDA_VERSION 12040
#define __CUDART_API_VERSION 12040
#define __cudart_builtin__
#define CUDA_CB

// Programs and CUDA's own headers test these to see whether types are known.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__

#ifndef __CUDACC__
#include "executor/language/qualifiers.hpp"
#endif
#include "executor/language/language.hpp"
#include "executor/runtime/api.hpp"

#include "nbody/letters_back.inl"
