// Which part of a method is found at fault, from made-up parts.
#include "wrong_forces.hpp"

#include "driver/ablations.hpp"

using namespace nbody;

namespace {

/// Forces that are right where parameter `whole` is 1, and twice too large where it is more.
class HalfRight : public Simulation {
 public:
  HalfRight(double softening, int whole) : softening_(softening), whole_(whole) {}
  void upload(const Bodies& bodies) override { bodies_ = bodies; }
  Bodies download() const override { return bodies_; }
  Forces accelerations() const override { return accelerations_; }
  void poisonAccelerations() override { accelerations_.clear(); }
  void computeForces() override {
    accelerations_ = byLaw(bodies_, {.softeningSquared = softening_ * softening_});
    for (Double4& a : accelerations_) a = {whole_ * a.x, whole_ * a.y, whole_ * a.z, 0};
  }
  void step(double) override {}
  Timing time(const std::function<void()>&, int, bool) override { return {}; }

 private:
  double softening_;
  int whole_;
  Bodies bodies_;
  Forces accelerations_;
};

std::string partAtFault(std::vector<Ablation> ablations, int bodies = 200) {
  Parameter whole = {"whole", "", 2, {1, 2}, ""};
  whole.ablations = std::move(ablations);
  const Program program = {.name = "half right",
                           .doublePrecision = false,
                           .parameters = {whole},
                           .device = nullptr,
                           .simulation =
                               [](int, double softening, const Parameters& parameters) {
                                 return std::make_unique<HalfRight>(softening, parameters["whole"]);
                               },
                           .deviceBytesPerBody = 0};
  return failedAblation(program, program.parameters, makeCube(bodies, 1), kSoftening, kUnitRoundoff);
}

}  // namespace

TEST_CASE("the first setting with wrong forces is named after the last with right ones") {
  const Ablation one = {"with one", {{"whole", 1}}};
  const Ablation two = {"with two", {{"whole", 2}}};
  const Ablation asItIs = {"as it is", {}};
  const std::string twice = "forces are off by a constant factor 2";
  CHECK(partAtFault({one, asItIs, two}) == "right with one; wrong as it is: " + twice);
  CHECK(partAtFault({two, one}) == "wrong with two: " + twice);
  CHECK(partAtFault({one, one}).empty());
  CHECK(partAtFault({}).empty());
  CHECK(partAtFault({one, two}, 5000) == "right with one; wrong with two: " + twice);
}
