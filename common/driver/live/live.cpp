#include "driver/live/live.hpp"

#include "driver/live/run.hpp"
#include "driver/snapshot_files.hpp"

namespace nbody {

namespace {

/// The device of \p program. The peak rate of a GPU is measured unless \p state has it.
Device deviceOf(const Program& program, LiveState& state) {
  Device device = program.device(false);
  if (device.kind != "gpu") return device;
  if (device.name == state.gpu) device.fma.tflops = state.tflops;
  else device = program.device(true);
  state.gpu = device.name;
  state.tflops = device.fma.tflops;
  return device;
}

/// The first line; empty if the pipes were closed before it came.
std::string firstLine(LivePipes& pipes) {
  while (!pipes.ended())
    if (const auto line = pipes.line(std::chrono::hours(1))) return *line;
  return "";
}

void serve(const Program& program, RunOptions& options, SofteningRange range, LivePipes& pipes) {
  if (options.input.empty()) {
    LiveState state = {.settings = givenSettings(options, program)};
    const Device device = deviceOf(program, state);
    LiveModel model(program, state.settings);
    LiveRun(program, device, model, std::move(state)).serve(pipes);
  } else {
    LiveState state = stateOf(firstLine(pipes));
    const Device device = deviceOf(program, state);
    // A program that the run comes back to takes again what it had.
    if (state.program != program.name) checkLimits(state.settings, liveLimits(device));
    const auto file = openInput(options, range);
    LiveModel model(
        program, state.settings, readInput(*file, program.doublePrecision), state.moment);
    LiveRun(program, device, model, std::move(state)).serve(pipes);
  }
}

}  // namespace

int runLive(const Program& program, RunOptions& options, SofteningRange range) {
  LivePipes pipes(options.live);
  try {
    serve(program, options, range, pipes);
  } catch (const std::exception& error) {
    pipes.tell({{"type", "failed"}, {"why", error.what()}});
    throw;
  }
  return 0;
}

}  // namespace nbody
