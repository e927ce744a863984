#include "driver/run_program.hpp"

#include <algorithm>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "cuda/launch.hpp"
#include "driver/failures.hpp"
#include "driver/recordings.hpp"
#include "driver/report.hpp"
#include "driver/snapshot_files.hpp"
#include "driver/validation.hpp"
#include "physics/conserved.hpp"

namespace nbody {

namespace {

/// All processes must have been asked for the same: otherwise one waits for what another never does.
void checkArguments(int argc, char** argv, const Processes& processes) {
  std::string words;
  for (int k = 1; k < argc; ++k) words += std::string(argv[k]) + '\n';
  const std::size_t own = std::hash<std::string>()(words);
  std::size_t first = own;
  processes.broadcast(first);
  processes.agree([&] {
    if (own != first)
      throw BadInput("rank " + std::to_string(processes.rank()) +
                     " was started with other arguments than rank 0");
  });
}

void runSteps(Simulation& simulation, const RunOptions& options, SnapshotWriter& snapshots,
              Recordings& recordings) {
  Progress progress("leapfrog steps", options.steps);
  for (int left = options.steps; left > 0;) {
    const long long unseen = std::min(snapshots.stepsToNext(), recordings.stepsToNext());
    const int steps =
        static_cast<int>(std::min<long long>({left, simulation.stepsAtOnce(), unseen}));
    simulation.advance(options.timeStep, steps, options.graph);
    snapshots.afterSteps(steps, simulation);
    recordings.afterSteps(steps, simulation, snapshots.time());
    progress.advance(steps);
    left -= steps;
  }
  simulation.synchronize();
}

double unitRoundoff(const Program& program) { return program.doublePrecision ? 0x1p-53 : 0x1p-24; }

constexpr double kBatchMs = 20;  // time of evaluations between two looks at the clock

/// Compares the forces that \p simulation has just computed from poisoned accelerations with FP64. If the
/// step keeps memory, computes them once more and gives the error of that second evaluation: all that are
/// timed are like it, and the first may not be.
/// \param bodies  that it holds
ForceError checked(Simulation& simulation, const RunOptions& options, const Program& program,
                   const Bodies& bodies) {
  Progress progress("FP64 reference");
  const StepOptions& step = *options.stepOptions;
  const double roundoff = unitRoundoff(program);
  ForceError error = checkForces(simulation, bodies, options.softening, roundoff, step.errorBound(),
                                 program.keepsMemory ? 2 : 1);
  if (error.passed || error.evaluation > 1) return error;
  const std::string part = failedAblation(program, step, bodies, options.softening, roundoff);
  if (!part.empty()) error.hint = part;
  return error;
}

/// Compares the forces of the last step with FP64. They depend on the accelerations of the step before, so their error
/// is not that of bodies at rest.
/// \param bodies  that \p simulation holds
ForceError checkedAfterSteps(Simulation& simulation, const RunOptions& options,
                             const Program& program, const Bodies& bodies) {
  Progress progress("FP64 reference after the last step");
  ForceError error = checkForces(simulation, bodies, options.softening, unitRoundoff(program),
                                 options.stepOptions->errorBound());
  if (!error.passed) error.failure = "after the last step, " + error.failure;
  return error;
}

Conserved conserved(const Bodies& bodies, double softening) {
  Progress progress("energy in FP64");
  return conservedQuantities(bodies, softening);
}

/// The counter that --energy asks for; throws where the program can have none.
EnergyCounter energyCounter(const RunOptions& options, const Program& program) {
  if (options.energySeconds == 0) return {};
  if (program.energyCounter == nullptr)
    throw BadInput(
        "--energy is not available in this program, because it runs as several processes");
  EnergyCounter counter = program.energyCounter();
  if (counter.source.empty()) throw BadInput("--energy: " + counter.missing);
  return counter;
}

/// Measures the energy of force evaluations; \p result has their time.
void countEnergy(Simulation& simulation, const EnergyCounter& counter, int seconds,
                 RunResult& result) {
  result.energyMissing = counter.missing;
  if (!counter.joules) return;
  Progress progress("energy of force evaluations");
  const int runs = 1 + static_cast<int>(kBatchMs / result.force->median);
  const auto batch = [&] {
    for (int k = 0; k < runs; ++k) simulation.computeForces();
    simulation.synchronize();
  };
  result.energy = measureEnergy(counter, batch, runs, seconds);
  if (!result.energy) result.energyMissing = "the counter changed too rarely; give more seconds";
}

/// Measures the forces and steps of \p simulation, whose bodies move. On the executor, only counts their parts.
void measure(Simulation& simulation, const RunOptions& options, const EnergyCounter& counter,
             RunResult& result) {
  const bool timed = result.device.kind != "executor";
  if (timed) {
    Progress progress("timed force evaluations and time steps");
    const double timeStep = options.steps > 0 ? options.timeStep : 0;
    const std::vector<Timing> times = simulation.time(timeStep, options.repeats, options.graph);
    result.force = times[0];
    if (times.size() > 1) result.wholeStep = times[1];
    countEnergy(simulation, counter, options.energySeconds, result);
  }
  result.parts = measurePhases(simulation, options.repeats, timed);
}

/// Bodies that a run starts from.
struct RunBodies {
  Bodies here;  ///< the bodies of the first process
  const SnapshotFile* file = nullptr;  ///< read by the simulation; `here` is then empty
};

Bodies bodiesOf(const RunOptions& options, const Program& program, const SnapshotFile* input) {
  Progress progress(input ? "reading the bodies" : "making the bodies");
  if (input == nullptr) return options.scene->make(options.bodies, options.seed);
  return readInput(*input, options.softening, program.doublePrecision);
}

/// The file of `--input`. The first process opens it; the others do so only if each reads its part.
std::unique_ptr<SnapshotFile> inputOf(RunOptions& options, const Program& program,
                                      SofteningRange range) {
  std::unique_ptr<SnapshotFile> input;
  const Processes& processes = *program.processes;
  processes.agreeOnFirst([&] { input = openInput(options, range); });
  bool shared = program.readsSnapshots && input && input->isTipsy();
  processes.broadcast(shared);
  processes.agree([&] {
    if (!shared || processes.isFirst()) return;
    try {
      input = openInput(options, range);
    } catch (const BadInput& error) {
      throw BadInput("rank " + std::to_string(processes.rank()) + ": " + error.what());
    }
  });
  processes.broadcast(options.bodies);
  processes.broadcast(options.softening);
  return input;
}

/// Returns what the step's options are resolved for; the first process knows the bodies.
Workload workloadFor(const RunOptions& options, const Program& program, const RunBodies& bodies) {
  const int processors = program.deviceBytesPerBody > 0 ? multiprocessors() : 1;
  Workload work = workloadOf(bodies.here, processors);
  if (bodies.file) work = {options.bodies, false, processors};  // its masses are not known
  program.processes->broadcast(work);
  return work;
}

RunResult run(const RunOptions& options, const Program& program, const RunBodies& bodies,
              const EnergyCounter& counter, SnapshotWriter& snapshots, Recordings& recordings) {
  RunResult result;
  result.step = program.name;
  result.precision = program.doublePrecision ? "fp64" : "fp32";
  const Processes& processes = *program.processes;
  {
    Progress progress("looking at the device");
    result.device = program.device(options.measure && processes.isFirst());
  }

  auto simulation = program.simulation(options.bodies, options.softening, *options.stepOptions);
  {
    Progress progress(bodies.file ? "reading the bodies" : "bodies to the device");
    if (bodies.file) simulation->readSnapshot(*bodies.file);
    else simulation->upload(bodies.here);
  }
  simulation->poisonAccelerations();
  {
    Progress progress("forces");
    simulation->computeForces();
    simulation->synchronize();
    result.globalBytesRead = simulation->globalBytesRead();
  }
  std::optional<Conserved> before;
  if (options.check) {
    const Bodies held = simulation->download();
    result.error = checked(*simulation, options, program, held);
    if (options.steps > 0) before = conserved(held, options.softening);
  } else {
    const std::string found = badAccelerations(simulation->accelerations());
    processes.agreeOnFirst([&] {
      if (!found.empty()) throw std::runtime_error(found);
    });
  }
  result.passed = !result.error || result.error->passed;

  if (options.occupancy) {
    const auto kernels = simulation->launches();
    if (!kernels)
      throw BadInput(
          "--occupancy: this program cannot list its kernels, because it does not run on a GPU, or "
          "its host takes part in each force evaluation");
    result.kernels = *kernels;
  }

  recordings.start(*simulation, snapshots.time());
  if (options.steps > 0) runSteps(*simulation, options, snapshots, recordings);
  Bodies last;
  {
    Progress progress("bodies from the device");
    last = simulation->download();
    processes.agreeOnFirst([&] { checkFinite(last); });
  }
  snapshots.writeOutput(*simulation, last);
  recordings.end();
  if (before) {
    const Drift drift = driftOf(*before, conserved(last, options.softening));
    result.momentumDrift = drift.momentum;
    result.energyDrift = drift.energy;
    if (program.remembers)
      result.errorAfterSteps = checkedAfterSteps(*simulation, options, program, last);
  }
  result.passed = result.passed && (!result.errorAfterSteps || result.errorAfterSteps->passed);
  result.endTime = snapshots.time();
  if (options.measure) measure(*simulation, options, counter, result);
  return result;
}

}  // namespace

int runProgram(int argc, char** argv, const Program& program) {
  const Processes& processes = *program.processes;
  const auto runAsked = [&] {
    checkArguments(argc, argv, processes);
    const SofteningRange range = softeningRange(program.doublePrecision);
    auto given = parseOptions(argc, argv, program.name, program.options(), range);
    if (!given) return 0;
    RunOptions& options = *given;
    if (!options.live.empty()) {
      if (processes.size() > 1) throw BadInput("--live: only a run of one process can be watched");
      return runLive(program, options, range);
    }
    processes.agreeOnFirst([&] {
      if (!options.json.empty()) checkWritable(options.json);
    });
    const auto input = inputOf(options, program, range);
    const EnergyCounter counter = energyCounter(options, program);
    double startTime = input ? input->time() : 0;
    processes.broadcast(startTime);
    SnapshotWriter snapshots(options, startTime);
    Recordings recordings(options);
    processes.agreeOnFirst([&] {
      checkFilesDiffer(options);
      snapshots.checkFiles();
      recordings.checkFiles();
    });
    processes.agree([&] {
      Progress progress("start of the device");
      checkMemory(options, program);
    });
    RunBodies bodies;
    if (program.readsSnapshots && input && input->isTipsy()) bodies.file = input.get();
    else processes.agreeOnFirst([&] { bodies.here = bodiesOf(options, program, input.get()); });
    options.stepOptions->resolve(workloadFor(options, program, bodies));

    recordings.announce();
    RunResult result = run(options, program, bodies, counter, snapshots, recordings);
    if (!processes.isFirst()) return 0;
    if (input) result.input = {input->format(), input->time(), input->unused()};
    printReport(options, result);
    const std::string unwritten = recordings.finish(result);
    if (!options.json.empty()) writeWhole(options.json, jsonReport(options, result));
    if (!unwritten.empty()) reportFailure(program.name, unwritten, 2);
    if (!result.passed) {
      std::string what = "check failed: " + result.failed().failure;
      if (!result.failed().hint.empty()) what += "\n  hint: " + result.failed().hint;
      return reportFailure(program.name, what, 1);
    }
    return unwritten.empty() ? 0 : 2;
  };
  return reportingFailures(program.name, runAsked, processes);
}

}  // namespace nbody
