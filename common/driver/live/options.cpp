// The options of a live run.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/bad_input.hpp"
#include "driver/command_line.hpp"
#include "driver/run_options.hpp"

namespace nbody {

void addLiveOptions(CLI::App& app, LiveOptions& live) {
  addOption(app,
            "--live [PORT]",
            live.port,
            "show the run in a browser, on a page with all settings, until you stop the\n"
            "  program; port 0 takes any free port (default: 8750)")
      ->expected(0, 1)
      ->default_str("8750")
      ->check(wholeNumber(0, 65535));
  addOption(app,
            "--live-address ADDRESS",
            live.address,
            "with --live, the address of this machine at which the page is served\n"
            "  (default: 127.0.0.1)")
      ->needs("--live");
  addOption(app, "--live-guard FD", live.guard, "")->group("");
}

bool liveAsked(const CLI::App& app, StepOptions& stepOptions) {
  if (app.get_option("--live-guard")->count() + app.get_option("--live")->count() == 0)
    return false;
  std::vector<std::string> company = {"--live",
                                      "--live-address",
                                      "--bodies",
                                      "--scene",
                                      "--seed",
                                      "--dt",
                                      "--softening",
                                      "--graph"};
  for (const Option& option : stepOptions.list()) company.push_back("--" + option.name);
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0 && !option->check_lname("live-guard") &&  // a hidden one has no name
        std::find(company.begin(), company.end(), option->get_name()) == company.end())
      throw BadInput("--live and " + option->get_name() +
                     ": choose one; a live run has no end and writes no file");
  return true;
}

}  // namespace nbody
