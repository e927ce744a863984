// The options of the files that a run reads and writes.
#include "driver/run_options.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <limits>

#include "base/output_file.hpp"
#include "driver/command_line.hpp"
#include "driver/snapshot_files.hpp"

namespace nbody {

namespace {

/// A file of a run, and the option that names it.
struct FileOption {
  std::string option;
  std::string RunOptions::*name;
  const char* help;
  const char* type = "FILE";
};

const FileOption kFiles[] = {
    {"--input", &RunOptions::input,
     "read the bodies from FILE instead of a scene: tipsy (big- or little-endian) or\n"
     "  CSV (x,y,z,vx,vy,vz,mass), in units with G = 1. By default, --softening is then\n"
     "  the file's, or 0.01 if the file has none, and --dt is 1/1024"},
    {"--output", &RunOptions::output,
     "write the bodies to FILE after the last step. A name that ends in .csv gives CSV\n"
     "  in double precision. Any other name gives tipsy in single precision,\n"
     "  big-endian if it ends in .std"},
    {"--json", &RunOptions::json, "write the results to FILE, as JSON"},
    {"--movie", &RunOptions::movie,
     "write the run to FILE as a movie: one HTML file with its own player, for any\n"
     "  browser with WebGL 2",
     "FILE.html"},
    {"--trajectory", &RunOptions::trajectory,
     "write the position of every body in each frame to FILE, little-endian: int32\n"
     "  count, int32 frames, float32 [frames][count][3]"}};

std::string checkMovieName(const std::string& name) {
  if (name.ends_with(".html") || isSpecialFile(name)) return "";
  return "a movie is one HTML file with its own player, so its name must end in .html, not '" +
         name + "'";
}

bool samePath(const std::string& a, const std::string& b) {
  // Absolute first: of a file that is not there yet "name" would stay as it is, but "./name" not.
  const auto path = [](const std::string& name) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(name, ignored), ignored);
  };
  return path(a) == path(b);
}

/// Returns whether a numbered snapshot of \p output may overwrite \p name.
bool isNumbered(const std::filesystem::path& name, const std::filesystem::path& output) {
  return snapshotNumber(name, output) > 0 && name.extension() == output.extension() &&
         samePath(name, output.parent_path() / name.filename());
}

}  // namespace

void addFileOptions(CLI::App& app, RunOptions& options) {
  constexpr int kMostSteps = std::numeric_limits<int>::max();
  for (const FileOption& file : kFiles)
    app.add_option(file.option, options.*file.name, file.help)
        ->option_text(file.type)
        ->check(checkFileName)
        ->check(file.name == &RunOptions::movie ? checkMovieName : checkFileName);
  addOption(app, "--snapshot-every N", options.snapshotEvery,
            "with --output NAME.EXT, also write NAME-000100.EXT and so on, every N steps. If\n"
            "  a run starts from such a file and has the same --output, its numbers continue from\n"
            "  there")
      ->check(wholeNumber(1, kMostSteps))
      ->needs(app.get_option("--output"));
  addOption(app, "--frame-every N", options.frameEvery,
            "time steps from one frame of --movie and --trajectory to the next (default:\n"
            "  chosen so that there are at most 300 frames)")
      ->check(wholeNumber(1, kMostSteps));
  addOption(app, "--movie-max-bodies N", options.movieMaxBodies,
            "with --movie, show at most N bodies, evenly chosen (default: 65536)")
      ->check(wholeNumber(1, kMaxBodies))
      ->needs(app.get_option("--movie"));
  app.callback([&] {
    if (options.frameEvery > 0 && options.movie.empty() && options.trajectory.empty())
      throw CLI::RequiresError("--frame-every", "--movie or --trajectory");
  });
}

void checkFilesDiffer(const RunOptions& options) {
  for (const FileOption* a = std::begin(kFiles); a != std::end(kFiles); ++a)
    for (const FileOption* b = a + 1; b != std::end(kFiles); ++b) {
      const std::string &first = options.*a->name, &second = options.*b->name;
      if (first.empty() || second.empty() || isSpecialFile(first)) continue;
      // The bodies at the end may take the place of those at the start.
      if (a->option == "--input" && b->option == "--output") continue;
      if (samePath(first, second))
        throw BadInput(a->option + " and " + b->option + " are the same file, " + first);
    }
  if (options.snapshotEvery == 0) return;
  for (const FileOption& file : kFiles) {
    const std::string& name = options.*file.name;
    if (file.option != "--input" && isNumbered(name, options.output))  // a run may go on from one
      throw BadInput(file.option + " " + name + " is a name for the snapshots of --snapshot-every");
  }
}

}  // namespace nbody
