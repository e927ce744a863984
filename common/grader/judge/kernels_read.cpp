// Linked with a whole program that is graded. At its end it prints how many bytes of global memory its
// kernels have read. whole_program.py finds the line by a number that differs in each grading.
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
