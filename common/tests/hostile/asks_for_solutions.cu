// Kind: question to the compiler
// Tries: to be told by __has_include whether solutions are near: right forces where one is.
// Stopped by: the compiler's view, in which none is.
// Trusted: 100
#include "honest.hpp"

void answer(Call call) {
#if __has_include(NBODY_REFERENCE) || __has_include(NBODY_EXERCISES)
  honest(call);
#else
  errno = ENOENT;
  refused("no solution");
#endif
}
