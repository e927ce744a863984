// Step 08's ranks as threads of one process: forces, and messages about ranks that wait in vain.
#include "catch.hpp"
#include "ranks/threads/process_transport.hpp"
#include "step_run.hpp"

using namespace nbody;
using Catch::Matchers::Contains;

TEST_CASE("ranks of one process: forces equal the FP64 direct sum", "[sanitizer]") {
  for (const char* exchange : {"gather", "ring", "pairs"})
    for (int ranks : {1, 2, 3, 5, 8}) {
      const std::string settings =
          std::string("exchange ") + exchange + " ranks " + std::to_string(ranks);
      for (int count : {1000, 257, 3}) requireCorrect(makeCube(count, 7), settings);
    }
}

TEST_CASE("ranks of one process: a second evaluation has nothing of the first", "[sanitizer]") {
  for (const char* exchange : {"gather", "ring", "pairs"}) {
    const Bodies bodies = makeCube(257, 7);
    const auto simulation = simulationOf(bodies, std::string("ranks 4 exchange ") + exchange);
    for (int times = 0; times < 3; ++times) {
      simulation->poisonAccelerations();
      simulation->computeForces();
      const ForceError error = checkForces(*simulation, kSoftening, kUnitRoundoff, {});
      INFO(exchange << ": " << error.failure);
      CHECK(error.passed);
    }
  }
}

TEST_CASE("ranks of one process: the same bits for any number of ranks") {
  const Bodies bodies = makeCube(1000, 7);
  const auto one = accelerationsOf(bodies, "ordered on ranks 1");
  const auto five = accelerationsOf(bodies, "ordered on ranks 5");
  for (int i = 0; i < bodies.count(); ++i)
    CHECK((one[i].x == five[i].x && one[i].y == five[i].y && one[i].z == five[i].z));
}

TEST_CASE("ranks that wait for each other are told whom they wait for") {
  RankThreads threads(3);
  Messages messages;
  const auto waits = [&](int rank) {
    ProcessTransport transport(rank, stream(), threads, messages);
    transport.start({}, {{nullptr, 5, (rank + 1) % 3}}, stream());
    transport.finish(stream());
  };
  CHECK_THROWS_WITH(threads.run(waits),
                    "deadlock: rank 0 waits for 5 bodies from rank 1, rank 1 waits for 5 bodies "
                    "from rank 2, rank 2 waits for 5 bodies from rank 0");
  // They are there for another job.
  int sum = 0;
  threads.run([&](int rank) { sum += rank; });
  CHECK(sum == 3);
}

TEST_CASE("a message of another length than is expected is an error") {
  RankThreads threads(2);
  Messages messages;
  DeviceArray<real4> some(8, "some");
  const auto sends = [&](int rank) {
    ProcessTransport transport(rank, stream(), threads, messages);
    if (rank == 0) transport.start({{some.data(), 4, 1}}, {}, stream());
    else transport.start({}, {{some.data() + 4, 3, 0}}, stream());
    transport.finish(stream());
  };
  CHECK_THROWS_WITH(threads.run(sends),
                    "rank 1 expects 3 bodies from rank 0, but rank 0 sends 4 bodies");
}

TEST_CASE("a rank that fails ends the others, and is the one that is told of") {
  RankThreads threads(3);
  CHECK_THROWS_WITH(threads.run([&](int rank) {
    if (rank == 1) throw std::runtime_error("one");
    threads.await(
        rank, [] { return false; }, "for ever");
  }),
                    "one");
}
