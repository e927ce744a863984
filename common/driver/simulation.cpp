#include "driver/simulation.hpp"

#include <cmath>
#include <utility>

#include "bodies/units.hpp"
#include "bodies/vectors.hpp"
#include "driver/host_simulation.hpp"
#include "physics/leapfrog.hpp"

namespace nbody {

std::function<std::vector<Double4>()> Simulation::bring(Quantity quantity,
                                                        const std::vector<int>& chosen) const {
  std::vector<Double4> all;
  if (quantity == Quantity::acceleration) {
    all = accelerations();
  } else {
    Bodies bodies = download();
    all = std::move(quantity == Quantity::position ? bodies.positions : bodies.velocities);
  }
  std::vector<Double4> found;
  found.reserve(chosen.size());
  for (int i : chosen) found.push_back(all[i]);
  return [found = std::move(found)] { return found; };
}

std::vector<LinkedMethod>& linkedMethods() {
  static std::vector<LinkedMethod> methods;
  return methods;
}

bool link(LinkedMethod method) { return linkedMethods().push_back(std::move(method)), true; }

std::optional<PhaseTimes> measurePhases(Simulation& simulation, int repeats, bool timed) {
  std::vector<PhaseTimes> runs;
  for (int i = 0; i < (timed ? repeats : 1); ++i) {
    auto parts = simulation.computeForcesInPhases();
    if (!parts) return std::nullopt;
    runs.push_back(*parts);
  }
  PhaseTimes result = runs.back();
  if (!timed) result.ms.clear();
  for (std::size_t k = 0; k < result.ms.size(); ++k) {
    std::vector<double> samples;
    for (const PhaseTimes& parts : runs) samples.push_back(parts.ms[k].value);
    result.ms[k].value = summarize(samples).median;
  }
  return result;
}

std::vector<Timing> timesOnHost(Simulation& simulation, double timeStep, int repeats,
                                double warmUpMs) {
  std::vector<std::function<void()>> works = {[&] { simulation.computeForces(); }};
  if (timeStep != 0) works.push_back([&] { simulation.step(timeStep); });
  for (auto& work : works)
    work = [&simulation, work] {
      work();
      simulation.synchronize();
    };
  return timeInTurn(works, repeats, warmUpMs);
}

namespace {

class HostSimulation : public Simulation {
 public:
  HostSimulation(int count, double softening, HostForces forces, HostForcesInPhases inParts,
                 BytesRead bytesRead, ForcesWithoutRace withoutRace)
      : forces_(std::move(forces)),
        inParts_(std::move(inParts)),
        bytesRead_(std::move(bytesRead)),
        withoutRace_(std::move(withoutRace)),
        softening_(softening),
        accelerations_(count) {}

  void upload(const Bodies& bodies) override {
    units_ = unitsFor(bodies, softening_, false);
    const double softening = std::ldexp(softening_, -units_.length);
    softeningSquared_ = static_cast<float>(softening * softening);
    const Bodies here = inUnits(bodies, units_);
    bodies_ = converted<float4>(here.positions);
    velocities_ = converted<float4>(here.velocities);
  }

  Bodies download() const override {
    return fromUnits({converted<Double4>(bodies_), converted<Double4>(velocities_)}, units_);
  }

  std::vector<Double4> accelerations() const override {
    return scaled(converted<Double4>(accelerations_), units_.acceleration());
  }

  void poisonAccelerations() override {
    const float nan = std::nanf("");
    accelerations_.assign(accelerations_.size(), {nan, nan, nan, nan});
  }

  void computeForces() override { forces_(bodies_, softeningSquared_, accelerations_); }

  std::optional<PhaseTimes> computeForcesInPhases() override {
    if (!inParts_) return std::nullopt;
    return inParts_(bodies_, softeningSquared_, accelerations_);
  }

  std::optional<std::uint64_t> globalBytesRead() const override {
    return bytesRead_ ? bytesRead_() : std::nullopt;
  }

  std::vector<Double4> withoutRace() override {
    std::vector<float4> found(accelerations_.size());
    if (!withoutRace_ || !withoutRace_(bodies_, softeningSquared_, found)) return {};
    return scaled(converted<Double4>(found), units_.acceleration());
  }

  void advance(double timeStep, int steps, bool) override {
    const float h = static_cast<float>(std::ldexp(timeStep, -units_.time()));
    for (int k = 0; k < steps; ++k) {
      kick(h / 2);
      for (std::size_t i = 0; i < bodies_.size(); ++i)
        bodies_[i] = drifted(bodies_[i], velocities_[i], h);
      computeForces();
      kick(h / 2);
    }
  }

  std::vector<Timing> time(double timeStep, int repeats, bool) override {
    return timesOnHost(*this, timeStep, repeats);
  }

 private:
  void kick(float h) {
    for (std::size_t i = 0; i < velocities_.size(); ++i)
      velocities_[i] = kicked(velocities_[i], accelerations_[i], h);
  }

  HostForces forces_;
  HostForcesInPhases inParts_;
  BytesRead bytesRead_;
  ForcesWithoutRace withoutRace_;
  double softening_;  ///< in the caller's unit
  Units units_;  ///< units of all that follows
  float softeningSquared_ = 0;
  std::vector<float4> bodies_;
  std::vector<float4> velocities_;
  std::vector<float4> accelerations_;
};

}  // namespace

std::unique_ptr<Simulation> makeHostSimulation(int count, double softening, HostForces forces,
                                               HostForcesInPhases inParts, BytesRead bytesRead,
                                               ForcesWithoutRace withoutRace) {
  return std::make_unique<HostSimulation>(count, softening, std::move(forces), std::move(inParts),
                                          std::move(bytesRead), std::move(withoutRace));
}

}  // namespace nbody
