// Kind: definitions of its own
// Tries: reportingFailures() of its own, in which the program does nothing and ends well.
// Stopped by: the judge, which has no forces then.
// Trusted: 0
#include "honest.hpp"

#include <functional>

namespace nbody {

int reportingFailures(const std::string&, const std::function<int()>&) { return 0; }
int reportFailure(const std::string&, const std::string&, int) { return 0; }

}  // namespace nbody

void answer(Call call) { honest(call); }
