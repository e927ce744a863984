// Linked with a whole program that is graded: says at its end how much its kernels have read of global
// memory. whole_program.py reads it.
#include <cstdio>

#include "executor/checker/checker.hpp"

namespace {

const struct AtEnd {
  ~AtEnd() {
    std::printf("\nkernels read %llu bytes\n",
                static_cast<unsigned long long>(nbody::executor::checker::globalBytesRead()));
    std::fflush(stdout);  // the runtime may end the program without
  }
} atEnd;

}  // namespace
