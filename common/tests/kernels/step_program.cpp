// Compiled into the tests of each step: all that differs in those of its program.
#include "program_run.hpp"

namespace nbody {

const char* const kStepProgram = NBODY_STEP_PROGRAM;
const char* const kStepName = NBODY_STEP_NAME;

}  // namespace nbody
