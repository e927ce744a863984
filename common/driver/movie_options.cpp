#include "driver/movie_options.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <limits>
#include <string_view>
#include <vector>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "driver/option_checks.hpp"

namespace nbody {

namespace {

bool samePath(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(a, ignored) ==
         std::filesystem::weakly_canonical(b, ignored);
}

}  // namespace

void addMovieOptions(CLI::App& app, RunOptions& options) {
  constexpr int kMostSteps = std::numeric_limits<int>::max();
  CLI::Option* movie =
      app.add_option("--movie",
                     options.movie,
                     "write the run to FILE as a movie: one HTML file with its player, which\n"
                     "  needs a browser with WebGL 2 and nothing else")
          ->type_name("FILE.html")
          ->check(checkFileName);
  CLI::Option* trajectory =
      app.add_option("--trajectory",
                     options.trajectory,
                     "write every body's position in each frame to FILE, little-endian: int32\n"
                     "  count, int32 frames, float32 [frames][count][3]")
          ->type_name("FILE")
          ->check(checkFileName);
  app.add_option("--picture",
                 options.picture,
                 "draw the bodies at the end, projected on x-y and x-z, in a FILE that ends in\n"
                 "  .png or .svg")
      ->type_name("FILE")
      ->check(checkFileName);
  CLI::Option* every =
      app.add_option("--frame-every",
                     options.frameEvery,
                     "steps from one frame of --movie and --trajectory to the next [as many as\n"
                     "  make at most 300 frames]")
          ->type_name("N")
          ->check(wholeNumber(1, kMostSteps));
  app.add_option("--movie-max-bodies",
                 options.movieMaxBodies,
                 "with more bodies than N, --movie shows N of them, evenly chosen [65536]")
      ->type_name("N")
      ->check(wholeNumber(1, kMaxBodies))
      ->needs(movie);
  app.callback([=] {
    if (every->count() > 0 && movie->count() == 0 && trajectory->count() == 0)
      throw CLI::RequiresError("--frame-every", "--movie or --trajectory");
  });
}

void checkFilesDiffer(const RunOptions& options) {
  struct File {
    std::string_view option;
    const std::string& name;
  };
  const std::vector<File> files = {{"--json", options.json},
                                   {"--output", options.output},
                                   {"--movie", options.movie},
                                   {"--trajectory", options.trajectory},
                                   {"--picture", options.picture},
                                   {"--input", options.input}};
  for (auto a = files.begin(); a != files.end(); ++a)
    for (auto b = a + 1; b != files.end(); ++b) {
      if (a->name.empty() || b->name.empty() || isSpecialFile(a->name)) continue;
      // The bodies at the end may take the place of those at the start.
      if (a->option == "--output" && b->option == "--input") continue;
      if (samePath(a->name, b->name))
        throw BadInput(std::string(a->option) + " and " + std::string(b->option) +
                       " are the same file, " + a->name);
    }
}

}  // namespace nbody
