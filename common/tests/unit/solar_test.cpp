// The scene solar against an independent computation of its positions, and against its own years.
#include "driver/host_simulation.hpp"
#include "made_bodies.hpp"
#include "physics/baselines.hpp"
#include "physics/conserved.hpp"

using namespace nbody;

namespace {

constexpr double kSolarSoftening = 1e-5;
constexpr int kMercury = 1;
constexpr int kEarth = 3;
const Bodies solar = makeSolar(9, 1);

/// The planet seen from the Sun.
Double4 place(const Bodies& bodies, int planet) {
  return minus(bodies.positions[planet], bodies.positions[0]);
}

Double4 velocity(const Bodies& bodies, int planet) {
  return minus(bodies.velocities[planet], bodies.velocities[0]);
}

/// Sidereal period of a planet of semi-major axis \p axis AU and 1 / \p massRatio of the Sun's
/// mass.
double period(double axis, double massRatio) {
  return 2 * std::numbers::pi * axis * std::sqrt(axis / (1 + 1 / massRatio));
}

const double kMercuryYear = period(0.38709927, 6023600);
const double kEarthYear = period(1.00000261, 328900.56);

/// How far from its start, seen from the Sun, the planet is after \p time in about 1/\p perUnit
/// long steps.
double missed(const Bodies& start, int planet, double time, int perUnit) {
  const int steps = static_cast<int>(std::ceil(time * perUnit));
  const Bodies end = advanced(*makeHostSimulation(start.count(), kSolarSoftening, serialForces),
                              start, time / steps, steps);
  return distance(place(end, planet), place(start, planet));
}

}  // namespace

TEST_CASE("the planets are where an independent computation has them") {
  // Heliocentric, at J2000, by bisection of Kepler's equation and the true anomaly.
  const Double4 places[] = {{-0.130088620399, -0.447292336602, -0.024598819715, 0},
                            {-0.718316355638, -0.032706661636, 0.041015624348, 0},
                            {-0.177171249105, 0.967214484967, -0.000000258449, 0},
                            {1.390667747678, -0.013391064158, -0.034461259223, 0},
                            {3.998320939784, 2.945710911069, -0.101717814616, 0},
                            {6.414784487255, 6.545667464903, -0.369146772854, 0},
                            {14.425465882510, -13.737645725717, -0.238033120376, 0},
                            {16.804762811919, -24.992709860240, 0.127403210087, 0}};
  const Double4 mercuryMoving = {1.242073729512, -0.374831850681, -0.144624008527, 0};
  const Double4 neptuneMoving = {0.150178182337, 0.102802258485, -0.005577412021, 0};
  for (int planet = 1; planet <= 8; ++planet) {
    INFO("planet " << planet);
    CHECK(distance(place(solar, planet), places[planet - 1]) <= 1e-11);
  }
  CHECK(distance(velocity(solar, 1), mercuryMoving) <= 1e-11);
  CHECK(distance(velocity(solar, 8), neptuneMoving) <= 1e-11);
}

TEST_CASE("the solar system rests at its barycentre") {
  const Double4 centre = centreOf(solar, 0, 9).at;
  CHECK(std::abs(centre.w - 1.0013418312495) <= 1e-12);
  CHECK(length(centre) <= 1e-15);
  CHECK(length(conservedMomenta(solar).momentum) <= 1e-15);
}

TEST_CASE("Mercury and the Earth return among all planets") {
  // A planet of mean motion n lags or leads by about 2 pi (n h)^2 / 24 of its orbit per year: 4e-6
  // AU for Mercury at h = 1/1024, five times that for its eccentricity of 0.2, and 1e-6 for the
  // Earth. In FP32 each step rounds a velocity by 2^-25 of it; n steps of that move the planet by
  // n^(3/2) h 2^-25 / sqrt(3), at random: 1e-6 for Mercury's 1550 steps, 9e-6 for the Earth's 6434,
  // here allowed three times. The pulls of the others add 4e-6 AU for Mercury and 5e-5 for the Earth,
  // Jupiter's tide most of it: 2 m / R^3 = 1.4e-5 of the Sun's pull, over a year's 2 pi.
  CHECK(missed(solar, kMercury, kMercuryYear, 1024) <= 4e-5);
  CHECK(missed(solar, kEarth, kEarthYear, 1024) <= 1.5e-4);
  // A tenth of a year too long is no year.
  CHECK(missed(solar, kEarth, 1.1 * kEarthYear, 1024) >= 0.1);
}

TEST_CASE("the energy of the solar system stays bounded over 100 years") {
  const double start = conservedQuantities(solar, kSolarSoftening).energy();
  auto simulation = makeHostSimulation(9, kSolarSoftening, serialForces);
  simulation->upload(solar);
  simulation->computeForces();
  double worst[2] = {0, 0};
  constexpr int kChunks = 200;
  constexpr int kStepsPerChunk = 3217;  // of 1/1024: 100 times 2 pi in all
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    for (int i = 0; i < kStepsPerChunk; ++i) simulation->step(1.0 / 1024);
    const double energy = conservedQuantities(simulation->download(), kSolarSoftening).energy();
    double& most = worst[2 * chunk / kChunks];
    most = std::max(most, std::abs(energy / start - 1));
  }
  // Leapfrog's own error swings by (n h)^2 / 8 of Mercury's part of the energy, under 1e-7 of the
  // whole. The rest is rounding: 643,400 steps that round Jupiter's place, half of the energy, by
  // 2^-22 / sqrt(12) each of its 5.2 AU at random: 1e-5. Allow 3 times that, because it is a walk.
  INFO(worst[0] << " in the first half, " << worst[1] << " in the second");
  CHECK(worst[0] <= 3.3e-5);
  CHECK(worst[1] <= 3.3e-5);
}
