// Linked with a whole program that is graded: says at its end how much its kernels have read of global
// memory. whole_program.py reads it, and knows it by a number that is another for each grading.
#include <cstdio>

#include "executor/checker/checker.hpp"

namespace {

const struct AtEnd {
  ~AtEnd() {
    std::printf("\n%llu: kernels read %llu bytes\n",
                NBODY_NONCE,
                static_cast<unsigned long long>(nbody::executor::checker::globalBytesRead()));
    std::fflush(stdout);  // the runtime may end the program without
  }
} atEnd;

}  // namespace
