#include "driver/file_options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>

#include "driver/option_checks.hpp"

namespace nbody {

namespace {

std::string checkSteps(const std::string& text) {
  int steps = 0;
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, steps);
  if (error == std::errc() && after == end && steps > 0) return "";
  return "must be a whole number of steps above 0, not '" + text + "'";
}

}  // namespace

void addFileOptions(CLI::App& app, RunOptions& options) {
  app.add_option("--input",
                 options.input,
                 "read the bodies from FILE in place of a scene: tipsy binary, big- or\n"
                 "  little-endian, or CSV (x,y,z,vx,vy,vz,mass), in units with G = 1.\n"
                 "  --softening is then the file's own, else 0.01, and --dt 1/1024, unless given")
      ->type_name("FILE")
      ->check(checkFileName);
  app.add_option("--output",
                 options.output,
                 "write the bodies to FILE after the last step: CSV in double precision\n"
                 "  where it ends in .csv; tipsy, in single precision, by any other name,\n"
                 "  big-endian where that ends in .std")
      ->type_name("FILE")
      ->check(checkFileName);
  app.add_option("--snapshot-every",
                 options.snapshotEvery,
                 "with --output NAME.EXT write NAME-000100.EXT too, and so on, every N steps;\n"
                 "  a run from one of these, with the same --output, counts on from its number")
      ->type_name("N")
      ->check(checkSteps)
      ->needs(app.get_option("--output"));
}

std::string RunOptions::sceneName() const {
  return input.empty() ? scene->name : std::filesystem::path(input).filename().string();
}

}  // namespace nbody
