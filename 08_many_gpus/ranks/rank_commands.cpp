#include "ranks/rank_commands.hpp"

#include <map>
#include <sstream>

#include "base/bad_input.hpp"
#include "ranks/rank_part.hpp"

namespace nbody {

namespace {

enum class Word {
  create,
  destroy,
  upload,
  download,
  accelerations,
  poison,
  compute,
  phases,
  step,
  advance,
  synchronize,
  time,
  end
};

/// What rank 0 tells the others, as bytes.
struct Command {
  Word word;
  int simulation;  ///< by number
  int bodies;  ///< create
  double softening;  ///< create
  RankTask task;  ///< time; its timeStep also step and advance
  int repeats;  ///< time
  bool inGraph;  ///< time and advance
};

/// What each rank has between commands.
struct Rank {
  std::unique_ptr<Transport> transport;
  std::map<int, RankPart> parts;
};

Rank& thisRank() {
  static Rank rank;
  return rank;
}

/// A line for each option, and what resolve() found.
std::string linesOf(Options options) {
  std::string text = options.equalMasses ? "equal\n" : "unequal\n";
  for (const Option& option : options.list()) text += option.name + " " + textOf(option) + "\n";
  return text;
}

Options optionsFrom(const std::string& text) {
  Options options;
  std::istringstream words(text);
  std::string masses;
  words >> masses;
  options.equalMasses = masses == "equal";
  for (std::string name, value; words >> name >> value;)
    for (const Option& option : options.list())
      if (option.name == name) option.read(value);
  return options;
}

/// \param text  of the options, as rank 0 has it
void create(const Command& command, std::string text) {
  Ranks& ranks = Ranks::world();
  Rank& rank = thisRank();
  ranks.broadcast(text);
  const Options options = optionsFrom(text);
  if (!ranks.takeGpu(options.shareGpu)) return;
  if (!rank.transport) rank.transport = makeTransport(ranks);
  const RankSetup setup = {command.bodies, command.softening, options};
  rank.parts.try_emplace(command.simulation, ranks, *rank.transport, setup);
}

/// What \p command asks of \p part where no rank needs more than it says.
void follow(const Command& command, RankPart& part) {
  switch (command.word) {
    case Word::upload:
      return part.upload({});
    case Word::download:
      return static_cast<void>(part.download());
    case Word::accelerations:
      return static_cast<void>(part.accelerations());
    case Word::poison:
      return part.poisonAccelerations();
    case Word::compute:
      return part.computeForces();
    case Word::phases:
      return static_cast<void>(part.computeForcesInPhases());
    case Word::step:
      return part.step(command.task.timeStep);
    case Word::advance:
      return part.advance(command.task.timeStep, command.inGraph);
    case Word::synchronize:
      return part.synchronize();
    case Word::time:
      return static_cast<void>(part.time(command.task, command.repeats, command.inGraph));
    default:
      return;
  }
}

/// Does \p work; where that fails no other rank can go on.
template <class Work>
auto orAbort(Work work) {
  try {
    return work();
  } catch (const BadInput&) {
    throw;  // all ranks know
  } catch (const std::exception& error) {
    Ranks::world().abort(error.what());
  }
}

/// Rank 0's view of the parts of all ranks.
class RankSimulation : public Simulation {
  static void tell(Command command) { Ranks::world().broadcast(command); }
  RankPart& part() const { return thisRank().parts.at(number_); }

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
  RankSimulation(int count, double softening, const Options& options) {
    static int made = 0;
    number_ = ++made;
    Command command = of(Word::create);
    command.bodies = count;
    command.softening = softening;
    tell(command);
    orAbort([&] { create(command, linesOf(options)); });
  }
  ~RankSimulation() override {
    tell(of(Word::destroy));
    thisRank().parts.erase(number_);
  }

  void upload(const Bodies& bodies) override {
    all(Word::upload, [&](RankPart& part) { part.upload(bodies); });
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
  void advance(double timeStep, bool inGraph) override {
    all(with(Word::advance, timeStep, inGraph));
  }
  void synchronize() override { all(of(Word::synchronize)); }

  /// \p work is called once, to learn what it asks for; the ranks then do that by themselves.
  Timing time(const std::function<void()>& work, int repeats, bool inGraph) override {
    Command command = of(Word::time);
    asked_ = &command.task;
    work();
    asked_ = nullptr;
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
  RankTask* asked_ = nullptr;  ///< where time() learns what its work is
};

}  // namespace

void serve() {
  for (Command command = {}; command.word != Word::end;) {
    Ranks::world().broadcast(command);
    orAbort([&] {
      auto& parts = thisRank().parts;
      if (command.word == Word::create) create(command, "");
      else if (command.word == Word::destroy) parts.erase(command.simulation);
      else if (command.word != Word::end) follow(command, parts.at(command.simulation));
    });
  }
  thisRank() = {};
}

void dismiss() {
  Command command = {};
  command.word = Word::end;
  Ranks::world().broadcast(command);
  thisRank() = {};
}

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
