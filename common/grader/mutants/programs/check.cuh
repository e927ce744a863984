/// \file
/// CHECK(): checks the error code of every call of these programs.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t status_ = (call);                                                     \
    if (status_ != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
      std::exit(1);                                                                         \
    }                                                                                       \
  } while (false)

/// Prints the result. Returns the exit status: 0 if \p found is \p expected.
inline int verdictOf(double found, double expected) {
  std::printf("%g, expected %g\n", found, expected);
  return found == expected ? 0 : 1;
}
