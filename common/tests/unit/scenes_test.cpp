// The scenes: their bodies, the same on every machine, and what each is worth looking at for.
#include <functional>
#include <map>
#include <random>

#include "bodies/centre.hpp"
#include "bodies/drawing.hpp"
#include "driver/host_simulation.hpp"
#include "galaxy_checks.hpp"
#include "physics/baselines.hpp"
#include "physics/conserved.hpp"
#include "physics/reference.hpp"

using namespace nbody;

namespace {

/// FNV-1a over all components as float: what a step in FP32 sees.
std::uint64_t checksum(const Bodies& bodies) {
  std::uint64_t hash = 14695981039346656037u;
  auto add = [&](double component) {
    const float value = static_cast<float>(component);
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  };
  for (const auto* vectors : {&bodies.positions, &bodies.velocities})
    for (const Double4& v : *vectors)
      for (double component : {v.x, v.y, v.z, v.w}) add(component);
  return hash;
}

double halfMassRadius(const Bodies& bodies) {
  return medianRadius(bodies, 0, bodies.count(), {0, 0, 0, 0});
}

/// The acceleration that \p bodies cause at \p x on the x axis.
Double4 accelerationAt(double x, Bodies bodies) {
  bodies.add({x, 0, 0, 0});
  return referenceAccelerations(bodies, 1e-9, {bodies.count() - 1})[0];
}

Bodies advanced(const Bodies& bodies, double softening, double timeStep, int steps) {
  return advanced(*makeHostSimulation(bodies.count(), softening, simdForces), bodies, timeStep,
                  steps);
}

}  // namespace

TEST_CASE("scenes are the same on every machine") {
  CHECK(checksum(makePlummer(1000, 1)) == 0x49839fb0326ff7fau);
  CHECK(checksum(makeCube(1000, 1)) == 0x697ebb84064d7fceu);
  CHECK(checksum(makeShell(1000, 1)) == 0xb8d7994b71824de7u);
  CHECK(checksum(makeCollapse(1000, 1)) == 0x94fe921ef39e5bc0u);
  CHECK(checksum(makeCollision(1000, 1)) == 0x64f91be853faf170u);
  CHECK(checksum(makeGalaxy(1000, 1)) == 0x325f9ac742870714u);
  CHECK(checksum(makeMerger(1000, 1)) == 0x263278a302ceba6eu);
  // Drawn in parts, on any number of cores.
  CHECK(checksum(makePlummer(30000, 1)) == 0x19d84bcd872b1bb1u);
  CHECK(checksum(makeCollapse(30000, 1)) == 0x116b9b2e2482df7du);
  CHECK(checksum(makeCollision(30001, 1)) == 0x26a7ee411d6d7b61u);
  CHECK(checksum(makeGalaxy(30000, 1)) == 0x3badb78f89c28828u);
  CHECK(checksum(makeMerger(30001, 1)) == 0xb6c5ac6a282c62dfu);
  CHECK(checksum(makeSolar(9, 1)) == 0xaadeed8a5dc16ee2u);
  CHECK(checksum(makeTwoBodyCircular(2, 1)) == 0x53694ee465a21222u);
  CHECK(checksum(makeTwoBodyEccentric(2, 1)) == 0x6698a91ab66197d8u);
  CHECK(checksum(makePlummer(1000, 2)) != checksum(makePlummer(1000, 1)));
}

TEST_CASE(
    "the Mersenne Twister gives the standard library's numbers, and skips as many as it is asked "
    "to") {
  for (std::uint64_t seed : {0u, 1u, 5489u}) {
    std::mt19937_64 expected(seed);
    MersenneTwister found(seed);
    for (int skipped : {0, 1, 155, 156, 310, 311, 312, 313, 624, 100000}) {
      expected.discard(skipped);
      found.discard(skipped);
      for (int k = 0; k < 700; ++k) REQUIRE(found() == expected());
    }
  }
}

namespace {

using Drawing = std::function<void(Random&, Double4&, Double4&)>;

/// Compares bodies that threads draw from chunks of \p most numbers with those of a loop.
void checkDrawing(const Drawing& draw, int count, int threads, int most) {
  Random random(3);
  Bodies expected = bodiesAtRest(count), found = bodiesAtRest(count);
  for (int i = 0; i < count; ++i) draw(random, expected.positions[i], expected.velocities[i]);
  drawInOrder(found, 3, draw, threads, most);
  INFO(count << " bodies, " << threads << " threads, chunks of " << most);
  CHECK(checksum(found) == checksum(expected));
}

}  // namespace

TEST_CASE("bodies that threads draw in order are those of a loop") {
  const std::map<std::string, Drawing> drawings = {
      {"rejected as often as it happens",
       [](Random& random, Double4& p, Double4& v) {
         p = random.direction(1);
         v.x = random.normal();
       }},
      {"always 5 numbers, so that guesses and bodies never meet in a chunk of 312",
       [](Random& random, Double4& p, Double4& v) {
         p = {random.uniform(), random.uniform(), random.uniform(), random.uniform()};
         v.x = random.uniform();
       }},
      {"now and then more numbers than a chunk",
       [](Random& random, Double4& p, Double4&) {
         for (int left = random.uniform() < 0.05 ? 1500 : 1; left > 0; --left)
           p.x = random.uniform();
       }},
  };
  for (const auto& [name, draw] : drawings) {
    INFO(name);
    for (int count : {0, 1, 2, 100, 3001})
      for (int threads : {1, 2, 5})
        for (int most : {312, 936, 65536}) checkDrawing(draw, count, threads, most);
  }
}

TEST_CASE("the components of a scene have names, follow each other and are all of it") {
  int scenesWithSome = 0;
  for (const Scene& scene : scenes()) {
    if (scene.components == nullptr) continue;
    ++scenesWithSome;
    for (int count : {1, 2, 3, 5, 6, 7, 9, 10, 777, 24000}) {
      if (scene.fixedCount > 0) count = scene.fixedCount;
      int next = 0;
      for (const BodyRange& range : scene.components(count)) {
        REQUIRE_FALSE(range.name.empty());
        REQUIRE(range.first == next);
        REQUIRE(range.count >= 0);
        next += range.count;
      }
      REQUIRE(next == count);
    }
  }
  CHECK(scenesWithSome == 4);
}

TEST_CASE("every scene has the bodies asked for and a total mass of its unit") {
  for (const Scene& scene : scenes()) {
    const int count = scene.fixedCount > 0 ? scene.fixedCount : 777;
    const Bodies bodies = scene.make(count, 3);
    double mass = 0;
    for (const Double4& p : bodies.positions) mass += p.w;
    // solar's unit is the Sun alone, and the planets weigh 0.134% of it
    const double expected = scene.name == "solar" ? 1.0013418312495 : 1;
    INFO(scene.name);
    CHECK(bodies.count() == count);
    CHECK(bodies.velocities.size() == bodies.positions.size());
    CHECK(std::abs(mass - expected) <= 1e-12);
  }
}

TEST_CASE("the Plummer sphere is in N-body units and in virial equilibrium") {
  const int count = 20000;
  const Bodies bodies = makePlummer(count, 1);
  const Conserved conserved = conservedQuantities(bodies, 1e-6);
  // Statistical errors at 20,000 bodies are about 1%; without the outermost 0.1% of the mass the
  // energy is deeper by about as much.
  CHECK(std::abs(2 * conserved.kinetic / -conserved.potential - 1) <= 0.03);
  CHECK(std::abs(conserved.energy() + 0.25) <= 0.0075);
  CHECK(length(conserved.momentum) <= 1e-12);
  const double scale = 3 * std::numbers::pi / 16;
  CHECK(std::abs(medianRadius(bodies, 0, count, {0, 0, 0, 0}) / (1.3048 * scale) - 1) <= 0.03);
}

TEST_CASE("two bodies circle their centre of mass") {
  const Bodies circular = makeTwoBodyCircular(2, 1);
  CHECK(std::abs(conservedQuantities(circular, 1e-9).energy() + 0.75 * 0.25 / 2) <= 1e-12);
  CHECK(length(conservedMomenta(circular).momentum) <= 1e-15);
  const Bodies eccentric = makeTwoBodyEccentric(2, 1);
  CHECK(std::abs(conservedQuantities(eccentric, 1e-9).energy() + 0.75 * 0.25 / 2) <= 1e-12);
  CHECK(std::abs(eccentric.positions[1].x - eccentric.positions[0].x - 1.5) <= 1e-15);
}

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

// The scene solar against an independent computation of its positions, and against its own years.

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
