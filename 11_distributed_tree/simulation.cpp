// The simulation of step 11 on the ranks that mpirun has started.
#include "11_distributed_tree/rank_work.hpp"
#include "ranks/communicator.hpp"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

namespace {

std::unique_ptr<Simulation> makeSimulation(int bodies, double softening, const StepOptions& given) {
  const auto options = std::make_shared<Options>(dynamic_cast<const Options&>(given));
  Communicator& ranks = Communicator::world();
  ranks.takeGpu(options->shareGpu);  // before anything is allocated on it
  const Shares shares = {bodies, ranks.size()};
  RankMethod method = {.layout = shares, .reordersBodies = true, .timesMessages = options->link};
  method.transport = makeTransport(ranks, false);
  method.makeForces = [=](const RankStart& start) {
    return makeTreeForces({start.rank, shares, *options, start.softeningSquared, start.transport});
  };
  return makeRankSimulation(softening, std::move(method));
}

[[maybe_unused]] const bool kLinked = link({NBODY_STEP_NAME,
                                            sizeof(real) == sizeof(double),
                                            true,
                                            false,
                                            std::make_unique<Options>,
                                            makeSimulation});

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
