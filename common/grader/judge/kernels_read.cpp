// Linked with a whole program that is graded: says at its end how much its kernels have read of global
// memory, how their work was spread over threads, and what they have written that the host got to
// see. whole_program.py reads it, and knows it by a number that is another for each grading.
#include <cstdio>

#include "executor/checker/checker.hpp"
#include "executor/checker/origin.hpp"

namespace {

namespace checker = nbody::executor::checker;

unsigned long long bytesRead() { return checker::globalBytesRead(); }

const struct AtEnd {
  AtEnd() {
    bytesRead();  // what it counts in is then made before this, and gone after it
    checker::beginWork(true);
    checker::keepWords();
  }
  ~AtEnd() {
    std::printf("\n%llu: kernels read %llu bytes\n", NBODY_NONCE, bytesRead());
    const checker::Work work = checker::workDone();
    std::printf("%llu: the longest thread took %llu of %llu ns\n%llu: kernels wrote ",
                NBODY_NONCE,
                static_cast<unsigned long long>(work.longest),
                static_cast<unsigned long long>(work.all),
                NBODY_NONCE);
    for (const unsigned word : checker::keptWords()) std::printf("%08x", word);
    std::puts("");
    std::fflush(stdout);  // the runtime may end the program without
  }
} atEnd;

}  // namespace
