/// \file
/// printf() in a program with kernels.
#pragma once

namespace nbody::executor {

/// C's in host code. In a kernel its result is CUDA's: how many arguments the format takes, -1 where
/// it is null.
[[gnu::format(printf, 1, 2)]] int deviceOrHostPrintf(const char* format, ...);

}  // namespace nbody::executor
