#include "ranks/rank_simulation.hpp"

#include <stdexcept>

#include "base/output_file.hpp"
#include "ranks/rank_commands.hpp"

namespace nbody {

namespace {

/// Rank 0's view of the parts of all ranks.
class RankSimulation : public Simulation {
  static void tell(Command command) { Ranks::world().broadcast(command); }
  RankPart& part() const { return partOf(number_); }

  void all(const Command& command) const {
    tell(command);
    orAbort([&] { follow(command, part()); });
  }
  template <class Own>
  auto all(Word word, Own own) const {
    tell(of(word));
    return orAbort([&] { return own(part()); });
  }

 public:
  RankSimulation(int count, double softening, const Options& options) : isTree_(options.isTree()) {
    static int made = 0;
    number_ = ++made;
    Command command = of(Word::create);
    command.bodies = count;
    command.softening = softening;
    tell(command);
    orAbort([&] { create(command, options); });
  }
  ~RankSimulation() override {
    const Command command = of(Word::destroy);
    tell(command);
    destroy(command);
  }

  void upload(const Bodies& bodies) override {
    all(Word::upload, [&](RankPart& part) { part.upload(bodies); });
  }
  void readSnapshot(const SnapshotFile& file) override {
    all(Word::read, [&](RankPart& part) { part.readSnapshot(file.name()); });
  }
  bool writeSnapshot(const std::string& path, double time, double softening) const override {
    if (isSpecialFile(path) || !tipsyOrder(path) || isTree_) return false;
    const std::string notFinite =
        all(Word::write, [&](RankPart& part) { return part.writeSnapshot(path, time, softening); });
    if (!notFinite.empty()) throw std::runtime_error(notFinite);
    return true;
  }
  Bodies download() const override {
    return all(Word::download, [](RankPart& part) { return part.download(); });
  }
  std::vector<Double4> accelerations() const override {
    return all(Word::accelerations, [](RankPart& part) { return part.accelerations(); });
  }
  void poisonAccelerations() override { all(of(Word::poison)); }
  void computeForces() override {
    if (asked_) *asked_ = {false, 0};
    else all(of(Word::compute));
  }
  std::optional<PhaseTimes> computeForcesInPhases() override {
    return all(Word::phases, [](RankPart& part) { return part.computeForcesInPhases(); });
  }
  void step(double timeStep) override {
    if (asked_) *asked_ = {true, timeStep};
    else all(with(Word::step, timeStep, false));
  }
  void advance(double timeStep, int steps, bool inGraph) override {
    for (int k = 0; k < steps; ++k) all(with(Word::advance, timeStep, inGraph));
  }
  void synchronize() override { all(of(Word::synchronize)); }

  /// \p work is called once, to learn what it asks for; the ranks then do that by themselves.
  Timing time(const std::function<void()>& work, int repeats, bool inGraph) override {
    Command command = of(Word::time);
    {
      struct Asking {
        RankTask*& asked;
        ~Asking() { asked = nullptr; }
      } const asking = {asked_};
      asked_ = &command.task;
      work();
    }
    command.repeats = repeats;
    command.inGraph = inGraph;
    tell(command);
    return orAbort([&] { return part().time(command.task, repeats, inGraph); });
  }

 private:
  Command of(Word word) const {
    Command command = {};
    command.word = word;
    command.simulation = number_;
    return command;
  }
  Command with(Word word, double timeStep, bool inGraph) const {
    Command command = of(word);
    command.task = {true, timeStep};
    command.inGraph = inGraph;
    return command;
  }

  int number_;
  bool isTree_;  ///< whose ranks do not have their bodies in the order of a file
  RankTask* asked_ = nullptr;  ///< where time() learns what its work is
};

}  // namespace

Device probeDevices(bool measure) {
  Device device = probeDevice(measure);
  const int ranks = Ranks::world().size();
  if (ranks == 1) return device;
  device.name = std::to_string(ranks) + " x " + device.name;
  device.fma.tflops *= ranks;
  return device;
}

std::unique_ptr<StepOptions> makeStepOptions() { return std::make_unique<Options>(); }

std::unique_ptr<Simulation> makeStepSimulation(int count,
                                               double softening,
                                               const StepOptions& options) {
  const auto& own = dynamic_cast<const Options&>(options);
  return std::make_unique<RankSimulation>(count, softening, own);
}

}  // namespace nbody
