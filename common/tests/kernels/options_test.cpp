// The defaults of every step's options, for GPUs of any size; compiled once, linked with each step.
#include "driver/simulation.hpp"
#include "program_run.hpp"

using namespace nbody;

namespace {

constexpr bool kEqualMasses = true;

/// From a laptop's GPU to a data centre's; the executor says 8.
constexpr int kMultiprocessors[] = {1, 8, 66, 108, 132, 148};

std::unique_ptr<StepOptions> resolved(int bodies, int multiprocessors, bool equalMasses) {
  auto options = makeStepOptions();
  options->resolve({bodies, equalMasses, multiprocessors});
  return options;
}

/// The name of an option in JSON.
std::string keyOf(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string textOf(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

TEST_CASE("defaults are values that a user may give, on a GPU of any size") {
  for (int multiprocessors : kMultiprocessors)
    for (int bodies : {1, 2, 31, 33, 257, 1000, 16384, 65536, 262144, 1048576, 16777216})
      for (bool equalMasses : {true, false}) {
        const auto options = resolved(bodies, multiprocessors, equalMasses);
        for (const Option& option : options->list()) {
          const std::string text = nbody::textOf(option);
          INFO(bodies << " bodies, " << multiprocessors << " multiprocessors: --" << option.name
                      << " " << text);
          CHECK(option.read(text));
        }
      }
}

TEST_CASE("what a user gives is kept, and the rest follows from it") {
  const auto step = makeStepOptions();
  for (std::size_t k = 0; k < step->list().size(); ++k) {
    const std::vector<std::string> values = step->list()[k].values;
    for (const std::string& value : {values.front(), values.back()}) {
      auto options = makeStepOptions();
      REQUIRE(options->list()[k].read(value));
      options->resolve({3000, kEqualMasses, 132});
      CHECK(nbody::textOf(options->list()[k]) == value);
      for (const Option& option : options->list()) CHECK(option.read(nbody::textOf(option)));
    }
  }
}

TEST_CASE("what no option allows is refused and changes nothing") {
  const auto options = resolved(1000, 132, kEqualMasses);
  for (const Option& option : options->list()) {
    const std::string before = nbody::textOf(option);
    for (const char* text : {"", "0", "-1", "3.5e", "nan", "inf", "99999999999", "no such word"}) {
      INFO("--" << option.name << " " << text);
      CHECK_FALSE(option.read(text));
      CHECK(nbody::textOf(option) == before);
    }
  }
}

TEST_CASE("defaults for 132 multiprocessors are those of the recorded figure 31-6") {
  if (std::string(kStepName).ends_with("_fp64")) return;  // the figure is of single precision
  std::ifstream file(NBODY_TEST_DIR "/../../docs/results/h200/bodies.json");
  const auto figure = nlohmann::json::parse(file);
  int found = 0;
  for (const auto& run : figure["runs"]) {
    if (run["step"] != kStepName) continue;
    ++found;
    const auto options = resolved(run["bodies"], 132, kEqualMasses);
    for (const Option& option : options->list()) {
      // A quarter of the free memory is the machine's.
      if (option.name == "stored-mib" || option.name.ends_with("-memory")) continue;
      INFO("--" << option.name << " of " << run["bodies"] << " bodies");
      const std::string recorded = textOf(run["parameters"].at(keyOf(option.name)));
      // Older records have the relative criterion's old name.
      CHECK(nbody::textOf(option) == (recorded == "felt" ? "relative" : recorded));
    }
  }
  const std::string name = kStepName;
  if (name == "06_lists" || name == "07_device_tree" || name >= "09_")
    return;  // the figure has 06_tree_walk and 07_tuned, and is older than step 09
  CHECK(found >= 3);
}
