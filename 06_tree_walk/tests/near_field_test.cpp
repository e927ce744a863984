// Section 31.6's near field: which cells a cell has around it, its forces, and the program.
#include <set>

#include "06_tree_walk/paper/near_field.hpp"
#include "orders.hpp"
#include "program_run.hpp"

using namespace nbody;
using namespace nbody::walk;

namespace {

NearFieldRun runOf(int side, int bodies, bool periodic, int block = 32, int held = 4) {
  return {{side, bodies, periodic}, block, held, 0.01, 3};
}

void requireCorrect(const NearFieldRun& run) {
  const NearFieldResult result = studyNearField(run, 1);
  INFO(run.grid.side << " cells of " << run.grid.bodies << ": " << result.error.failure);
  REQUIRE(result.error.failure.empty());
  REQUIRE(result.error.max <= 1e-3);
}

}  // namespace

TEST_CASE("a cell has 27 cells around it, fewer at an open edge") {
  for (int side : {3, 4, 8})
    for (bool periodic : {true, false}) {
      const CellGrid grid = {side, 1, periodic};
      double pairs = 0;
      for (int cell = 0; cell < grid.cells(); ++cell) {
        std::set<int> around;
        for (int k = 0; k < 27; ++k) {
          const Neighbour neighbour = neighbourOf(grid, cell, k);
          if (neighbour.number < 0) continue;
          around.insert(neighbour.number);
          // Its image is next to the cell.
          const double x = neighbour.number % side + neighbour.shift.x - cell % side;
          const double z = neighbour.number / side / side + neighbour.shift.z - cell / side / side;
          REQUIRE(std::abs(x) <= 1);
          REQUIRE(std::abs(z) <= 1);
        }
        REQUIRE(around.count(cell) == 1);
        if (periodic) REQUIRE(around.size() == 27);
        pairs += static_cast<double>(around.size());
      }
      REQUIRE(pairs == grid.interactions());
    }
  CHECK(CellGrid{8, 512, true}.interactions() == 27.0 * 512 * 512 * 512);
  CHECK(CellGrid{1, 5, false}.interactions() == 25);
}

TEST_CASE("every cell has its bodies within it") {
  const CellGrid grid = {3, 7, true};
  const std::vector<real4> bodies = bodiesOf(grid, 1);
  REQUIRE(static_cast<int>(bodies.size()) == grid.count());
  for (int i = 0; i < grid.count(); ++i) {
    const int cell = i / 7;
    REQUIRE(std::abs(bodies[i].x - (cell % 3 + 0.5)) <= 0.5);
    REQUIRE(std::abs(bodies[i].y - (cell / 3 % 3 + 0.5)) <= 0.5);
    REQUIRE(std::abs(bodies[i].z - (cell / 9 + 0.5)) <= 0.5);
  }
}

TEST_CASE("the near field agrees with FP64", "[sanitizer]") {
  inEveryOrder([] { requireCorrect(runOf(3, 50, true)); });
  for (bool periodic : {true, false}) {
    requireCorrect(runOf(4, 32, periodic));
    requireCorrect(runOf(3, 129, periodic, 64, 1));  // a ragged tile, a block with one body
    requireCorrect(runOf(3, 20, periodic, 128, 2));
  }
  for (int side : {1, 2}) requireCorrect(runOf(side, 40, true));  // a cell next to its own image
  requireCorrect(runOf(1, 1, false));
}

TEST_CASE("a wrong near field fails its check") {
  const NearFieldRun run = runOf(3, 20, true);
  const std::vector<real4> bodies = bodiesOf(run.grid, 1);
  std::vector<real4> forces = nearField(run, bodies);
  REQUIRE(checkNearField(run, bodies, forces).failure.empty());
  NearFieldRun open = run;
  open.grid.periodic = false;
  CHECK(contains(checkNearField(run, bodies, nearField(open, bodies)).failure,
                 "body 0 has a relative error"));
  forces[77].y = std::nanf("");
  CHECK(contains(checkNearField(run, bodies, forces).failure,
                 "of 1 of 540 bodies are not finite, the first that of body 77"));
}

TEST_CASE("the near field's program reports and refuses") {
  const Outcome outcome =
      runWell(NBODY_NEAR_FIELD_PROGRAM, "--cells 3 --cell-bodies 40 --edge open --repeats 1");
  CHECK(contains(outcome.out, "27 leaves of 40"));
  CHECK_FALSE(contains(outcome.out, "8800"));  // the chapter estimates another size
  const auto& result = outcome.firstRun();
  CHECK(result["interactions"] == 343.0 * 1600);
  CHECK(result["passed"] == true);
#ifdef NBODY_GPU
  CHECK(result["force_ms"]["median"] > 0);
#else
  CHECK_FALSE(result.contains("force_ms"));
#endif
  requireRefused(NBODY_NEAR_FIELD_PROGRAM, "--cells 0", "--cells: must be a whole number from 1");
  requireRefused(NBODY_NEAR_FIELD_PROGRAM, "--block 48", "--block: must be some of 32, 64");
  requireRefused(NBODY_NEAR_FIELD_PROGRAM, "--edge closed", "periodic, open");
}
