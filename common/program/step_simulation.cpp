// Compiled into each step, in its precision.
#include "cuda/device_array.hpp"
#include "physics/leapfrog.hpp"
#include "program/convert.hpp"
#include "program/simulation.hpp"
#include "program/step.hpp"

namespace nbody {

namespace {

class StepSimulation : public Simulation {
 public:
  StepSimulation(int count, double softening, const Parameters& parameters)
      : parameters_(parameters.chosenFor(count)),
        softeningSquared_(static_cast<real>(softening * softening)),
        bodies_(count, "bodies"),
        velocities_(count, "velocities"),
        accelerations_(count, "accelerations") {}

  void upload(const Bodies& bodies) override {
    bodies_.upload(converted<real4>(bodies.positions));
    velocities_.upload(converted<real4>(bodies.velocities));
  }

  Bodies download() const override {
    return {converted<Double4>(bodies_.download()), converted<Double4>(velocities_.download())};
  }

  std::vector<Double4> accelerations() const override {
    return converted<Double4>(accelerations_.download());
  }

  void poisonAccelerations() override { accelerations_.poison(); }

  void computeForces() override {
    nbody::computeForces(bodies_, softeningSquared_, parameters_, accelerations_);
  }

  void step(double timeStep) override {
    kickDrift(bodies_, velocities_, accelerations_, timeStep);
    computeForces();
    kick(velocities_, accelerations_, timeStep);
  }

  void synchronize() override { synchronizeDevice(); }

  Timing time(const std::function<void()>& work, int repeats) override {
#ifdef NBODY_GPU
    return timeOnDevice(work, repeats);
#else
    return timeOnHost(work, repeats);
#endif
  }

 private:
  Parameters parameters_;
  real softeningSquared_;
  DeviceArray<real4> bodies_;
  DeviceArray<real4> velocities_;
  DeviceArray<real4> accelerations_;
};

}  // namespace

std::unique_ptr<Simulation> makeStepSimulation(int count,
                                               double softening,
                                               const Parameters& parameters) {
  return std::make_unique<StepSimulation>(count, softening, parameters);
}

}  // namespace nbody
