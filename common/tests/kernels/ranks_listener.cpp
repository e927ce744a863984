// Of tests that mpirun starts: rank 0 runs them, the other ranks follow it until the last is over.
#define CATCH_CONFIG_EXTERNAL_INTERFACES  // of version 2: listeners
#include "catch.hpp"
#include "ranks/rank_commands.hpp"
#include "ranks/ranks.hpp"

namespace {

#ifdef NBODY_CATCH2_3
using Listener = Catch::EventListenerBase;
#else
using Listener = Catch::TestEventListenerBase;
#endif

class RanksListener : public Listener {
 public:
  using Listener::Listener;

  void testRunStarting(const Catch::TestRunInfo&) override {
    nbody::Ranks& ranks = nbody::Ranks::world();
    ranks.allowSharedGpus();
    if (ranks.rank() == 0) return;
    nbody::serve();
    ranks.finish();
    std::exit(0);
  }

  void testRunEnded(const Catch::TestRunStats&) override {
    nbody::dismiss();
    nbody::Ranks::world().finish();
  }
};

}  // namespace

CATCH_REGISTER_LISTENER(RanksListener)
