#include "driver/snapshot_files.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "driver/validation.hpp"

namespace nbody {

namespace fs = std::filesystem;

namespace {

/// \param first  the place of the first of \p bodies in the file
void checkSinglePrecision(const SnapshotFile& file, const Bodies& bodies, std::int64_t first) {
  // Three squares of it, as of the largest softening, are finite.
  constexpr double kFarthest = 1e18;
  constexpr double kMax = std::numeric_limits<float>::max();
  for (int i = 0; i < bodies.count(); ++i) {
    const Double4& p = bodies.positions[i];
    const Double4& v = bodies.velocities[i];
    const auto check = [&](const char* what, double number, double most) {
      if (std::abs(number) <= most) return;
      file.refuse(formatted("body %lld: its %s of %g is too large for single precision, above %g",
                            static_cast<long long>(first + i), what, number, most));
    };
    for (double number : {p.x, p.y, p.z}) check("position", number, kFarthest);
    for (double number : {v.x, v.y, v.z}) check("velocity", number, kMax);
    check("mass", p.w, kMax);
  }
}

}  // namespace

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

Bodies readInput(const SnapshotFile& file, bool doublePrecision) {
  Bodies bodies = file.read();
  if (!doublePrecision) checkSinglePrecision(file, bodies, 0);
  checkMasses(file, doublePrecision, greatestMass(bodies));
  return bodies;
}

Bodies readInputPart(const SnapshotFile& file, bool doublePrecision, std::int64_t first,
                     std::int64_t count) {
  Bodies bodies = file.read(first, count);
  if (!doublePrecision) checkSinglePrecision(file, bodies, first);
  return bodies;
}

void checkMasses(const SnapshotFile& file, bool doublePrecision, double greatest) {
  if (!(greatest > 0)) file.refuse("the masses of all its bodies are 0");
  if (!doublePrecision && !(static_cast<float>(greatest) > 0))
    file.refuse("the masses of all its bodies are 0 in single precision");
}

double greatestMass(const Bodies& bodies) {
  double greatest = 0;
  for (const Double4& body : bodies.positions) greatest = std::max(greatest, body.w);
  return greatest;
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

}  // namespace nbody
