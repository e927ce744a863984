/// \file
/// The one include of every kernel file: CUDA itself under nvcc, the CPU executor under g++ or
/// clang++.
///
/// A build tree has one backend: with NBODY_GPU defined it is CUDA; otherwise the executor supplies
/// the same headers.
#pragma once

#include "cuda/check.hpp"
#include "cuda/device_array.hpp"
#include "cuda/launch.hpp"
#include "cuda/real.hpp"
