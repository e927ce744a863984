// Kind: work of the host
// Tries: the forces by a loop of the host, beside a kernel that reads as much as the sum does.
// Stopped by: the checker, which knows of each acceleration whether a kernel wrote it.
// Trusted: 0
#include "host_sum.hpp"

void answer(Call call) {
  const std::vector<real4> bodies = call.bodies.download();
  readAll(call);
  call.accelerations.upload(
      hostSum(bodies.data(), static_cast<int>(bodies.size()), call.softeningSquared));
}
