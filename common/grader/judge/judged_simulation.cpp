// makeStepSimulation() of the judges (judge.cmake): the forces come from another process.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "grader/judge/pipe_protocol.hpp"
#ifndef NBODY_GPU
#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#endif
#include "driver/failures.hpp"
#include "driver/host_simulation.hpp"
#include "driver/step.hpp"

namespace nbody {

namespace {

/// The connection to the submission's process, whose descriptors NBODY_SUBMISSION names: "IN,OUT".
PipeProtocol& submission() {
  static PipeProtocol pipe = [] {
    int in = -1;
    int out = -1;
    const char* text = std::getenv("NBODY_SUBMISSION");
    if (text == nullptr || std::sscanf(text, "%d,%d", &in, &out) != 2)
      throw std::runtime_error("NBODY_SUBMISSION does not name two file descriptors");
    std::signal(SIGPIPE, SIG_IGN);  // a submission that has ended is detected by its missing reply
    return PipeProtocol(in, out);
  }();
  return pipe;
}

/// Those that are not the step's defaults for \p count bodies: of these a submission has its own.
ParameterValues chosen(const Parameters& parameters, int count) {
  const Parameters defaults = stepParameters();
  const Parameters forCount = defaults.chosenFor(count);
  ParameterValues values;
  for (const Parameter& p : parameters)
    if (p.value != defaults[p.name] && p.value != forCount[p.name])
      values.push_back({p.name, p.value});
  return values;
}

/// The executor's checker counts what kernels read: forces without any come from the host, which on
/// a GPU could not read the bodies. \p count of them, for one body feels none.
void requireKernel([[maybe_unused]] std::size_t count, [[maybe_unused]] std::uint64_t bytesRead) {
#ifndef NBODY_GPU
  static std::uint64_t before = 0;
  if (executor::checker::kOn && count > 1 && bytesRead <= before)
    throw std::runtime_error("no kernel has read the bodies");
  before = bytesRead;
#endif
}

void setOrder([[maybe_unused]] ForceRequest& request) {
#ifndef NBODY_GPU
  request.order = static_cast<int>(executor::options().order);
  request.orderSeed = executor::options().seed;
#endif
}

}  // namespace

std::unique_ptr<Simulation> makeStepSimulation(int count,
                                               double softening,
                                               const Parameters& parameters) {
  ForceRequest request;
  request.softening = softening;
  request.parameters = chosen(parameters, count);
  auto bytesRead = std::make_shared<std::uint64_t>(0);
  const auto forces =
      [=](const std::vector<real4>& bodies, real, std::vector<real4>& accelerations) mutable {
        setOrder(request);
        submission().ask(request, bodies);
        if (!submission().answered(accelerations, *bytesRead))
          std::_Exit(reportFailure("judge", "no forces from the submission", kSubmissionGone));
        requireKernel(bodies.size(), *bytesRead);
      };
  return makeHostSimulation(
      count, softening, forces, nullptr, [=] { return std::optional(*bytesRead); });
}

}  // namespace nbody
