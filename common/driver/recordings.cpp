// The files of a run: those that its bodies come from and go to, its movie and its trajectory.
#include "driver/recordings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "bodies/units.hpp"
#include "driver/snapshot_files.hpp"
#include "driver/validation.hpp"

namespace nbody {

namespace fs = std::filesystem;

long long snapshotNumber(const std::string& name, const std::string& output) {
  const std::string stem = fs::path(name).stem().string();
  const std::string start = fs::path(output).stem().string() + "-";
  if (!stem.starts_with(start) || stem.size() < start.size() + 6) return 0;
  return std::max(0LL, parse<long long>(stem.substr(start.size())).value_or(0));
}

std::unique_ptr<SnapshotFile> openInput(RunOptions& options, SofteningRange range) {
  if (options.input.empty()) return nullptr;
  auto file = std::make_unique<SnapshotFile>(options.input);
  options.bodies = static_cast<int>(file->count());
  const double softening = file->softening();
  if (!options.softeningGiven && softening >= range.least && softening <= range.most)
    options.softening = softening;
  return file;
}

Bodies readInput(const SnapshotFile& file, double softening, bool doublePrecision) {
  Bodies bodies = file.read();
  try {
    unitsFor(bodies, softening, doublePrecision);
  } catch (const BadInput& error) {
    file.refuse(error.what());
  }
  return bodies;
}

SnapshotWriter::SnapshotWriter(const RunOptions& options, double time)
    : options_(options), time_(time), number_(snapshotNumber(options.input, options.output)) {}

void SnapshotWriter::checkFiles() const {
  const RunOptions& options = options_;
  if (options.output.empty()) return;
  checkWritable(options.output);
  if (options.snapshotEvery == 0) return;
  if (isSpecialFile(options.output))
    throw BadInput("--snapshot-every: numbered snapshots need an --output that is a file, not " +
                   options.output);
  // Checks only the first ones of a longer run, because each costs a look at the folder.
  constexpr long long kChecked = 1000;
  const long long every = options.snapshotEvery;
  const long long first = number_ + every - number_ % every;
  const long long last = std::min(number_ + options.steps, first + every * (kChecked - 1));
  std::error_code ignored;
  for (long long number = first; number <= last; number += every)
    if (number == first || fs::exists(numberedName(number), ignored))
      checkWritable(numberedName(number));
}

long long SnapshotWriter::stepsToNext() const {
  const long long every = options_.snapshotEvery;
  return every == 0 ? std::numeric_limits<long long>::max() : every - number_ % every;
}

void SnapshotWriter::afterSteps(int steps, const Simulation& simulation) {
  // Added one by one, so that a run that continues from a file has, to the bit, the time of one long
  // run.
  for (int k = 0; k < steps; ++k) time_ += options_.timeStep;
  number_ += steps;
  if (options_.snapshotEvery == 0 || number_ % options_.snapshotEvery != 0) return;
  const std::string path = numberedName(number_);
  if (simulation.writeSnapshot(path, time_, options_.softening)) return;
  const Bodies bodies = simulation.download();
  simulation.processes().agreeOnFirst([&] {
    checkFinite(bodies);
    writeSnapshot(path, bodies, time_, options_.softening);
  });
}

void SnapshotWriter::writeOutput(const Simulation& simulation, const Bodies& bodies) const {
  if (options_.output.empty()) return;
  if (simulation.writeSnapshot(options_.output, time_, options_.softening)) return;
  simulation.processes().agreeOnFirst(
      [&] { writeSnapshot(options_.output, bodies, time_, options_.softening); });
}

std::string SnapshotWriter::numberedName(long long number) const {
  const fs::path path = options_.output;
  const std::string digits = formatted("-%06lld", number);
  return path.parent_path() / (path.stem().string() + digits + path.extension().string());
}

namespace {

std::vector<BodyRange> componentsOf(const RunOptions& options) {
  if (!options.input.empty() || options.scene->components == nullptr) return {};
  return options.scene->components(options.bodies);
}

std::string megabytes(double bytes) {
  return formatted(bytes < 1e6 ? "%.2f MB" : "%.1f MB", bytes * 1e-6);
}

/// Throws BadInput where \p path cannot be written, or its disk has no room for that many bytes.
void checkRoom(const std::string& path, double bytes) {
  checkWritable(path);
  if (isSpecialFile(path)) return;
  std::error_code error;
  const fs::space_info space = fs::space(fs::weakly_canonical(path).parent_path(), error);
  if (error || bytes <= static_cast<double>(space.available)) return;
  throw BadInput("cannot write " + path + ": it takes " + megabytes(bytes) + ", its disk has " +
                 megabytes(static_cast<double>(space.available)));
}

}  // namespace

Recordings::Recordings(const RunOptions& options) : options_(options) {
  constexpr int kMostFrames = 300;
  constexpr double kMostPairs = 5e9;  // 4 s of two cores: a potential costs count^2 / 2
  every_ = options.frameEvery;
  if (every_ == 0) every_ = std::max(1, (options.steps + kMostFrames - 2) / (kMostFrames - 1));
  frames_ = 1 + options.steps / every_;
  const double pairs = 0.5 * options.bodies * options.bodies;
  framesBetweenEnergies_ = std::max(1, static_cast<int>(std::ceil(frames_ * pairs / kMostPairs)));
  chosen_ = evenlyChosen(options.bodies, options.movieMaxBodies);
  const int shown = static_cast<int>(chosen_.size());
  planned_ = {
      {"movie", options.movie, shown, movieBytes(shown, frames_)},
      {"trajectory", options.trajectory, options.bodies, trajectoryBytes(options.bodies, frames_)}};
  std::erase_if(planned_, [](const PlannedFile& file) { return file.path.empty(); });
}

void Recordings::checkFiles() const {
  for (const PlannedFile& file : planned_) checkRoom(file.path, file.bytes);
}

void Recordings::announce() const {
  for (const PlannedFile& file : planned_)
    std::printf("%-18s %s: %d frame%s of %d bodies, about %s\n", file.kind, file.path.c_str(),
                frames_, frames_ == 1 ? "" : "s", file.bodies, megabytes(file.bytes).c_str());
  std::fflush(stdout);
}

template <class File>
void Recordings::attempt(std::unique_ptr<File>& file, const std::function<void(File&)>& work) {
  if (file && !attempt([&] { work(*file); })) file.reset();
}

bool Recordings::attempt(const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const BadInput& error) {
    failures_.push_back(error.what());
    return false;
  }
}

void Recordings::start(const Simulation& simulation, double time) {
  const bool writes = simulation.processes().isFirst();
  if (writes && !options_.movie.empty())
    attempt([&] { movie_ = std::make_unique<MovieFile>(options_.movie, chosen_); });
  if (writes && !options_.trajectory.empty())
    attempt([&] {
      trajectory_ = std::make_unique<TrajectoryFile>(options_.trajectory, options_.bodies, frames_);
    });
  if (!planned_.empty()) addFrame(simulation, time);
}

// Frames are due even if no file is left: only the first process knows of a file that failed.
long long Recordings::stepsToNext() const {
  if (planned_.empty()) return std::numeric_limits<long long>::max();
  return every_ - steps_ % every_;
}

void Recordings::afterSteps(int steps, const Simulation& simulation, double time) {
  steps_ += steps;
  if (!planned_.empty() && steps_ % every_ == 0) addFrame(simulation, time);
}

void Recordings::addFrame(const Simulation& simulation, double time) {
  const Bodies bodies = simulation.download();
  simulation.processes().agreeOnFirst([&] { checkFinite(bodies); });
  attempt<MovieFile>(movie_,
                     [&](MovieFile& movie) { movie.add(bodies, time, energyDriftOf(bodies)); });
  attempt<TrajectoryFile>(trajectory_, [&](TrajectoryFile& file) { file.add(bodies); });
}

std::optional<double> Recordings::energyDriftOf(const Bodies& bodies) {
  const int frame = steps_ / every_;
  if (frame % framesBetweenEnergies_ != 0) return std::nullopt;
  const Conserved now = conservedQuantities(bodies, options_.softening);
  if (frame == 0) start_ = now;
  return driftOf(start_, now).energy;
}

void Recordings::end() {
  attempt<TrajectoryFile>(trajectory_, [](TrajectoryFile& file) { file.finish(); });
}

std::string Recordings::finish(const RunResult& result) {
  attempt<MovieFile>(movie_, [&](MovieFile& movie) {
    movie.finish({.scene = options_.sceneName(),
                  .program = result.step + ", " + result.precision,
                  .device = result.device.name,
                  .bodies = options_.bodies,
                  .interactionsPerSecond = interactionsPerSecond(options_, result),
                  .components = componentsOf(options_)});
  });
  return oneLine(joined(failures_));  // a file's name may have several
}

}  // namespace nbody
