// The simulation of step 08 on the ranks that mpirun has started. one_process.cpp has ranks that are threads.
#include "08_many_gpus/rank_forces.hpp"
#include "ranks/communicator.hpp"
#include "ranks/rank_options.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

namespace {

/// Options of the program: mpirun decides how many ranks there are.
struct ProgramOptions : OptionsOf<ProgramOptions, Options>, RankOptions {
  std::vector<Option> list() override {
    std::vector<Option> all = exchangeOptions();
    for (Option& option : rankOptions()) all.push_back(std::move(option));
    return all;
  }
};

std::unique_ptr<Simulation> makeSimulation(int bodies, double softening, const StepOptions& given) {
  const auto options = std::make_shared<Options>(dynamic_cast<const Options&>(given));
  const auto& onRanks = dynamic_cast<const RankOptions&>(given);
  Communicator& ranks = Communicator::world();
  ranks.takeGpu(onRanks.shareGpu);  // before anything is allocated on it
  const Shares shares = {bodies, ranks.size(), options->shareUnit(bodies)};
  RankMethod method = {.layout = shares, .timesMessages = onRanks.link};
  // With `ring`, messages find room beside forces if NCCL gets few blocks. We did not measure this for others.
  method.transport = makeTransport(ranks, options->exchange == Exchange::ring);
  method.makeForces = [=](const RankStart& start) {
    options->equalMasses = start.equalMasses;
    return makeRankForces({start.rank, shares, *options, start.softeningSquared, start.transport});
  };
  return makeRankSimulation(softening, std::move(method));
}

[[maybe_unused]] const bool kLinked = link({NBODY_STEP_NAME,
                                            sizeof(real) == sizeof(double),
                                            true,
                                            false,
                                            std::make_unique<ProgramOptions>,
                                            makeSimulation});

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
