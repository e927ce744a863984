/// \file
/// Makes wrong forces, and returns the hint for them.
#pragma once

#include "diagnose/force_laws.hpp"
#include "diagnose/symptoms.hpp"
#include "driver/validation.hpp"
#include "made_bodies.hpp"
#include "physics/reference.hpp"

namespace nbody {

using Forces = std::vector<Double4>;
using Mass = ForceLaw::Mass;

inline constexpr double kSoftening = 0.1;
inline constexpr double kUnitRoundoff = 0x1p-24;
inline const ForceLaw kLaw = {.softeningSquared = kSoftening * kSoftening};

/// Returns forces rounded to single precision with w = 0, as a step in FP32 leaves them.
inline Forces rounded(Forces forces) {
  for (Double4& a : forces)
    a = {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z), 0};
  return forces;
}

inline Forces scaled(double factor, Forces forces) {
  for (Double4& a : forces) a = times(factor, a);
  return forces;
}

inline Forces byLaw(const Bodies& bodies, const ForceLaw& law) {
  return rounded(accelerationsBy(law, bodies, sampleOf(bodies.count(), bodies.count())));
}

inline Forces right(const Bodies& bodies) { return byLaw(bodies, kLaw); }

/// Returns forces from sources that are each counted \p counts(j) times.
template <class Counts>
Forces counted(Bodies bodies, Counts counts) {
  for (int j = 0; j < bodies.count(); ++j) bodies.positions[j].w *= counts(j);
  return byLaw(bodies, kLaw);
}

inline std::string hint(const Bodies& bodies, const Forces& forces, const Forces& again) {
  return symptomOf(bodies, forces, again, kSoftening, forceTolerance(bodies.count(), kUnitRoundoff))
      .text;
}

inline std::string hint(const Bodies& bodies, const Forces& forces) {
  CHECK_FALSE(compareForces(bodies, forces, kSoftening, kUnitRoundoff).passed);
  return hint(bodies, forces, forces);
}

/// A simulation whose forces come from a function of the test.
class FakeSimulation : public Simulation {
 public:
  explicit FakeSimulation(std::function<Forces(const Bodies&)> forces)
      : forces_(std::move(forces)) {}
  void upload(const Bodies& bodies) override { bodies_ = bodies; }
  Bodies download() const override { return bodies_; }
  Forces accelerations() const override { return accelerations_; }
  void poisonAccelerations() override { accelerations_.clear(); }
  void computeForces() override { accelerations_ = forces_(bodies_); }
  void advance(double, int, bool) override {}
  std::vector<Timing> time(double, int, bool) override { return {}; }

 private:
  std::function<Forces(const Bodies&)> forces_;
  Bodies bodies_;
  Forces accelerations_;
};

inline const Bodies cube = makeCube(1000, 1);

}  // namespace nbody
