#include "ranks/rank_commands.hpp"

#include <map>
#include <sstream>

namespace nbody {

namespace {

/// What each rank has between commands.
struct Rank {
  std::unique_ptr<Transport> transport;
  std::map<int, RankPart> parts;
};

Rank& thisRank() {
  static Rank rank;
  return rank;
}

/// A line for each option.
std::string linesOf(Options options) {
  std::string text;
  for (const Option& option : options.list()) text += option.name + " " + textOf(option) + "\n";
  return text;
}

Options optionsFrom(const std::string& text) {
  Options options;
  std::istringstream words(text);
  for (std::string name, value; words >> name >> value;)
    for (const Option& option : options.list())
      if (option.name == name) option.read(value);
  return options;
}

}  // namespace

void create(const Command& command, const Options& given) {
  Ranks& ranks = Ranks::world();
  Rank& rank = thisRank();
  std::string text = linesOf(given);
  ranks.broadcast(text);
  const Options options = optionsFrom(text);
  if (!ranks.takeGpu(options.shareGpu)) return;
  if (!rank.transport) rank.transport = makeTransport(ranks, options.exchange == Exchange::ring);
  const RankSetup setup = {command.bodies, command.softening, options};
  rank.parts.try_emplace(command.simulation, ranks, *rank.transport, setup);
}

void destroy(const Command& command) { thisRank().parts.erase(command.simulation); }

RankPart& partOf(int simulation) { return thisRank().parts.at(simulation); }

void follow(const Command& command, RankPart& part) {
  switch (command.word) {
    case Word::upload:
      return part.upload({});
    case Word::read:
      return part.readSnapshot("");
    case Word::write:
      return static_cast<void>(part.writeSnapshot("", 0, 0));
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

void serve() {
  for (Command command = {}; command.word != Word::end;) {
    Ranks::world().broadcast(command);
    orAbort([&] {
      if (command.word == Word::create) create(command, {});
      else if (command.word == Word::destroy) destroy(command);
      else if (command.word != Word::end) follow(command, partOf(command.simulation));
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

}  // namespace nbody
