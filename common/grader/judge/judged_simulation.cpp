// The simulation of the judges (judge.cmake): another process computes the forces.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "grader/judge/pipe_protocol.hpp"
#ifndef NBODY_GPU
#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#endif
#include "bodies/vectors.hpp"
#include "cuda/launch.hpp"
#include "driver/failures.hpp"
#include "driver/host_simulation.hpp"
#include "driver/step_forces.hpp"

namespace nbody::inline NBODY_PRECISION::NBODY_STEP_NAMESPACE {

namespace {

/// Returns the connection to the submission. NBODY_SUBMISSION has its descriptors: "IN,OUT".
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

/// Returns the options that differ from the step's defaults for these bodies. Submissions get them.
OptionTexts chosen(StepOptions& options, const std::vector<real4>& bodies) {
  const std::unique_ptr<StepOptions> defaults = makeStepOptions();
  defaults->resolve(workloadOf({converted<Double4>(bodies), {}}, multiprocessors()));
  OptionTexts texts;
  const std::vector<Option> usual = defaults->list();
  const std::vector<Option> own = options.list();
  for (std::size_t k = 0; k < own.size(); ++k)
    if (textOf(own[k]) != textOf(usual[k])) texts.push_back({own[k].name, textOf(own[k])});
  return texts;
}

/// Throws if kernels read nothing, as the executor's checker counts: the forces then come from the
/// host, which could not read the bodies on a GPU. With \p count 1 nothing is required, because
/// nothing pulls a single body.
void requireKernel([[maybe_unused]] std::size_t count, [[maybe_unused]] std::uint64_t bytesRead) {
#ifndef NBODY_GPU
  static std::uint64_t before = 0;
  if (executor::checker::kOn && count > 1 && bytesRead <= before)
    throw std::runtime_error(
        "no kernel uses the values of the bodies: is the sum over the bodies missing, or the "
        "launch?");
  before = bytesRead;
#endif
}

/// Prints reports of the checker on stderr, each line with a mark, for runs.py. They come from the
/// submission's process, so nothing in them may look like the judge's own words.
void passOn(const std::string& reports) {
  std::istringstream lines(reports);
  for (std::string line; std::getline(lines, line);)
    std::fprintf(stderr, "submission: %s\n", line.c_str());
}

/// Returns the reports of the checker. Ends the judge if there is no answer.
std::string ask(const ForceRequest& request, const std::vector<real4>& bodies,
                std::vector<real4>& accelerations, std::uint64_t& bytesRead) {
  submission().ask(request, bodies);
  std::string reports;
  if (!submission().answered(accelerations, bytesRead, reports))
    std::_Exit(reportFailure("judge", "no forces from the submission", kSubmissionGone));
  return reports;
}

bool hasRanks(const StepOptions& options) {
  const std::vector<Option> all = options.clone()->list();
  return std::any_of(all.begin(), all.end(), [](const Option& o) { return o.name == "ranks"; });
}

void setOrder([[maybe_unused]] ForceRequest& request) {
#ifndef NBODY_GPU
  request.order = static_cast<int>(executor::options().order);
  request.orderSeed = executor::options().seed;
#endif
}

std::unique_ptr<Simulation> makeJudged(int count, double softening, const StepOptions& options) {
  ForceRequest request;
  request.goesOn = std::getenv("NBODY_JUDGE_STOPS") == nullptr;
  const bool ranks = hasRanks(options);  // whose messages are counted, so none is sent once more
  std::shared_ptr<StepOptions> own = options.clone();
  auto bytesRead = std::make_shared<std::uint64_t>(0);
  auto lastRequest = std::make_shared<ForceRequest>();  // of forces that a race may have spoilt
  auto hasRace = std::make_shared<bool>(false);
  const auto forces = [=](const std::vector<real4>& bodies, real softeningSquared,
                          std::vector<real4>& accelerations) mutable {
    request.softening = softeningOf(softening, softeningSquared);
    if (own) request.options = chosen(*std::exchange(own, nullptr), bodies);
    setOrder(request);
    const std::string reports = ask(request, bodies, accelerations, *bytesRead);
    passOn(reports);
    *hasRace = *hasRace || (!ranks && reports.find("executor: race") != std::string::npos);
    *lastRequest = request;
    requireKernel(bodies.size(), *bytesRead);
  };
  const auto inTurns = [=](const std::vector<real4>& bodies, real,
                           std::vector<real4>& accelerations) {
    ForceRequest again = *lastRequest;
    again.inTurns = true;
    again.order = 0;
    std::uint64_t alsoRead = 0;
    if (*hasRace) ask(again, bodies, accelerations, alsoRead);
    return *hasRace;
  };
  return makeHostSimulation(
      count, softening, forces, nullptr, [=] { return std::optional(*bytesRead); }, inTurns);
}

[[maybe_unused]] const bool kLinked =
    link({NBODY_STEP_NAME, sizeof(real) == sizeof(double), kNeeds.workspace, false,
          std::make_unique<Options>, makeJudged});

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::NBODY_STEP_NAMESPACE
