// The submission's process: computes the forces that the judge asks for. It judges nothing, because
// it contains the student's code.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "grader/judge/pipe_protocol.hpp"
#ifndef NBODY_GPU
#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#include "executor/runtime/settings.hpp"
#endif
#include "base/bad_input.hpp"
#include "bodies/vectors.hpp"
#include "cuda/launch.hpp"
#include "driver/failures.hpp"
#include "driver/step_forces.hpp"

namespace nbody::inline NBODY_PRECISION::NBODY_STEP_NAMESPACE {

namespace {

/// Sets options of the step by name. Skips an option that the submission does not have, unless it
/// is \p required: its forces must be correct with any options.
void setOptions(StepOptions& options, const OptionTexts& texts, bool required) {
  for (const auto& [name, text] : texts) {
    const std::vector<Option> list = options.list();
    const auto option = std::find_if(list.begin(), list.end(),
                                     [&](const Option& other) { return other.name == name; });
    if (option == list.end() ? required : !option->read(text))
      throw BadInput("the program does not accept --" + name + " " + text);
  }
}

/// Returns options that the step itself does not have: "opening=farthest".
OptionTexts ownOptions(int argc, char** argv) {
  OptionTexts texts;
  for (int k = 3; k < argc; ++k) {
    const std::string word = argv[k];
    const std::size_t equals = std::min(word.find('='), word.size() - 1);
    texts.push_back({word.substr(0, equals), word.substr(equals + 1)});
  }
  return texts;
}

void prepareExecutor([[maybe_unused]] const ForceRequest& request) {
#ifndef NBODY_GPU
  executor::options().order = static_cast<executor::Order>(request.order);
  executor::options().seed = request.orderSeed;
  executor::options().goOnOutside = request.goesOn;
  executor::options().inTurns = request.inTurns;
  executor::runtimeSettings().collectReports = request.goesOn;
#endif
}

/// Returns the checker's reports since the last call, as it prints them.
std::string reports() {
  std::string all;
#ifndef NBODY_GPU
  for (const std::string& text : executor::takeReports()) all += text + "\n";
  // One launch shows a race, and to find it in each takes long.
  if (all.find("executor: race") != std::string::npos) executor::options().checkLaunches = 1;
#endif
  return all;
}

std::uint64_t globalBytesRead() {
#ifdef NBODY_GPU
  return 0;
#else
  return executor::checker::globalBytesRead();
#endif
}

/// Computes the forces that the judge asks for, in the backend's memory.
class Forces {
 public:
  /// \param own  options in addition to those of the requests
  explicit Forces(OptionTexts own) : own_(std::move(own)) {}

  std::vector<real4> of(const ForceRequest& request, const std::vector<real4>& bodies) {
    prepareExecutor(request);
    const int count = static_cast<int>(bodies.size());
    if (bodies.size() != bodies_.size()) {
      bodies_ = DeviceArray<real4>(count, "bodies");
      accelerations_ = DeviceArray<real4>(count, "accelerations");
    }
    Options options;
    setOptions(options, request.options, false);
    setOptions(options, own_, true);
    options.resolve(workloadOf({converted<Double4>(bodies), {}}, multiprocessors()));
    bodies_.upload(bodies);
    const auto softeningSquared = static_cast<real>(request.softening * request.softening);
    const std::uint64_t before = globalBytesRead();
    accelerations_.poison();
    do forces_.compute(bodies_, softeningSquared, options, accelerations_);
    while (forces_.lackedMemory());
    CUDA_CHECK(cudaDeviceSynchronize());  // a submission may have its own streams
    bytesRead_ += globalBytesRead() - before;
    return accelerations_.download();
  }

  /// Returns how many bytes of global memory the kernels have read in all evaluations.
  std::uint64_t bytesRead() const { return bytesRead_; }

 private:
  OptionTexts own_;
  StepForces forces_;
  std::uint64_t bytesRead_ = 0;
  DeviceArray<real4> bodies_;
  DeviceArray<real4> accelerations_;
};

int serve(PipeProtocol pipe, const OptionTexts& own) {
  Forces forces(own);
  ForceRequest request;
  std::vector<real4> bodies;
  while (pipe.asked(request, bodies)) {
    const std::vector<real4> found = forces.of(request, bodies);
    pipe.answer(found, forces.bytesRead(), reports());
  }
  return 0;
}

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::NBODY_STEP_NAMESPACE

int main(int argc, char** argv) {
  using namespace nbody;
  using namespace NBODY_STEP_NAMESPACE;
  return reportingFailures(NBODY_STEP_NAME, [&] {
#ifndef NBODY_GPU
    executor::runtimeSettings().protect = true;  // host code must not touch device memory
#endif
    if (argc < 3) throw BadInput("takes two file descriptors, of requests and of replies");
    return serve(PipeProtocol(std::atoi(argv[1]), std::atoi(argv[2])), ownOptions(argc, argv));
  });
}
