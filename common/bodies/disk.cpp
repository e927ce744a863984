#include "bodies/disk.hpp"

#include <numbers>

namespace nbody {

namespace {

constexpr double kEdge = 10;  // beyond is 0.05% of the mass
constexpr double kToomreRadius = 2;

/// Height over the plane below which a share \p u of a layer sech^2(z) is.
double heightAt(double u) { return 0.5 * std::log(u / (1 - u)); }

/// R times the inwards pull, at distance \p R from the axis, of a ring of mass 1 and radius \p a
/// that is off by \p aside squared, height and softening together.
double pullOfRing(double R, double a, double aside) {
  const double far = (R + a) * (R + a) + aside, near = (R - a) * (R - a) + aside;
  // The complete elliptic integrals by the arithmetic-geometric mean: six rounds reach the last bit
  // from sqrt(near / far) = 0.002 on, and it is 0.0026 at the disk's edge.
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
  constexpr int kSlices = 64;  // of equal mass
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
  constexpr int kLayers = 4;  // of equal mass
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
  for (int k = 0; k < RadialTable::kCount; ++k) {
    const double R = RadialTable::radius(k);
    squared[k] = pullOf(round, R, shape_.height).inwards + shape_.circularSpeedSquared(R, epsilon);
    circular_[k] = std::sqrt(squared[k]);
  }
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
  constexpr double kTail = 1e-4;  // of the layer above 4.6 heights, left out
  const double R = massShare_.radiusWhere(DiskShape::massShare(kEdge) * random.uniform());
  const Double4 out = random.directionInPlane();
  const double z = shape_.height * heightAt(random.uniform(kTail, 1 - kTail));
  position = {R * out.x, R * out.y, z, 0};
  const double outwards = radialDispersion(R) * random.normal();
  const double along = meanSpeed(R) + azimuthalDispersion(R) * random.normal();
  const double up = verticalDispersion(R) * random.normal();
  velocity = {outwards * out.x - along * out.y, outwards * out.y + along * out.x, up, 0};
}

}  // namespace nbody
