// The checker against a model that remembers everything: kernels of random accesses to one word,
// with random barriers between them. Where the model knows a race the checker must report one, and
// nowhere else.
#include <cstdlib>
#include <random>

#include "checker_reports.hpp"

using namespace nbody;

namespace {

enum Step : int { nothing, readWord, writeWord, addAtomically };
enum Wait : int { none, ofBlock, ofWarp, ofHalfWarps, kinds };

struct Shape {
  int blocks, threads, rounds;
};

/// In each round every thread takes its step, then all wait in the way of the round.
__global__ void stepsKernel(const int* steps,
                            const int* waits,
                            int rounds,
                            int* word,
                            int* sink,
                            bool shared) {
  __shared__ int own;
  int* const target = shared ? &own : word;
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  for (int round = 0; round < rounds; ++round) {
    const int step = steps[round * threads + thread];
    if (step == readWord) sink[thread] = *target;
    else if (step == writeWord) *target = round * threads + thread;
    else if (step == addAtomically) atomicAdd(target, threads);
    const int wait = waits[round];
    if (wait == ofBlock) __syncthreads();
    else if (wait == ofWarp) __syncwarp();
    else if (wait == ofHalfWarps) __syncwarp(threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u);
  }
}

struct RandomKernel {
  Shape shape;
  std::vector<int> steps, waits;
};

RandomKernel makeKernel(std::mt19937& random) {
  const auto below = [&](int end) { return static_cast<int>(random() % end); };
  RandomKernel kernel = {{1 + below(2), 32 * (1 + below(2)), 1 + below(5)}, {}, {}};
  const int threads = kernel.shape.blocks * kernel.shape.threads;
  kernel.steps.assign(static_cast<std::size_t>(kernel.shape.rounds) * threads, nothing);
  const bool few = below(2) == 0;
  for (int n = few ? 1 + below(4) : 1 + below(threads); n > 0; --n)
    kernel.steps[random() % kernel.steps.size()] = readWord;
  for (int n = below(3); n > 0; --n)
    kernel.steps[random() % kernel.steps.size()] = below(3) == 0 ? addAtomically : writeWord;
  for (int round = 0; round < kernel.shape.rounds; ++round) kernel.waits.push_back(below(kinds));
  return kernel;
}

struct Access {
  int block, thread, round, step;
};

/// Whether what \p a's thread did in its round is ordered before what \p b's does in a later one.
bool isOrdered(const RandomKernel& kernel, const Access& a, const Access& b) {
  if (a.block != b.block) return false;
  if (a.thread == b.thread) return true;
  std::vector<bool> knows(kernel.shape.threads, false);
  knows[a.thread] = true;
  for (int round = a.round; round < b.round; ++round) {
    const int group = kernel.waits[round] == ofBlock       ? kernel.shape.threads
                      : kernel.waits[round] == ofWarp      ? 32
                      : kernel.waits[round] == ofHalfWarps ? 16
                                                           : 1;
    const auto first = knows.begin();
    for (int t = 0; t < kernel.shape.threads; t += group)
      if (std::find(first + t, first + t + group, true) != first + t + group)
        std::fill(first + t, first + t + group, true);
  }
  return knows[b.thread];
}

bool conflict(const Access& a, const Access& b) {
  if (a.step == addAtomically && b.step == addAtomically) return false;
  return a.step != readWord || b.step != readWord;
}

std::vector<Access> accessesOf(const RandomKernel& kernel) {
  std::vector<Access> accesses;
  const int threads = kernel.shape.blocks * kernel.shape.threads;
  for (int round = 0; round < kernel.shape.rounds; ++round)
    for (int t = 0; t < threads; ++t)
      if (const int step = kernel.steps[round * threads + t]; step != nothing)
        accesses.push_back({t / kernel.shape.threads, t % kernel.shape.threads, round, step});
  return accesses;
}

/// "block 0, thread 5 writes; ..., then a wait of half warps; ..."
std::string describe(const RandomKernel& kernel) {
  std::string text;
  const std::vector<Access> accesses = accessesOf(kernel);
  for (int round = 0; round < kernel.shape.rounds; ++round) {
    for (const Access& a : accesses)
      if (a.round == round)
        text += " " + std::to_string(a.block) + "." + std::to_string(a.thread) +
                std::string(1, "?rwa"[a.step]);
    text += std::string(" |") + "-BWH"[kernel.waits[round]];
  }
  return text + "\n";
}

/// Whether the model knows a race; \p shared: each block has a word of its own.
bool hasRace(const RandomKernel& kernel, bool shared) {
  const std::vector<Access> accesses = accessesOf(kernel);
  for (std::size_t i = 0; i < accesses.size(); ++i)
    for (std::size_t j = i + 1; j < accesses.size(); ++j) {
      const Access &a = accesses[i], &b = accesses[j];
      if (shared && a.block != b.block) continue;
      if (conflict(a, b) && !isOrdered(kernel, a, b)) return true;
    }
  return false;
}

/// What the checker says of the kernel.
std::string reportsOfKernel(const RandomKernel& kernel, bool shared) {
  const int threads = kernel.shape.blocks * kernel.shape.threads;
  DeviceArray<int> steps(kernel.steps.size(), "steps"), waits(kernel.waits.size(), "waits");
  DeviceArray<int> word(1, "word"), sink(threads, "sink");
  steps.upload(kernel.steps);
  waits.upload(kernel.waits);
  word.clear();
  const std::string reports = reportsOf([&] {
    launch(LaunchShape(kernel.shape.blocks, kernel.shape.threads),
           stepsKernel,
           steps.data(),
           waits.data(),
           kernel.shape.rounds,
           word.data(),
           sink.data(),
           shared);
  });
  return contains(reports, "executor: race") ? reports : "";
}

}  // namespace

TEST_CASE("the checker reports races where a model of all accesses knows one") {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);  // without lines a report takes a tenth of the time
  constexpr int kKernels = 600;
  int racing = 0;
  for (int seed = 0; seed < kKernels; ++seed) {
    std::mt19937 random(seed);
    const RandomKernel kernel = makeKernel(random);
    const bool shared = seed % 2 == 1;
    const bool expected = hasRace(kernel, shared);
    racing += expected;
    inEveryOrder([&] {
      const std::string reports = reportsOfKernel(kernel, shared);
      INFO("kernel " << seed << (shared ? ", shared memory:" : ", global memory:")
                     << describe(kernel) << reports);
      CHECK(!reports.empty() == expected);
    });
  }
  setenv("PATH", path.c_str(), 1);
  CHECK(racing > kKernels / 8);  // or the kernels would show little
  CHECK(racing < kKernels * 7 / 8);
}
