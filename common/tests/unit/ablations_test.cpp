// Which part of a method is found at fault, from made-up parts.
#include "wrong_forces.hpp"

#include "driver/run_program.hpp"

using namespace nbody;

namespace {

/// Forces that are right where option `whole` is 1, and twice too large where it is more.
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

struct Whole : OptionsOf<Whole> {
  int whole = 2;
  std::vector<Ablation> tried;

  std::vector<Ablation> ablations() const override { return tried; }
};

std::shared_ptr<const Whole> with(int whole) {
  auto options = std::make_shared<Whole>();
  options->whole = whole;
  return options;
}

std::string partAtFault(std::vector<Ablation> ablations, int bodies = 200) {
  Whole options;
  options.tried = std::move(ablations);
  const Program program = {.name = "half right",
                           .doublePrecision = false,
                           .options = std::make_unique<Whole>,
                           .device = nullptr,
                           .simulation =
                               [](int, double softening, const StepOptions& step) {
                                 const int whole = dynamic_cast<const Whole&>(step).whole;
                                 return std::make_unique<HalfRight>(softening, whole);
                               },
                           .deviceBytesPerBody = 0};
  return failedAblation(program, options, makeCube(bodies, 1), kSoftening, kUnitRoundoff);
}

}  // namespace

TEST_CASE("the first setting with wrong forces is named after the last with right ones") {
  const Ablation one = {"with one", with(1)};
  const Ablation two = {"with two", with(2)};
  const Ablation asItIs = {"as it is", std::make_shared<Whole>()};
  const std::string twice = "forces are off by a constant factor 2";
  CHECK(partAtFault({one, asItIs, two}) == "right with one; wrong as it is: " + twice);
  CHECK(partAtFault({two, one}) == "wrong with two: " + twice);
  CHECK(partAtFault({one, one}).empty());
  CHECK(partAtFault({}).empty());
  CHECK(partAtFault({one, two}, 5000) == "right with one; wrong with two: " + twice);
}
