// The checker against a model that remembers everything: kernels whose threads hand memory on by fences and
// atomics of both scopes, at random. Where the model knows a race the checker must report one, and nowhere
// else. The model has a vector clock for each thread, as the language orders them: by the program, barriers
// and fences around atomics.
#include <cstdlib>
#include <random>

#include "checker_reports.hpp"

using namespace nbody;

namespace {

enum Step : int { nothing, readData, writeData, fence, fenceOfBlock, atomic, atomicOfBlock, kinds };

constexpr int kData = 2, kFlags = 2, kFlagAt = 8;  // words apart, so that flags are others'

struct Shape {
  int blocks, threads, rounds;
  bool barriers;  ///< after each round
  int lanesApart;  ///< 32: each thread is of another warp; 1: all of a block are of one
};

struct Move {
  int step, place;
};

__device__ void make(Move move, int value, int* memory, int* sink) {
  int* const data = memory + move.place % kData;
  int* const flag = memory + kFlagAt + move.place % kFlags;
  if (move.step == readData) *sink = *data;
  else if (move.step == writeData) *data = value;
  else if (move.step == fence) __threadfence();
  else if (move.step == fenceOfBlock) __threadfence_block();
  else if (move.step == atomic) atomicAdd(flag, 1);
  else if (move.step == atomicOfBlock) atomicAdd_block(flag, 1);
}

/// Every shape.lanesApart-th thread makes the moves.
__global__ void movesKernel(const Move* moves, Shape shape, int* memory, int* sink) {
  const int place = static_cast<int>(threadIdx.x) / shape.lanesApart;
  const int thread = static_cast<int>(blockIdx.x) * shape.threads + place;
  for (int round = 0; round < shape.rounds; ++round) {
    if (threadIdx.x % shape.lanesApart == 0)
      make(moves[round * shape.blocks * shape.threads + thread], round * 1000 + thread + 1, memory,
           sink + thread);
    if (shape.barriers && shape.lanesApart == 1) __syncwarp();
    else if (shape.barriers) __syncthreads();
  }
}

using Clock = std::vector<int>;

void join(Clock& into, const Clock& other) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
}

struct Access {
  int thread, time;
  bool writes, atomic, ofBlock;
};

struct RandomKernel {
  Shape shape;
  std::vector<Move> moves;

  int threads() const { return shape.blocks * shape.threads; }
  int blockOf(int thread) const { return thread / shape.threads; }
};

RandomKernel makeKernel(std::mt19937& random) {
  const auto below = [&](int end) { return static_cast<int>(random() % end); };
  RandomKernel kernel = {{1 + below(3), 1 + below(3), 2 + below(7), below(2) == 0, 32}, {}};
  if (below(2) == 0) kernel.shape.lanesApart = 1;
  const bool narrow = below(3) == 0, idle = below(2) == 0;
  int reads[kData] = {};  // of more than two the checker forgets some
  for (int n = kernel.threads() * kernel.shape.rounds; n > 0; --n) {
    Move move = {below(kinds), below(2)};
    if (!narrow && move.step == fenceOfBlock) move.step = fence;
    if (!narrow && move.step == atomicOfBlock) move.step = atomic;
    if (idle && below(3) == 0) move.step = nothing;
    if ((move.step == readData || move.step == writeData) && below(2) == 0) move.step = nothing;
    if (move.step == readData && ++reads[move.place % kData] > 2) move.step = nothing;
    kernel.moves.push_back(move);
  }
  return kernel;
}

/// Runs the kernel as the executor does: block by block, in each its threads in turn from one barrier to
/// the next.
class Model {
 public:
  explicit Model(const RandomKernel& kernel)
      : k_(kernel),
        none_(kernel.threads(), 0),
        now_(kernel.threads(), none_),
        fence_(now_),
        fenceOfBlock_(now_),
        forAll_(kFlags, none_),
        forBlock_(kFlags * kernel.shape.blocks, none_),
        atomics_(kernel.threads(), std::vector<Clock>(kFlags, none_)),
        atomicsForAll_(forAll_),
        atomicsForBlock_(forBlock_) {}

  bool hasRace() {
    for (int block = 0; block < k_.shape.blocks; ++block) {
      const int first = block * k_.shape.threads, end = first + k_.shape.threads;
      if (!k_.shape.barriers) {
        for (int thread = first; thread < end; ++thread)
          for (int round = 0; round < k_.shape.rounds; ++round) move(round, thread);
        continue;
      }
      for (int round = 0; round < k_.shape.rounds; ++round) {
        for (int thread = first; thread < end; ++thread) move(round, thread);
        Clock all = none_;
        for (int thread = first; thread < end; ++thread) join(all, now_[thread]);
        std::fill(now_.begin() + first, now_.begin() + end, all);
        for (int flag = 0; flag < kFlags; ++flag) {
          Clock atomics = none_;
          for (int thread = first; thread < end; ++thread) join(atomics, atomics_[thread][flag]);
          for (int thread = first; thread < end; ++thread) atomics_[thread][flag] = atomics;
        }
      }
    }
    return race_;
  }

 private:
  void access(int place, Access access) {
    for (const Access& earlier : accesses_[place]) {
      const bool conflict = earlier.writes || access.writes;
      const bool narrow = (earlier.ofBlock || access.ofBlock) &&
                          k_.blockOf(earlier.thread) != k_.blockOf(access.thread);
      if (earlier.thread == access.thread || !conflict) continue;
      if (earlier.atomic && access.atomic && !narrow) continue;
      const bool isKnown = earlier.atomic && access.atomic &&
                           earlier.time <= atomics_[access.thread][place - kData][earlier.thread];
      if (earlier.time > now_[access.thread][earlier.thread] && !isKnown) race_ = true;
    }
    accesses_[place].push_back(access);
  }

  void move(int round, int thread) {
    const Move& m = k_.moves[round * k_.threads() + thread];
    Clock& now = now_[thread];
    const int time = ++now[thread];
    const int flag = m.place % kFlags;
    const bool isAtomic = m.step == atomic || m.step == atomicOfBlock;
    if (m.step == readData || m.step == writeData)
      access(m.place % kData, {thread, time, m.step == writeData, false, false});
    if (m.step == fence) fence_[thread] = now;
    if (m.step == fence || m.step == fenceOfBlock) fenceOfBlock_[thread] = now;
    if (!isAtomic) return;
    access(kData + flag, {thread, time, true, true, m.step == atomicOfBlock});
    const int inBlock = k_.blockOf(thread) * kFlags + flag;
    Clock& ofBlock = forBlock_[inBlock];
    join(ofBlock, fenceOfBlock_[thread]);
    if (m.step == atomic) join(forAll_[flag], fence_[thread]);
    join(now, forAll_[flag]);
    join(now, ofBlock);
    // An atomic that hands on is itself known to the atomics at that address that take over.
    if (fenceOfBlock_[thread] != none_) atomicsForBlock_[inBlock][thread] = time;
    if (m.step == atomic && fence_[thread] != none_) atomicsForAll_[flag][thread] = time;
    join(atomics_[thread][flag], atomicsForAll_[flag]);
    join(atomics_[thread][flag], atomicsForBlock_[inBlock]);
  }

  const RandomKernel& k_;
  Clock none_;
  std::vector<Clock> now_, fence_, fenceOfBlock_, forAll_, forBlock_;
  /// For each flag: the atomics that a thread knows of, and that are handed on.
  std::vector<std::vector<Clock>> atomics_;
  std::vector<Clock> atomicsForAll_, atomicsForBlock_;
  std::vector<Access> accesses_[kData + kFlags];
  bool race_ = false;
};

std::string reportsOfKernel(const RandomKernel& kernel) {
  DeviceArray<Move> moves(kernel.moves.size(), "moves");
  DeviceArray<int> memory(kFlagAt + kFlags, "memory"), sink(kernel.threads(), "sink");
  moves.upload(kernel.moves);
  memory.clear();
  return reportsOf([&] {
    launch(LaunchShape(kernel.shape.blocks, kernel.shape.threads * kernel.shape.lanesApart), movesKernel,
           moves.data(), kernel.shape, memory.data(), sink.data());
  });
}

std::string textOf(const RandomKernel& kernel) {
  static constexpr const char* kNames[] = {
      "-", "read", "write", "fence", "fence of block", "atomic", "atomic of block"};
  std::string text =
      std::to_string(kernel.shape.blocks) + " blocks" + (kernel.shape.barriers ? ", barriers" : "") +
      (kernel.shape.lanesApart == 1 ? ", a warp each" : "");
  for (int thread = 0; thread < kernel.threads(); ++thread) {
    text += "\nblock " + std::to_string(kernel.blockOf(thread)) + ":";
    for (int round = 0; round < kernel.shape.rounds; ++round) {
      const Move& move = kernel.moves[round * kernel.threads() + thread];
      text += std::string("  ") + kNames[move.step] + " " + std::to_string(move.place);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("memory that fences and atomics hand on races where a model says so, and nowhere else") {
  const char* const asked = std::getenv("NBODY_TEST_KERNELS");
  const int count = 20 * (asked != nullptr ? std::atoi(asked) : 16);
  std::mt19937 random(20261125);
  int races = 0;
  for (int i = 0; i < count; ++i) {
    const RandomKernel kernel = makeKernel(random);
    const bool expected = Model(kernel).hasRace();
    races += expected;
    const std::string reports = reportsOfKernel(kernel);
    INFO(textOf(kernel) << "\n" << reports);
    REQUIRE(contains(reports, "executor: race on global memory: memory[") == expected);
  }
  CHECK(races > count / 10);
  CHECK(races < count * 9 / 10);
}
