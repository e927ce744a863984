// What a hand-in runs in: a process that computes the forces that it is asked for, and nothing
// else. It judges nothing, for its student's code is in it.
#include <cstdlib>
#include <stdexcept>

#include "examine/wire.hpp"
#ifndef NBODY_GPU
#include "cuda/executor/grid.hpp"
#endif
#include "program/bad_input.hpp"
#include "program/convert.hpp"
#include "program/failures.hpp"
#include "program/simulation.hpp"
#include "program/step.hpp"

namespace nbody {

namespace {

/// The step's parameters with these \p values. One that the hand-in does not have is left out: its
/// forces are to be right whatever it has.
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

int serve(Wire wire, const ParameterValues& own) {
  ForceRequest request;
  std::unique_ptr<Simulation> simulation;
  std::size_t count = 0;
  double softening = 0;
  ParameterValues values;
  while (wire.receive(request)) {
    setOrder(request);
    if (!simulation || count != request.bodies.size() || softening != request.softening ||
        values != request.parameters) {
      count = request.bodies.size();
      softening = request.softening;
      values = request.parameters;
      ParameterValues all = values;
      all.insert(all.end(), own.begin(), own.end());
      simulation = nullptr;  // its memory first
      simulation = makeStepSimulation(static_cast<int>(count), softening, withValues(all));
    }
    simulation->upload({converted<Double4>(request.bodies), std::vector<Double4>(count)});
    simulation->poisonAccelerations();
    simulation->computeForces();
    simulation->synchronize();
    wire.send(
        {simulation->globalBytesRead().value_or(0), converted<real4>(simulation->accelerations())});
  }
  return 0;
}

}  // namespace

}  // namespace nbody

int main(int argc, char** argv) {
  using namespace nbody;
  return reportingFailures(NBODY_STEP_NAME, [&] {
    if (argc < 3) throw BadInput("takes two file descriptors, of requests and of replies");
    return serve(Wire(std::atoi(argv[1]), std::atoi(argv[2])), own(argc, argv));
  });
}
