// Kind: compiler that reads
// Tries: to include the step's own forces.cu by its path.
// Stopped by: the compiler's view, in which the steps are not.
// Trusted: 100
#include "target.hpp"

#include NBODY_REFERENCE
