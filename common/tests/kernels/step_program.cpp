// Compiled into the tests of each step: all that differs in those of its program (program_run.hpp).
#include "cuda/real.hpp"

namespace nbody {

extern const char* const kStepProgram = NBODY_STEP_PROGRAM;
extern const char* const kStepName = NBODY_STEP_NAME;
extern const bool kStepIsDouble = sizeof(real) == sizeof(double);

}  // namespace nbody
