// The command line of a step's program, run as its user runs it.
#include "bodies/scenes.hpp"
#include "cuda/launch.hpp"
#include "driver/validation.hpp"
#include "program_run.hpp"

using namespace nbody;

TEST_CASE("every scene runs") {
  for (const Scene& scene : scenes())
    runWell("--steps 2 --repeats 1 --scene " + scene.name +
            (scene.fixedCount ? "" : " --bodies 61"));
  for (const char* few : {"collision --bodies 1", "galaxy --bodies 1", "merger --bodies 2"})
    runWell(std::string("--steps 2 --repeats 1 --scene ") + few);
}

#ifdef NBODY_GPU  // where the order of atomic additions changes
TEST_CASE("steps run with and without a graph") {
  CHECK(contains(runWell("--bodies 100 --steps 20 --repeats 1 --graph").out, "energy"));
  runWell("--bodies 100 --steps 20 --repeats 1 --no-graph");
}
#else
TEST_CASE("steps of a graph are those of one call after the other, to the last bit") {
  TestFolder folder;
  const auto bodiesAfter = [&](const std::string& option) {
    const std::string file = folder / "bodies.csv";
    runWell("--bodies 150 --steps 12 --repeats 1 --no-measure --output " + file + " " + option);
    return contentOf(file);
  };
  const std::string expected = bodiesAfter("--no-graph"), inGraph = bodiesAfter("--graph");
  CHECK(std::count(expected.begin(), expected.end(), '\n') >= 150);
  const bool anyOrder = std::string(kStepName).rfind("05", 0) == 0;  // its atomics add in any order
  CHECK((inGraph == expected || anyOrder));
}
#endif

TEST_CASE("a run that does not measure still checks") {
  const Outcome outcome = runWell("--bodies 100 --no-measure");
  CHECK(contains(outcome.out, "passed"));
  CHECK_FALSE(outcome.document["device"].contains("fma_tflops"));
  CHECK_FALSE(outcome.firstRun().contains("force_ms"));
}

#ifdef NBODY_GPU
TEST_CASE("energy is counted, or the report says why not") {
  const Outcome outcome = runWell("--bodies 4096 --steps 0 --repeats 1 --energy 2");
  if (contains(outcome.out, "not counted: ")) return;
  const auto& energy = outcome.firstRun()["energy"];
  CHECK(energy["watts"].get<double>() > 10);
  CHECK(energy["updates"].get<int>() >= 2);
}

TEST_CASE("the kernels of an evaluation come with what the driver says of them") {
  const std::string words = "--bodies 4096 --steps 0 --repeats 1 --occupancy";
  const Outcome outcome = run(words);
  if (outcome.status == 2)
    return requireRefused(words, "--occupancy: this program cannot list its kernels");  // step 06
  const auto kernels = runWell(words).firstRun().at("kernels");
  REQUIRE(!kernels.empty());
  for (const auto& kernel : kernels) {
    CHECK(kernel["registers"].get<int>() > 0);
    CHECK(kernel["blocks_per_multiprocessor"].get<int>() > 0);
  }
}
#else
TEST_CASE("the executor has no energy and no occupancy") {
  requireRefused("--bodies 100 --energy 1", "--energy: the CPU executor checks kernels");
  requireRefused("--bodies 100 --occupancy", "--occupancy: this program cannot list its kernels");
}
#endif

TEST_CASE("help names options, units and defaults") {
  const Outcome outcome = run("--help");
  CHECK(outcome.status == 0);
  std::istringstream options(
      "--bodies --steps --dt --softening --scene --seed --repeats --json --check --no-check "
      "--graph --no-measure 16384)");
  for (std::string option; options >> option;) CHECK(contains(outcome.out, option));
  CHECK(contains(outcome.out, "unit of time"));
}

TEST_CASE("a run reports in words and in JSON of the suite's schema") {
  const Outcome outcome = runWell("--bodies 300 --steps 3 --repeats 2 --seed 9");
  checkParts(outcome.out,
             {std::string(kStepName) + ": 300 bodies, scene plummer", "against FP64", "passed"});
  const auto& document = outcome.document;
  CHECK(document["suite"]["commit"].get<std::string>().size() >= 7);
  const auto& run = outcome.firstRun();
  CHECK(run["step"] == kStepName);
  CHECK(run["bodies"] == 300);
  CHECK(run["seed"] == 9);
  CHECK_FALSE(run["parameters"].empty());
  CHECK(run["error"]["sampled"] == 300);
  CHECK(run["error"]["max"].get<double>() > 0);
  CHECK(run["momentum"].is_number());
  CHECK(run["energy_drift"].is_number());
  CHECK(run["passed"] == true);
#ifdef NBODY_GPU
  CHECK(document["device"]["kind"] == "gpu");
  CHECK(document["device"]["fma_tflops"].get<double>() > 0);
  CHECK(run["force_ms"]["repeats"] == 2);
  CHECK(run["interactions_per_s"].get<double>() > 0);
#else
  CHECK(document["device"]["kind"] == "executor");
  CHECK_FALSE(run.contains("force_ms"));  // an executor's time is no performance
  CHECK_FALSE(run.contains("interactions_per_s"));
#endif
}

TEST_CASE("a run that does not keep its energy says what to try") {
  TestFolder folder;
  const std::string large = "--steps 20 --dt 1e5 --repeats 1 ", file = folder / "a.csv";
  const std::string kept = runWell("--bodies 50 --steps 0 --repeats 1 --output " + file).out;
  CHECK_FALSE(contains(kept, "advice"));
  CHECK(contains(runWell(large + "--bodies 50").out, "shorter time step than --dt"));
  CHECK(contains(runWell(large + "--input " + file).out, "G must be 1"));
}

TEST_CASE("the error is of an evaluation like those that are timed") {
  const auto run = runWell("--bodies 1024 --steps 0 --repeats 1").firstRun();
  const double softening = run["softening"];
  const Bodies bodies = makePlummer(1024, run["seed"]);
  const auto options = makeStepOptions();
  options->resolve(workloadOf(bodies, multiprocessors()));
  const auto simulation = makeStepSimulation(1024, softening, *options);
  simulation->upload(bodies);
  for (int k = 1; k < run["error"].value("evaluation", 1); ++k) simulation->computeForces();

  // Compare the sums, if the step reports them: the next evaluation is the one that was checked.
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-3 * std::abs(b); };
  const auto checked = simulation->computeForcesInPhases();
  for (int later = 0; checked && later < 3; ++later) {
    const PhaseTimes timed = *simulation->computeForcesInPhases();
    CHECK(near(checked->interactions, timed.interactions));
    for (std::size_t k = 0; k < timed.metrics.size(); ++k) {
      INFO(timed.metrics[k].name << ": " << checked->metrics[k].value << " when the error was taken, "
                               << timed.metrics[k].value << " when timed");
      CHECK(near(checked->metrics[k].value, timed.metrics[k].value));
    }
  }
  if (!checked)
    for (int later = 0; later < 3; ++later) simulation->computeForces();
  const double roundoff = kStepIsDouble ? 0x1p-53 : 0x1p-24;
  const ForceError error = checkForces(*simulation, softening, roundoff, options->errorBound());
  INFO("median error " << run["error"]["median"] << ", timed evaluations have " << error.median);
  // 2.4% between two evaluations of step 05, whose atomic additions come in any order; the first evaluation of step 07
  // has half the error of the later ones.
  CHECK(std::abs(run["error"]["median"].get<double>() / error.median - 1) <= 0.06);
}

// run_options_test.py gives the options of all programs many more.
TEST_CASE("bad numbers are refused in one line") {
  requireRefused("--bodies 1e4", "--bodies: must be a whole number from 1");
  requireRefused("--bodies 1e4", "'1e4'");
  requireRefused("--softening 0", "0/0");
  requireRefused("--softening 1e-200", "--softening: must be from");
  if (!contains(run("--help").out, "--block")) return;  // step 06 has none
  requireRefused("--block 33", "--block: must be ");
  requireRefused("--block 2048", "--block: must be ");
}

TEST_CASE("unknown names are refused in one line") {
  requireRefused("--scene nowhere", "plummer");
  requireRefused("--turbo", "unknown option '--turbo'");
  requireRefused("--bodis 7", "unknown option '--bodis'; did you mean '--bodies'?");
  requireRefused("stray", "unknown argument 'stray'");
  requireRefused("--bodies", "--bodies");
  requireRefused("--scene two-body --bodies 3", "has 2 bodies");
}

TEST_CASE("more bodies than memory holds are refused before the run") {
  if (hostHolds(1 << 30)) return skipTest("this host has memory for them");
  requireRefused("--bodies 1073741824", "bytes");
}

TEST_CASE("an output that cannot be written is refused before the run") {
  TestFolder folder;
  requireRefused("--json " + folder / "no/such/folder.json", "No such file or directory");
  requireRefused("--json " + folder / "", "directory");
  requireRefused("--json ''", "empty");
  CHECK(folder.entries() == 0);
}

TEST_CASE("a refused run leaves an earlier file as it was") {
  TestFolder folder;
  writeContent(folder / "kept.json", "kept");
  requireRefused("--bodies 0 --json " + folder / "kept.json", "--bodies");
  CHECK(contentOf(folder / "kept.json") == "kept");
}

TEST_CASE("JSON goes to a pipe as it is") {
  const Outcome outcome = run("--bodies 10 --steps 0 --repeats 1 --json /dev/stderr");
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.err, "\"bodies\": 10"));
  const Outcome piped = run("--bodies 10 --steps 0 --no-measure --json /dev/stdout | cat");
  CHECK(contains(piped.out, "\"bodies\": 10"));
  CHECK(piped.err.empty());
}
