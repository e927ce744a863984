// Step 08 on CPUs: `gather` and `ring` between ranks that use the loop of the baseline `simd`
// instead of a kernel. It measures what the exchange costs if a rank is some cores of a host.
#include "08_many_gpus/force_sum.hpp"
#include "base/parallel.hpp"
#include "physics/baselines.hpp"
#include "ranks/rank_main.hpp"
#include "ranks/rank_options.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

namespace {

int threads = 1;  ///< threads of this rank

/// Returns a share of the host's cores, or of those to which mpirun bound this rank. Collective.
int threadsOfRank() {
  MPI_Comm host = Communicator::world().ofHost();
  int ranks = 1;
  MPI_Comm_size(host, &ranks);
  MPI_Comm_free(&host);
  return std::max(1, threadCount(0) / ranks);
}

void pulls(const float4* bodies,
           int count,
           const float4* sources,
           int sourceCount,
           float softeningSquared,
           float4* sums) {
  simdPulls(bodies, count, sources, sourceCount, softeningSquared, threads, sums);
}

struct SimdOptions : OptionsOf<SimdOptions, Options>, RankOptions {
  SimdOptions() { hostForces = pulls; }

  std::vector<Option> list() override {
    return {wordOption("exchange",
                       exchange,
                       "how the ranks exchange their bodies\n"
                       "  gather: all bodies are collected first\n"
                       "  ring: they are passed round a ring while forces are computed",
                       {{"gather", Exchange::gather}, {"ring", Exchange::ring}})};
  }
};

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::many_gpus

int main(int argc, char** argv) {
  using namespace nbody::many_gpus;
  nbody::Program program = {.name = "simd_ranks",
                            .options = std::make_unique<SimdOptions>,
                            .simulation = nbody::makeStepSimulation};
  threads = threadsOfRank();
  return nbody::runOnRanks(argc, argv, std::move(program));
}
