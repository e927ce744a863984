#include "bodies/galaxy.hpp"

#include <numbers>

#include "base/parallel.hpp"
#include "bodies/centre.hpp"
#include "bodies/scenes.hpp"

namespace nbody {

// --- The disk.

namespace {

constexpr double kEdge = 10;  // beyond is 0.05% of the mass
constexpr double kToomreRadius = 2;
constexpr int kEntriesOfThread = 32;  // of a table, at least

/// Height over the plane below which a share \p u of a layer sech^2(z) is.
double heightAt(double u) { return 0.5 * std::log(u / (1 - u)); }

/// R times the inwards pull, at distance \p R from the axis, of a ring of mass 1 and radius \p a
/// that is off by \p aside squared, height and softening together.
double pullOfRing(double R, double a, double aside) {
  const double far = (R + a) * (R + a) + aside, near = (R - a) * (R - a) + aside;
  // The complete elliptic integrals by the arithmetic-geometric mean: six rounds reach the last bit
  // from sqrt(near / far) = 0.002 on, and it is 0.003 at the disk's edge.
  double mean = 1, other = std::sqrt(near / far);
  double sum = (1 - near / far) / 2;
  double weight = 1;
  for (int round = 0; round < 6; ++round) {
    const double difference = (mean - other) / 2;
    const double next = (mean + other) / 2;
    other = std::sqrt(mean * other);
    mean = next;
    sum += weight * difference * difference;
    weight *= 2;
  }
  const double first = std::numbers::pi / (2 * mean);
  const double second = first * (1 - sum);
  return (first - (a * a - R * R + aside) / near * second) / (std::numbers::pi * std::sqrt(far));
}

/// The pull of a round mass on a layer at distance \p R from the axis, over all heights: towards
/// the axis times R, and towards the plane times height.
struct LayerPull {
  double inwards = 0;
  double down = 0;
};

LayerPull pullOf(const RadialTable& round, double R, double height) {
  constexpr int kSlices = 64;  // each of equal mass
  LayerPull pull;
  for (int k = 0; k < kSlices; ++k) {
    const double z = height * heightAt((k + 0.5) / kSlices);
    const double r = std::sqrt(R * R + z * z);
    const double share = round.at(r) / (r * r * r) / kSlices;
    pull.inwards += R * R * share;
    pull.down += z * z * share;
  }
  return pull;
}

}  // namespace

double DiskShape::surfaceDensity(double R) const {
  return mass / (2 * std::numbers::pi) * std::exp(-R);
}

double DiskShape::circularSpeedSquared(double R, double epsilon) const {
  constexpr int kRings = 300;  // 0.033 apart, less than softening and height blur
  constexpr int kLayers = 4;  // each of equal mass
  double sum = 0, total = 0;
  for (int ring = 0; ring < kRings; ++ring) {
    const double a = kEdge * (ring + 0.5) / kRings;
    const double ringMass = a * std::exp(-a);
    total += kLayers * ringMass;
    for (int layer = 0; layer < kLayers; ++layer) {
      // Two bodies differ in height by sqrt(2) times what one is off the plane.
      const double z = height * heightAt(0.5 + (layer + 0.5) / (2 * kLayers));
      sum += ringMass * pullOfRing(R, a, 2 * z * z + epsilon * epsilon);
    }
  }
  return mass * sum / total;
}

DiskVelocities::DiskVelocities(const DiskShape& shape, const RadialTable& round, double epsilon)
    : shape_(shape) {
  for (int k = 0; k < RadialTable::kCount; ++k)
    massShare_[k] = DiskShape::massShare(RadialTable::radius(k));
  fillCircles(round, epsilon);
  fillDispersions(round);
}

void DiskVelocities::fillCircles(const RadialTable& round, double epsilon) {
  RadialTable squared;
  parallelForEach(RadialTable::kCount, kEntriesOfThread, [&](int k) {
    const double R = RadialTable::radius(k);
    squared[k] = pullOf(round, R, shape_.height).inwards + shape_.circularSpeedSquared(R, epsilon);
    circular_[k] = std::sqrt(squared[k]);
  });
  // kappa^2 = (d v_c^2 / dR) / R + 2 v_c^2 / R^2
  for (int k = 0; k < RadialTable::kCount; ++k) {
    const double R = RadialTable::radius(k);
    epicyclic_[k] = std::sqrt(squared.slopeAt(k) / R + 2 * squared[k] / (R * R));
  }
}

void DiskVelocities::fillDispersions(const RadialTable& round) {
  const double central = shape_.toomreQ * 3.36 * shape_.surfaceDensity(kToomreRadius) /
                         epicyclicFrequency(kToomreRadius) * std::exp(kToomreRadius / 2);
  for (int k = 0; k < RadialTable::kCount; ++k) {
    const double R = RadialTable::radius(k);
    const double ratio = epicyclic_[k] * R / (2 * circular_[k]);  // kappa / (2 Omega)
    radial_[k] = central * std::exp(-R / 2);
    azimuthal_[k] = radial_[k] * ratio;
    const double drift = radial_[k] * radial_[k] * (1 - ratio * ratio - 2 * R);
    mean_[k] = std::sqrt(std::max(0.0, circular_[k] * circular_[k] + drift));
    vertical_[k] = std::sqrt(std::numbers::pi * shape_.surfaceDensity(R) * shape_.height +
                             pullOf(round, R, shape_.height).down);
  }
}

void DiskVelocities::draw(Random& random, Double4& position, Double4& velocity) const {
  constexpr double kTail = 1e-4;  // share of the layer above 4.6 heights, which is left out
  const double R = massShare_.radiusWhere(DiskShape::massShare(kEdge) * random.uniform());
  const Double4 out = random.directionInPlane();
  const double z = shape_.height * heightAt(random.uniform(kTail, 1 - kTail));
  position = {R * out.x, R * out.y, z, 0};
  const double outwards = radialDispersion(R) * random.normal();
  const double along = meanSpeed(R) + azimuthalDispersion(R) * random.normal();
  const double up = verticalDispersion(R) * random.normal();
  velocity = {outwards * out.x - along * out.y, outwards * out.y + along * out.x, up, 0};
}

// --- Bulge and halo.

namespace {

/// A density, and its first and second derivative by radius.
struct Slopes {
  double density;
  double first;
  double second;
};

Slopes slopesOf(const SpheroidShape& shape, double r) {
  const double beyond = r + shape.scale;
  const double cutSquared = shape.cut * shape.cut;
  const double density = std::exp(-r * r / cutSquared) / (r * beyond * beyond * beyond);
  const double slope = -2 * r / cutSquared - 1 / r - 3 / beyond;  // of the density's logarithm
  const double bend = -2 / cutSquared + 1 / (r * r) + 3 / (beyond * beyond);
  return {density, density * slope, density * (slope * slope + bend)};
}

}  // namespace

RadialTable softenedMass(const RadialTable& mass, double epsilon) {
  const double squared = epsilon * epsilon;
  RadialTable shells, radii, softened;
  for (int j = 0; j < RadialTable::kCount; ++j) {
    shells[j] = mass[j] - (j == 0 ? 0 : mass[j - 1]);
    radii[j] = j == 0 ? RadialTable::radius(0) / 2
                      : std::sqrt(RadialTable::radius(j - 1) * RadialTable::radius(j));
  }
  parallelForEach(RadialTable::kCount, kEntriesOfThread, [&](int k) {
    const double r = RadialTable::radius(k);
    for (int j = 0; j < RadialTable::kCount; ++j) {
      const double shell = shells[j], a = radii[j];
      const double far = std::sqrt((r + a) * (r + a) + squared);
      const double near = std::sqrt((r - a) * (r - a) + squared);
      softened[k] += shell / (2 * a) * (far - near - r * ((r + a) / far - (r - a) / near));
    }
  });
  return softened;
}

SphericalField::SphericalField(const RadialTable& softened) : mass(softened) {
  constexpr int kLast = RadialTable::kCount - 1;
  potential[kLast] = mass[kLast] / RadialTable::radius(kLast);
  for (int k = kLast - 1; k >= 0; --k) {
    const double near = RadialTable::radius(k), far = RadialTable::radius(k + 1);
    potential[k] =
        potential[k + 1] + (mass[k] / near + mass[k + 1] / far) / 2 * std::log(far / near);
  }
  for (int k = 0; k <= kLast; ++k) slope[k] = mass.slopeAt(k);
}

Spheroid::Spheroid(const SpheroidShape& shape) : shape_(shape) {
  const auto shell = [&](double r) {  // mass by the logarithm of radius
    return 4 * std::numbers::pi * r * r * r * slopesOf(shape_, r).density;
  };
  const double least = RadialTable::radius(0);
  mass_[0] = shell(least) / 2;  // density as 1 / r
  for (int k = 1; k < RadialTable::kCount; ++k) {
    const double near = RadialTable::radius(k - 1), far = RadialTable::radius(k);
    const double sum = shell(near) + 4 * shell(std::sqrt(near * far)) + shell(far);
    mass_[k] = mass_[k - 1] + sum / 6 * std::log(far / near);
  }
  factor_ = shape_.mass / mass_[RadialTable::kCount - 1];
  for (int k = 0; k < RadialTable::kCount; ++k) mass_[k] *= factor_;
}

/// d^2 density / dP^2 at entry \p k, with dP/dr = -M / r^2.
double Spheroid::secondSlope(int k, const SphericalField& field) const {
  const double r = RadialTable::radius(k);
  const Slopes slopes = slopesOf(shape_, r);
  const double mass = field.mass[k];
  const double turned = (slopes.second * r * r + 2 * r * slopes.first) / mass -
                        slopes.first * r * r * field.slope[k] / (mass * mass);
  return factor_ * turned * r * r / mass;
}

void Spheroid::setField(const SphericalField& field) {
  constexpr int kLast = RadialTable::kCount - 1;
  const double scale = 1 / (std::sqrt(8.0) * std::numbers::pi * std::numbers::pi);
  potential_ = field.potential;
  RadialTable slope;
  for (int k = 0; k <= kLast; ++k) slope[k] = secondSlope(k, field);
  // The root's integral is exact between two entries, where the slope hardly changes.
  parallelForEach(kLast + 1, kEntriesOfThread, [&](int k) {
    double sum = 0, before = 0;
    for (int j = k; j < kLast; ++j) {
      const double root = std::sqrt(potential_[k] - potential_[j + 1]);
      sum += (slope[j] + slope[j + 1]) * (root - before);
      before = root;
    }
    distribution_[k] = scale * sum;
  });
  parallelForEach(kLast + 1, kEntriesOfThread, [&](int k) {
    for (int j = k; j <= kLast; ++j)
      most_[k] = std::max(most_[k], 2 * (potential_[k] - potential_[j]) * distribution_[j]);
  });
}

double Spheroid::distributionAt(double energy) const {
  int inner = 0, outer = RadialTable::kCount - 1;  // the potential falls from one to the other
  if (!(energy > potential_[outer])) return 0;
  while (outer - inner > 1) {
    const int middle = (inner + outer) / 2;
    (potential_[middle] > energy ? inner : outer) = middle;
  }
  const double share = (energy - potential_[outer]) / (potential_[inner] - potential_[outer]);
  return distribution_[outer] + share * (distribution_[inner] - distribution_[outer]);
}

void Spheroid::draw(Random& random, Double4& position, Double4& velocity) const {
  const double r = mass_.radiusWhere(shape_.mass * random.uniform());
  position = random.direction(r);
  const double potential = potential_.at(r);
  const double escape = std::sqrt(2 * potential);
  const double most = 1.1 * most_.at(r);  // between entries it may be a little more than at them
  for (;;) {
    const double speed = escape * random.uniform();
    const double f = distributionAt(potential - speed * speed / 2);
    if (most * random.uniform() <= speed * speed * f) {
      velocity = random.direction(speed);
      return;
    }
  }
}

// --- The galaxy, and two of them.

namespace {

RadialTable sumOf(const RadialTable& one, const RadialTable& other) {
  RadialTable sum;
  for (int k = 0; k < RadialTable::kCount; ++k) sum[k] = one[k] + other[k];
  return sum;
}

/// The mass of \p disk spread over spheres.
RadialTable rounded(const DiskShape& disk) {
  RadialTable mass;
  for (int k = 0; k < RadialTable::kCount; ++k)
    mass[k] = disk.mass * DiskShape::massShare(RadialTable::radius(k));
  return mass;
}

/// Draws the bodies of \p range by \p component, whatever the number of cores the same.
/// \param mass  of each body
template <class Component>
void drawRange(Bodies& bodies, const BodyRange& range, const Component& component, double mass,
               std::uint64_t seed) {
  constexpr int kPart = 4096;  // bodies of one seed
  const int parts = (range.count + kPart - 1) / kPart;
  parallelForEach(parts, 1, [&](int part) {
    Random random(seedOfPart(seed, part));
    const int first = range.first + part * kPart;
    const int last = std::min(first + kPart, range.first + range.count);
    for (int i = first; i < last; ++i) {
      component.draw(random, bodies.positions[i], bodies.velocities[i]);
      bodies.positions[i].w = mass;
    }
  });
}

}  // namespace

std::vector<BodyRange> galaxyComponents(int count) {
  const int each = count / 6;
  return {{"bulge", 0, each}, {"disk", each, each}, {"halo", 2 * each, count - 2 * each}};
}

const GalaxyModel& GalaxyModel::get() {
  static const GalaxyModel model;
  return model;
}

GalaxyModel::GalaxyModel()
    : bulge_(kBulge),
      halo_(kHalo),
      round_(softenedMass(sumOf(bulge_.mass(), halo_.mass()), kSoftening)),
      disk_(kDisk, round_, kSoftening) {
  const SphericalField field(sumOf(round_, softenedMass(rounded(kDisk), kSoftening)));
  bulge_.setField(field);
  halo_.setField(field);
}

void GalaxyModel::draw(Bodies& bodies, int first, int end, std::uint64_t seed,
                       std::uint64_t number) const {
  const std::vector<BodyRange> ranges = galaxyComponents(end - first);
  const double mass = 1.0 / (end - first);
  const auto drawAll = [&](int k, const auto& component) {
    const BodyRange range = {"", first + ranges[k].first, ranges[k].count};
    drawRange(bodies, range, component, mass, seedOfPart(seedOfPart(seed, number), k));
  };
  drawAll(0, bulge_);
  drawAll(1, disk_);
  drawAll(2, halo_);
  centre(bodies, first, end);
}

Bodies makeGalaxy(int count, std::uint64_t seed) {
  Bodies bodies = bodiesAtRest(count);
  GalaxyModel::get().draw(bodies, 0, count, seed, 0);
  return bodies;
}

// The merger's orbit.
constexpr double kPericentre = 2.5;
constexpr double kSeparation = 20;
constexpr double kInclination = 71;  // inclination of galaxy 2's disk, degrees
constexpr double kArgument = 30;  // angle from its ascending node to its pericentre, degrees

std::vector<BodyRange> mergerComponents(int count) {
  std::vector<BodyRange> all;
  int first = 0;
  for (int galaxy : {1, 2}) {
    const int bodies = galaxy == 1 ? (count + 1) / 2 : count / 2;
    for (const BodyRange& range : galaxyComponents(bodies))
      all.push_back({range.name + " " + std::to_string(galaxy), first + range.first, range.count});
    first += bodies;
  }
  return all;
}

Bodies makeMerger(int count, std::uint64_t seed) {
  const int half = (count + 1) / 2;
  Bodies bodies = bodiesAtRest(count);
  GalaxyModel::get().draw(bodies, 0, half, seed, 1);
  GalaxyModel::get().draw(bodies, half, count, seed, 2);
  parallelForEach(count - half, 1024, [&](int k) {
    for (auto* vectors : {&bodies.positions, &bodies.velocities}) {
      Double4& p = (*vectors)[half + k];
      p = turned(p, radians(kInclination), -radians(kArgument));
    }
  });

  // Parabola of r = q (1 + D^2) with D the tangent of half the angle from the pericentre, on +x;
  // dD/dt = sqrt(2 q) / (2 q^2 (1 + D^2)).
  const double D = -std::sqrt(kSeparation / kPericentre - 1);
  const double rate = std::sqrt(2 * kPericentre) / (2 * kPericentre * kSeparation);
  const Double4 r = {kPericentre * (1 - D * D), 2 * kPericentre * D, 0, 0};
  const Double4 v = {-2 * kPericentre * D * rate, 2 * kPericentre * rate, 0, 0};
  const double mass = 1.0 / count;
  // At half its mass a galaxy of the same size stays in equilibrium with slower bodies.
  const double slower = std::sqrt(0.5);
  place(bodies, 0, half, mass, 1, slower, {-r.x / 2, -r.y / 2, 0, 0}, {-v.x / 2, -v.y / 2, 0, 0});
  place(bodies, half, count, mass, 1, slower, {r.x / 2, r.y / 2, 0, 0}, {v.x / 2, v.y / 2, 0, 0});
  centre(bodies, 0, count);
  return bodies;
}

}  // namespace nbody
