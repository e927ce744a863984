// Kind: correct but unusual
// Tries: nothing: its functions have names that a library has too, in a namespace of its own and
//   with C++'s linkage.
// Stopped by: nothing: it is correct.
// Least: 100
#include "honest.hpp"

namespace mine {
__device__ real read(const real4& body) { return body.w; }
}  // namespace mine

__device__ real write(real value) { return value; }
real index(real value) { return value; }

void answer(Call call) {
  if (index(1) != 1) return;
  honest(call);
}
