// The two programs of step 05's studies, and its triplets: known energies, FP64.
#include "05_triangular_map/study/triplets.hpp"
#include "made_bodies.hpp"
#include "orders.hpp"
#include "program_run.hpp"

using namespace nbody;
using namespace nbody::triangular;

namespace {

double energyOf(const Bodies& bodies) {
  const TripletPoint point = studyTriplets(bodies, {"box", "tetrahedron"}, 0)[1];
  INFO(point.failure);
  REQUIRE(point.failure.empty());
  return point.energy;
}

}  // namespace

TEST_CASE("the study's program reports, and writes JSON of the suite's schema") {
  const Outcome outcome = runWell(
      NBODY_STUDY_PROGRAM, "--n 100,65 --maps lambda,utm --tests edm,collision1d --repeats 1");
  const auto& document = outcome.document;
  CHECK(document["suite"]["commit"].get<std::string>().size() >= 7);
  REQUIRE(document["runs"].size() == 12);
  for (const auto& point : document["runs"]) {
    CHECK(point["passed"] == true);
    CHECK(point["exact"] == true);
#ifdef NBODY_GPU
    CHECK(point["improvement"].get<double>() > 0);
#else
    CHECK_FALSE(point.contains("kernel_ms"));  // an executor's time is no performance
    CHECK_FALSE(contains(outcome.out, "ms"));
#endif
  }
}

TEST_CASE("the triplets' program reports and writes JSON") {
  const auto runs =
      runWell(NBODY_TRIPLETS_PROGRAM, "--n 20,33 --scene cube --repeats 1").document["runs"];
  REQUIRE(runs.size() == 2 * tripletMaps().size());
  CHECK(runs[0]["map"] == "box");
  const double box = runs[0]["energy"], tetrahedron = runs[1]["energy"];
  // One order of sums, whatever the map; two kernels might still fuse other multiply-adds.
  CHECK(std::abs(tetrahedron / box - 1) <= 1e-5);
}

TEST_CASE("the two programs refuse bad input in one line") {
  for (const char* program : {NBODY_STUDY_PROGRAM, NBODY_TRIPLETS_PROGRAM}) {
    requireRefused(program, "--n 0", "--n: must be a whole number from");
    requireRefused(program, "--n 64,many", "'many'");
    requireRefused(program, "--n 1000000000", "--n");
    requireRefused(program, "--n", "--n");
    requireRefused(program, "--maps sphere", "'sphere'");
    requireRefused(program, "--repeats 0", "--repeats");
    requireRefused(program, "--seed -1", "--seed");
    requireRefused(program, "--json /no/such/folder/out.json", "No such file");
    requireRefused(program, "--turbo", "--turbo");
  }
  requireRefused(NBODY_STUDY_PROGRAM, "--block 12", "8, 16 or 32");
  requireRefused(NBODY_STUDY_PROGRAM, "--tests speed", "'speed'");
  requireRefused(NBODY_TRIPLETS_PROGRAM, "--scene nowhere", "plummer");
  requireRefused(NBODY_TRIPLETS_PROGRAM, "--scene two-body", "two-body has always 2 bodies");
}

TEST_CASE("the energy of a triplet is Axilrod and Teller's") {
  const double height = std::sqrt(0.75);
  const double equilateral = energyOf(bodiesAt({{0, 0, 0, 1}, {1, 0, 0, 1}, {0.5, height, 0, 1}}));
  CHECK(std::abs(equilateral - 11.0 / 8) <= 1e-6);
  const double inLine = energyOf(bodiesAt({{0, 0, 0, 1}, {1, 0, 0, 1}, {2, 0, 0, 1}}));
  CHECK(std::abs(inLine + 2.0 / 8) <= 1e-7);
  const double right = energyOf(bodiesAt({{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}}));
  CHECK(std::abs(right - std::pow(2.0, -1.5)) <= 1e-7);
}

TEST_CASE("triplets agree with FP64 by every map", "[sanitizer]") {
  inEveryOrder([] {
    for (int n : {3, 8, 9, 41, 64})
      for (const Bodies& bodies : {makeCube(n, 5), makePlummer(n, 5)})
        for (const TripletPoint& point : studyTriplets(bodies, tripletMaps(), 0)) {
          INFO(n << " bodies by " << point.map << ": " << point.failure);
          REQUIRE(point.exact);
          REQUIRE(point.failure.empty());
          REQUIRE(point.error < 1e-5);
        }
  });
}

TEST_CASE("coincident bodies fail the check of the triplets") {
  const Bodies bodies = bodiesAt({{1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 1}});
  CHECK_FALSE(studyTriplets(bodies, {"box"}, 0)[0].failure.empty());
}
