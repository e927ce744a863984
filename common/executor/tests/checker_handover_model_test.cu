// The checker against the model of race_model.hpp: kernels whose threads hand memory on by fences and atomics
// of both scopes, at random.
#include <cstdlib>

#include "race_model.hpp"

using namespace nbody;

namespace {

constexpr int kData = 2,
              kFlagAt = 8;  // the other places are flags: words apart, so that they are others'

__device__ void make(Move move, int value, int* memory, int* sink) {
  int* const word = memory + (move.place < kData ? move.place : kFlagAt + move.place);
  if (move.step == readData) *sink = *word;
  else if (move.step == writeData) *word = value;
  else if (move.step == fence) __threadfence();
  else if (move.step == fenceOfBlock) __threadfence_block();
  else if (move.step == atomic) atomicAdd(word, 1);
  else if (move.step == atomicOfBlock) atomicAdd_block(word, 1);
}

/// Every lanesApart-th thread makes the moves; 32: each thread is of another warp, 1: all of a block are of one.
__global__ void movesKernel(const Move* moves, int threads, int rounds, int lanesApart, bool waits,
                            int* memory, int* sink) {
  const int thread =
      static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x) / lanesApart;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x % lanesApart == 0)
      make(moves[round * static_cast<int>(gridDim.x) * threads + thread], round * 1000 + thread + 1,
           memory, sink + thread);
    if (waits && lanesApart == 1) __syncwarp();
    else if (waits) __syncthreads();
  }
}

RandomKernel makeKernel(std::mt19937& random) {
  const auto below = [&](int end) { return static_cast<int>(random() % end); };
  RandomKernel kernel = {1 + below(3), 1 + below(3)};
  const int rounds = 2 + below(7);
  kernel.waits.assign(rounds, below(2) == 0 ? kernel.threads : 1);
  const bool narrow = below(3) == 0, idle = below(2) == 0;
  int reads[kData] = {};  // of more than two the checker forgets some
  for (int n = kernel.allThreads() * rounds; n > 0; --n) {
    Move move = {below(kSteps), below(kData)};
    if (!narrow && move.step == fenceOfBlock) move.step = fence;
    if (!narrow && move.step == atomicOfBlock) move.step = atomic;
    if (idle && below(3) == 0) move.step = nothing;
    if ((move.step == readData || move.step == writeData) && below(2) == 0) move.step = nothing;
    if (move.step == readData && ++reads[move.place] > 2) move.step = nothing;
    if (move.step == atomic || move.step == atomicOfBlock) move.place += kData;
    kernel.moves.push_back(move);
  }
  return kernel;
}

std::string reportsOfKernel(const RandomKernel& kernel, int lanesApart) {
  DeviceArray<Move> moves(kernel.moves.size(), "moves");
  DeviceArray<int> memory(kFlagAt + kPlaces, "memory"), sink(kernel.allThreads(), "sink");
  moves.upload(kernel.moves);
  memory.clear();
  return reportsOf([&] {
    launch(LaunchShape(kernel.blocks, kernel.threads * lanesApart), movesKernel, moves.data(),
           kernel.threads, kernel.rounds(), lanesApart, kernel.waits[0] > 1, memory.data(),
           sink.data());
  });
}

}  // namespace

TEST_CASE("memory that fences and atomics hand on races where a model says so, and nowhere else") {
  const char* const asked = std::getenv("NBODY_TEST_KERNELS");
  const int count = 20 * (asked != nullptr ? std::atoi(asked) : 16);
  std::mt19937 random(20261125);
  int races = 0;
  for (int i = 0; i < count; ++i) {
    const RandomKernel kernel = makeKernel(random);
    const bool expected = RaceModel(kernel).hasRace();
    races += expected;
    const int lanesApart = random() % 2 == 0 ? 1 : 32;
    const std::string reports = reportsOfKernel(kernel, lanesApart);
    INFO(textOf(kernel) << lanesApart << " lanes apart\n" << reports);
    REQUIRE(contains(reports, "executor: race on global memory: memory[") == expected);
  }
  CHECK(races > count / 10);
  CHECK(races < count * 9 / 10);
}
