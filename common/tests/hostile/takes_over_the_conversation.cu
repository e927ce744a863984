// Kind: conversation taken over
// Tries: to answer the judge itself, with forces of the host and a count of its own, and never to
//   return to the program that would have been asked.
// Stopped by: the grader, which looks at what the object calls.
// Calls: checked
// Trusted: 0
#include "grader/judge/pipe_protocol.hpp"
#include "host_sum.hpp"

static int requestDescriptor() {
  const std::string words = textOf("/proc/self/cmdline");
  return std::atoi(words.c_str() + words.find('\0') + 1);
}

void answer(Call call) {
  PipeProtocol pipe(requestDescriptor(), replyDescriptor());
  std::vector<real4> bodies = call.bodies.download();
  float eps2 = call.softeningSquared;
  std::uint64_t read = 1 << 30;
  ForceRequest request;
  do {
    pipe.answer(hostSum(bodies.data(), static_cast<int>(bodies.size()), eps2), read += 1 << 30);
  } while (pipe.asked(request, bodies) &&
           (eps2 = static_cast<real>(request.softening * request.softening), true));
  _exit(0);
}
