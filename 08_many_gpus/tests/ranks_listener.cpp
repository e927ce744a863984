// Prepares tests that mpirun starts: every rank runs them, and only rank 0 reports.
#define CATCH_CONFIG_EXTERNAL_INTERFACES  // for version 2: listeners
#include "catch.hpp"
#include "ranks/communicator.hpp"

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
    nbody::Communicator::world().prepareForTests();
  }
  void testRunEnded(const Catch::TestRunStats&) override { nbody::Communicator::world().finish(); }
};

}  // namespace

CATCH_REGISTER_LISTENER(RanksListener)
