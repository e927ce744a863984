// Linked with a whole program that is graded: says at its end how much its kernels have read of global
// memory. whole_program.py reads it, and knows it by a number that is another for each grading.
#include <cstdio>

#include "executor/checker/checker.hpp"

namespace {

unsigned long long bytesRead() { return nbody::executor::checker::globalBytesRead(); }

const struct AtEnd {
  AtEnd() { bytesRead(); }  // what it counts in is then made before this, and gone after it
  ~AtEnd() {
    std::printf("\n%llu: kernels read %llu bytes\n", NBODY_NONCE, bytesRead());
    std::fflush(stdout);  // the runtime may end the program without
  }
} atEnd;

}  // namespace
