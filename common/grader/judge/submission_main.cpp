// The submission's process: computes the forces that the judge asks for, and judges nothing, for
// the student's code is in it.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "grader/judge/pipe_protocol.hpp"
#ifndef NBODY_GPU
#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#endif
#include "base/bad_input.hpp"
#include "bodies/convert.hpp"
#include "driver/failures.hpp"
#include "driver/step.hpp"

namespace nbody {

namespace {

/// The step's parameters with these \p values. One that the submission does not have is left out:
/// its forces are to be right whatever it has.
Parameters withValues(const ParameterValues& values) {
  Parameters parameters = stepParameters();
  for (const auto& [name, value] : values)
    for (Parameter& parameter : parameters) {
      if (parameter.name != name) continue;
      const std::vector<int>& allowed = parameter.allowed;
      if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
        throw BadInput("--" + name + " does not allow " + std::to_string(value));
      parameter.value = value;
    }
  return parameters;
}

/// Values of words, "opening=farthest", for parameters that the step itself does not have.
ParameterValues own(int argc, char** argv) {
  ParameterValues values;
  for (int k = 3; k < argc; ++k) {
    const std::string word = argv[k];
    const std::string name = word.substr(0, word.find('='));
    const std::string text = word.substr(std::min(word.size(), name.size() + 1));
    bool found = false;
    for (const Parameter& parameter : stepParameters())
      for (std::size_t i = 0; parameter.name == name && i < parameter.names.size(); ++i)
        if (parameter.names[i] == text) {
          values.push_back({name, parameter.allowed[i]});
          found = true;
        }
    if (!found) throw BadInput("there is no option --" + name + " " + text);
  }
  return values;
}

void setOrder([[maybe_unused]] const ForceRequest& request) {
#ifndef NBODY_GPU
  executor::options().order = static_cast<executor::Order>(request.order);
  executor::options().seed = request.orderSeed;
#endif
}

/// What the judge asks for, on the backend's memory.
class Forces {
 public:
  /// \param values  beside those of the requests
  explicit Forces(ParameterValues values) : values_(std::move(values)) {}

  const std::vector<real4>& of(const ForceRequest& request, const std::vector<real4>& bodies) {
    setOrder(request);
    const int count = static_cast<int>(bodies.size());
    if (bodies.size() != bodies_.size()) {
      bodies_ = DeviceArray<real4>(count, "bodies");
      accelerations_ = DeviceArray<real4>(count, "accelerations");
    }
    ParameterValues values = request.parameters;
    values.insert(values.end(), values_.begin(), values_.end());
    bodies_.upload(bodies);
    accelerations_.poison();
    computeForces(bodies_,
                  static_cast<real>(request.softening * request.softening),
                  settled(withValues(values).chosenFor(count), bodies),
                  accelerations_);
    CUDA_CHECK(cudaDeviceSynchronize());  // a submission may have streams of its own
    return found_ = accelerations_.download();
  }

 private:
  /// Few parameters ask for the bodies, whose conversion takes longer than their way here.
  static Parameters settled(Parameters parameters, const std::vector<real4>& bodies) {
    const bool asks = std::any_of(parameters.begin(), parameters.end(), [](const Parameter& p) {
      return p.settle != nullptr;
    });
    return asks ? parameters.settledFor({converted<Double4>(bodies), {}}) : parameters;
  }

  ParameterValues values_;
  DeviceArray<real4> bodies_;
  DeviceArray<real4> accelerations_;
  std::vector<real4> found_;
};

std::uint64_t globalBytesRead() {
#ifdef NBODY_GPU
  return 0;
#else
  return executor::checker::globalBytesRead();
#endif
}

int serve(PipeProtocol pipe, const ParameterValues& values) {
  Forces forces(values);
  ForceRequest request;
  std::vector<real4> bodies;
  while (pipe.asked(request, bodies)) {
    const std::vector<real4>& found = forces.of(request, bodies);
    pipe.answer(found, globalBytesRead());
  }
  return 0;
}

}  // namespace

}  // namespace nbody

int main(int argc, char** argv) {
  using namespace nbody;
  return reportingFailures(NBODY_STEP_NAME, [&] {
    if (argc < 3) throw BadInput("takes two file descriptors, of requests and of replies");
    return serve(PipeProtocol(std::atoi(argv[1]), std::atoi(argv[2])), own(argc, argv));
  });
}
