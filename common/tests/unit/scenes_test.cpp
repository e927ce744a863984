// The scenes that are worth looking at: shell, collapse, collision, solar.
#include <cmath>
#include <numbers>

#include "bodies/scenes.hpp"
#include "driver/host_simulation.hpp"
#include "galaxy_checks.hpp"
#include "physics/baselines.hpp"
#include "physics/conserved.hpp"
#include "physics/reference.hpp"

using namespace nbody;

namespace {

double halfMassRadius(const Bodies& bodies) {
  return medianRadius(bodies, 0, bodies.count(), {0, 0, 0, 0});
}

/// The acceleration that \p bodies cause at \p x on the x axis.
Double4 accelerationAt(double x, Bodies bodies) {
  bodies.add({x, 0, 0, 0});
  return referenceAccelerations(bodies, 1e-9, {bodies.count() - 1})[0];
}

Bodies advanced(const Bodies& bodies, double softening, double timeStep, int steps) {
  return advanced(
      *makeHostSimulation(bodies.count(), softening, simdForces), bodies, timeStep, steps);
}

}  // namespace

TEST_CASE("the shell pulls as Newton's theorem says") {
  const int count = 20000;
  const Bodies shell = makeShell(count, 1);
  for (const Double4& p : shell.positions) REQUIRE(std::abs(length(p) - 1) <= 1e-14);
  const Conserved conserved = conservedQuantities(shell, 1e-9);
  CHECK(conserved.kinetic == 0);
  // -1/2 for a smooth shell; a body has no energy with itself. The sum over random pairs scatters
  // by 1/N.
  CHECK(std::abs(conserved.potential + 0.5 * (1 - 1.0 / count)) <= 5.0 / count);
  // At a distance d from all bodies the graininess is of the order of 1 / (d^2 sqrt(N)), here 0.03.
  CHECK(length(accelerationAt(0.3, shell)) <= 0.03);
  CHECK(std::abs(accelerationAt(3, shell).x + 1.0 / 9) <= 0.003);
}

TEST_CASE("the cold sphere is uniform and collapses in free fall") {
  const Bodies start = makeCollapse(4000, 1);
  CHECK(conservedMomenta(start).kinetic == 0);
  for (const Double4& p : start.positions) REQUIRE(length(p) <= 1);
  // Half the mass within 2^(-1/3): the median of 4000 scatters by 0.5 / sqrt(4000) of the mass,
  // 0.2% in radius.
  CHECK(std::abs(halfMassRadius(start) - std::cbrt(0.5)) <= 0.01);
  // Free fall: r = cos^2 b at sqrt(2) t = b + sin(2 b) / 2. At b = pi/4 all radii are half of what
  // they were.
  const double time = (std::numbers::pi / 4 + 0.5) / std::numbers::sqrt2;
  const Bodies half = advanced(start, 0.01, time / 128, 128);
  CHECK(std::abs(halfMassRadius(half) / halfMassRadius(start) - 0.5) <= 0.02);
}

TEST_CASE("the collision is of two equal spheres on a parabola") {
  const int count = 2000;
  const Bodies bodies = makeCollision(count, 1);
  const Centre left = centreOf(bodies, 0, count / 2);
  const Centre right = centreOf(bodies, count / 2, count / 2);
  CHECK(std::abs(left.at.w - 0.5) <= 1e-12);
  CHECK(std::abs(right.at.w - 0.5) <= 1e-12);
  checkParabola(left, right, 4, 0.5);
  CHECK(length(conservedMomenta(bodies).momentum) <= 1e-14);
  CHECK(makeCollision(1, 1).positions[0].w == 1);
  CHECK(bodies.positions[0].x != bodies.positions[count / 2].x + 4);  // not the same sphere twice
}

TEST_CASE("the collision conserves momentum through its first passage") {
  const Bodies bodies = makeCollision(400, 1);
  const int steps = 5 * 128;  // past the pericentre at 4.4
  const Conserved end = conservedMomenta(advanced(bodies, 0.05, 1.0 / 128, steps));
  // Each step rounds each velocity by 2^-24 of it or less, twice; at random over bodies and steps.
  CHECK(length(end.momentum) <= 2 * 0x1p-24 * std::sqrt(2.0 * steps) * end.speedScale);
}
