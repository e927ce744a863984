// Kind: headers of its own
// Tries: headers with the names of the suite's and of the system's, beside the kernel and in
//   folders, in which the checker's functions do nothing and a race is none.
// Stopped by: folders are not taken, and the suite's are included by folder. Its forces are right.
// Most: 100
// Trusted: 100
#include "cooperative_groups.h"
#include "cuda.hpp"
#include "honest.hpp"

void answer(Call call) { honest(call); }
