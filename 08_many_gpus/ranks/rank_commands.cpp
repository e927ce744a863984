#include "ranks/rank_commands.hpp"

#include <map>

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

}  // namespace

void create(const Command& command) {
  Ranks& ranks = Ranks::world();
  Rank& rank = thisRank();
  if (!ranks.takeGpu(command.shareGpu)) return;
  if (!rank.transport) rank.transport = makeTransport(ranks);
  rank.parts.try_emplace(command.simulation, ranks, *rank.transport, command.setup);
}

void destroy(const Command& command) { thisRank().parts.erase(command.simulation); }

RankPart& partOf(int simulation) { return thisRank().parts.at(simulation); }

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

void serve() {
  for (Command command = {}; command.word != Word::end;) {
    Ranks::world().broadcast(command);
    orAbort([&] {
      if (command.word == Word::create) create(command);
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
