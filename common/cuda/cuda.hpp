/// \file
/// The one include of every kernel file: CUDA itself under nvcc, the CPU executor under g++ or
/// clang++.
///
/// A build tree has one backend. With NBODY_GPU defined it is CUDA, for host files too; otherwise
/// the executor supplies the same names.
#pragma once

#ifdef NBODY_GPU
#include <cuda_runtime.h>
#else
#include "executor/language/language.hpp"
#include "executor/language/qualifiers.hpp"
#include "executor/runtime_api.hpp"
#endif

#include "cuda/check.hpp"
#include "cuda/device_array.hpp"
#include "cuda/launch.hpp"
#include "cuda/real.hpp"
