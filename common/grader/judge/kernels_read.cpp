// Linked with a whole program that is graded. At its end it prints how many bytes of global memory
// its kernels have read, in a line with a number that differs in each grading (see
// whole_program.py).
#include <cstdio>

#include "executor/checker/checker.hpp"

namespace {

unsigned long long bytesRead() { return nbody::executor::checker::globalBytesRead(); }

const struct AtEnd {
  AtEnd() { bytesRead(); }  // so that the counter is made before this object and destroyed after it
  ~AtEnd() {
    std::printf("\n%llu: kernels read %llu bytes\n", NBODY_NONCE, bytesRead());
    std::fflush(stdout);  // the runtime may end the program without flushing
  }
} atEnd;

}  // namespace
