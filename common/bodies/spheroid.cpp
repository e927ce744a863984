#include "bodies/spheroid.hpp"

#include <numbers>

namespace nbody {

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
  RadialTable softened;
  double within = 0;
  for (int j = 0; j < RadialTable::kCount; ++j) {
    const double shell = mass[j] - within;
    const double a = j == 0 ? RadialTable::radius(0) / 2
                            : std::sqrt(RadialTable::radius(j - 1) * RadialTable::radius(j));
    within = mass[j];
    for (int k = 0; k < RadialTable::kCount; ++k) {
      const double r = RadialTable::radius(k);
      const double far = std::sqrt((r + a) * (r + a) + squared);
      const double near = std::sqrt((r - a) * (r - a) + squared);
      softened[k] += shell / (2 * a) * (far - near - r * ((r + a) / far - (r - a) / near));
    }
  }
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
  for (int k = 0; k <= kLast; ++k) {
    double sum = 0, before = 0;
    for (int j = k; j < kLast; ++j) {
      const double root = std::sqrt(potential_[k] - potential_[j + 1]);
      sum += (slope[j] + slope[j + 1]) * (root - before);
      before = root;
    }
    distribution_[k] = scale * sum;
  }
  for (int k = 0; k <= kLast; ++k)
    for (int j = k; j <= kLast; ++j)
      most_[k] = std::max(most_[k], 2 * (potential_[k] - potential_[j]) * distribution_[j]);
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

}  // namespace nbody
