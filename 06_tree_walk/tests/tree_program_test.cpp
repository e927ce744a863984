// Options of step 06 and of the paper's walk, and what their runs report, as a user sees them.
#include "program_run.hpp"

using namespace nbody;

namespace {

/// Whether the program is 06_lists, which stores what its walks find.
const bool kStoresLists = contains(kStepName, "06_lists");

}  // namespace

TEST_CASE("an opening angle, a leaf or a group out of range is refused in one line") {
  for (const char* theta : {"0", "-0.5", "1.501", "0.0005", "nan", "inf", "1e300", "wide", "0.5x"})
    requireRefused(std::string("--theta ") + theta, "--theta: must be from 0.001 to 1.5");
  requireRefused("--leaf 1", "--leaf: must be from 2 to 1024");
  requireRefused("--group 1025", "--group: must be from 2 to 1024");
  if (kStoresLists) requireRefused("--list-memory 3", "--list-memory: must be a power of two");
  requireRefused("--multipole octupole", "quadrupole or monopole");
}

TEST_CASE("a decimal is read, shown and reported as one") {
  const Outcome outcome = runWell("--bodies 300 --steps 0 --repeats 1 --theta .3");
  CHECK(contains(outcome.out, "theta 0.3, "));
  CHECK(outcome.firstRun()["parameters"]["theta"] == 0.3);
  if (kStoresLists) CHECK(outcome.firstRun()["parameters"]["block"] == 64);
}

TEST_CASE("a run reports its walk, and on a GPU the time of each part") {
  const Outcome outcome = runWell("--bodies 1000 --steps 2 --repeats 2");
  CHECK(contains(outcome.out, "active threads"));
  const auto& run = outcome.firstRun();
  CHECK(run["metrics"]["active_threads"] > 0);
  CHECK(run["metrics"]["active_threads"] < 1);
  if (kStoresLists) CHECK(run["metrics"]["batches"] == 1);
  CHECK_FALSE(run.contains("flop_per_interaction"));  // of two kinds
#ifdef NBODY_GPU
  double parts = 0;
  const std::vector<const char*> walks =
      kStoresLists ? std::vector{"first_walk", "second_walk", "body_node", "body_leaf"}
                   : std::vector{"fused_walk"};
  for (const char* part : {"build", "upload"}) parts += run["parts_ms"][part].get<double>();
  for (const char* part : walks) {
    CHECK(run["parts_ms"][part].get<double>() > 0);
    parts += run["parts_ms"][part].get<double>();
  }
  CHECK(parts < 10 * run["force_ms"]["median"].get<double>());
#else
  CHECK_FALSE(run.contains("parts_ms"));  // an executor's time is no performance
#endif
}

TEST_CASE("a walk that opens every cell tests each of the tree once") {
  const auto run = runWell("--bodies 1000 --steps 0 --repeats 1 --theta 0.001 --leaf 8").firstRun();
  const double opened = run["metrics"]["opened_a_group"];
  const double listed =
      run["metrics"]["nodes_a_group"].get<double>() + run["metrics"]["leaves_a_group"].get<double>();
  CHECK(opened > 1);
  // The node above the root is opened, but is not a cell.
  CHECK(opened - 1 + listed == run["metrics"]["cells"].get<double>());
  double least = 0;
  for (const char* share : {"0.99", "0.5", "0.1", "0.01"}) {
    const double error = run["error"]["exceeded_by"][share];
    CHECK(error >= least);
    least = error;
  }
  CHECK(run["error"]["exceeded_by"]["0.5"] == run["error"]["median"]);
}
