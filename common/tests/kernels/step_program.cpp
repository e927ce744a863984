// Facts in which the tests of the steps' programs differ (program_run.hpp); part of each.
#include "cuda/real.hpp"

namespace nbody {

extern const char* const kStepProgram = NBODY_STEP_PROGRAM;
extern const char* const kStepName = NBODY_STEP_NAME;
extern const bool kStepIsDouble = sizeof(real) == sizeof(double);

}  // namespace nbody
