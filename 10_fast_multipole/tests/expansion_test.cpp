// The expansions of step 10 in FP64: how their error falls, and that shifts and units change nothing.
#include <array>

#include "10_fast_multipole/expansion.cuh"
#include "bodies/random.hpp"
#include "catch.hpp"

using namespace nbody;
using namespace nbody::fmm;

namespace {

struct Point {
  double x, y, z;
};
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Point operator*(double s, Point a) { return {s * a.x, s * a.y, s * a.z}; }
double lengthOf(Point a) { return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }

Point pointIn(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

/// Some bodies, and multipoles about their centre of mass.
struct Cloud {
  std::array<double, 8> mass;
  std::array<Point, 8> at;
  Point centre = {0, 0, 0};
  double all = 0;

  Cloud(Random& random, Point middle) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      mass[i] = random.uniform(0.5, 1.5);
      at[i] = middle + pointIn(random, 0.5);
      all += mass[i];
      centre = centre + mass[i] * at[i];
    }
    centre = (1 / all) * centre;
  }

  template <int P>
  std::array<double, componentsBelow(P)> multipoles(double unit) const {
    std::array<double, componentsBelow(P)> m = {};
    m[0] = all;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Point v = (1 / unit) * (at[i] - centre);
      p2m<P>(mass[i], v.x, v.y, v.z, m.data());
    }
    return m;
  }

  Point pullOn(Point p, double softening) const {
    Point a = {0, 0, 0};
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Point r = at[i] - p;
      const double d = std::sqrt(r.x * r.x + r.y * r.y + r.z * r.z + softening * softening);
      a = a + mass[i] / (d * d * d) * r;
    }
    return a;
  }
};

/// The local expansion about \p centre of what \p source does, in the unit \p unit.
template <int P>
std::array<double, componentsBelow(P + 1)> localAt(const Cloud& source, Point centre,
                                                   double softening, double unit) {
  std::array<double, componentsBelow(P + 1)> local = {};
  const auto m = source.multipoles<P>(unit);
  const Point r = (1 / unit) * (centre - source.centre);
  const double e = softening / unit;
  const double inverse = 1 / std::sqrt(r.x * r.x + r.y * r.y + r.z * r.z + e * e);
  m2l<P>(r.x, r.y, r.z, inverse, 1 / unit, m.data(), local.data());
  return local;
}

template <int P, class Local>
Point accelerationAt(const Local& local, Point offset, double unit) {
  const Point s = (1 / unit) * offset;
  const auto a = l2p<P, double, Point>(s.x, s.y, s.z, local.data());
  return (1 / unit) * a;
}

/// Mean relative error at points within 0.5 of a centre that is \p distance away.
template <int P>
double meanError(double distance, double softening) {
  Random random(7);
  double sum = 0;
  constexpr int kTries = 300;
  for (int k = 0; k < kTries; ++k) {
    const Cloud source(random, {0, 0, 0});
    const Point way = pointIn(random, 1);
    const Point centre = source.centre + distance / lengthOf(way) * way;
    const auto local = localAt<P>(source, centre, softening, 1);
    const Point offset = pointIn(random, 0.5);
    const Point exact = source.pullOn(centre + offset, softening);
    sum += lengthOf(accelerationAt<P>(local, offset, 1.0) - exact) / lengthOf(exact);
  }
  return sum / kTries;
}

template <int P>
void checkSlope() {
  for (double softening : {0.0, 0.3}) {
    const double slope = std::log2(meanError<P>(8, softening) / meanError<P>(16, softening));
    INFO("order " << P << ", softening " << softening << ": error falls as distance^-" << slope);
    CHECK(slope > P - 0.15);
    CHECK(slope < P + 0.35);
  }
}

}  // namespace

TEST_CASE("the error of an expansion falls as the order says") {
  checkSlope<2>();
  checkSlope<3>();
  checkSlope<4>();
  checkSlope<5>();
  checkSlope<6>();
}

TEST_CASE("multipoles of a parent are those of its bodies") {
  constexpr int P = 5;
  Random random(3);
  const Cloud a(random, {0, 0, 0}), b(random, {1, 0.5, -0.3});
  const double mass = a.all + b.all;
  const Point centre = (1 / mass) * (a.all * a.centre + b.all * b.centre);
  std::array<double, componentsBelow(P)> shifted = {}, direct = {};
  for (const Cloud* part : {&a, &b}) {
    auto m = part->multipoles<P>(0.5);
    rescale<P - 1, 4, componentsBelow(P)>(0.5 / 2, m.data());
    const Point v = 0.5 * (part->centre - centre);
    m2m<P>(v.x, v.y, v.z, m.data(), shifted.data());
    for (std::size_t i = 0; i < part->at.size(); ++i) {
      const Point t = 0.5 * (part->at[i] - centre);
      p2m<P>(part->mass[i], t.x, t.y, t.z, direct.data());
    }
  }
  for (std::size_t k = 4; k < direct.size(); ++k)
    CHECK(shifted[k] == Approx(direct[k]).epsilon(1e-10).margin(1e-14));
}

TEST_CASE("a local expansion is the same about another centre, and in another unit") {
  constexpr int P = 5;
  Random random(4);
  const Cloud source(random, {0, 0, 0});
  const Point centre = {4, -3, 2}, shift = {0.2, 0.1, -0.3}, offset = {-0.1, 0.2, 0.15};
  const auto local = localAt<P>(source, centre, 0.1, 1);
  const Point expected = accelerationAt<P>(local, offset + shift, 1.0);

  std::array<double, componentsBelow(P + 1)> moved = {};
  l2l<P>(shift.x, shift.y, shift.z, local.data(), moved.data());
  CHECK(lengthOf(accelerationAt<P>(moved, offset, 1.0) - expected) < 1e-13 * lengthOf(expected));

  for (double unit : {1e-3, 30.0}) {
    const auto other = localAt<P>(source, centre, 0.1, unit);
    const Point a = accelerationAt<P>(other, offset + shift, unit);
    CHECK(lengthOf(a - expected) < 1e-12 * lengthOf(expected));
  }
}

TEST_CASE("the forces of two cells on each other are opposite") {
  constexpr int P = 4;
  Random random(5);
  const Cloud a(random, {0, 0, 0}), b(random, {3, 1, 2});
  const auto forceOn = [](const Cloud& target, const Cloud& source) {
    const auto local = localAt<P>(source, target.centre, 0.1, 1);
    Point force = {0, 0, 0};
    for (std::size_t i = 0; i < target.at.size(); ++i)
      force = force + target.mass[i] * accelerationAt<P>(local, target.at[i] - target.centre, 1.0);
    return force;
  };
  CHECK(lengthOf(forceOn(a, b) + forceOn(b, a)) < 1e-13 * lengthOf(forceOn(a, b)));
}
