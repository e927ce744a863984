// The checker against a model that remembers everything: kernels of random accesses to one struct,
// in each of the forms of struct_forms.cuh, with random barriers between them. Where the model knows
// a race the checker must report one, and nowhere else.
#include <cstdlib>
#include <random>
#include <typeinfo>

#include "checker_reports.hpp"
#include "struct_forms.cuh"

using namespace nbody;

namespace {

enum Step : int { nothing, readAll, writeAll, addAtomically };
enum Wait : int { none, ofBlock, ofWarp, ofHalfWarps, kinds };

struct Shape {
  int blocks, threads, rounds;
};

/// In each round every thread takes its step, then all wait in the way of the round.
template <class Form>
__global__ void stepsKernel(const int* steps, const int* waits, int rounds,
                            typename Form::Target* packet, int* sink, bool shared) {
  __shared__ typename Form::Target own;
  typename Form::Target* const target = shared ? &own : packet;
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  for (int round = 0; round < rounds; ++round) {
    const int step = steps[round * threads + thread];
    if (step == readAll) sink[thread] = Form::read(target);
    else if (step == writeAll) Form::write(target, round * threads + thread);
    else if (step == addAtomically) atomicAdd(&target->words[0], threads);
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
    kernel.steps[random() % kernel.steps.size()] = readAll;
  for (int n = below(3); n > 0; --n)
    kernel.steps[random() % kernel.steps.size()] = below(3) == 0 ? addAtomically : writeAll;
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
  return a.step != readAll || b.step != readAll;
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

/// Whether the model knows a race; \p shared: each block has its own word.
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

/// The checker's reports on the kernel; empty if none is of a race.
template <class Form>
std::string reportsOfKernel(const RandomKernel& kernel, bool shared) {
  const int threads = kernel.shape.blocks * kernel.shape.threads;
  DeviceArray<int> steps(kernel.steps.size(), "steps"), waits(kernel.waits.size(), "waits");
  DeviceArray<typename Form::Target> packet(1, "packet");
  DeviceArray<int> sink(threads, "sink");
  steps.upload(kernel.steps);
  waits.upload(kernel.waits);
  packet.clear();
  const std::string reports = reportsOf([&] {
    launch(LaunchShape(kernel.shape.blocks, kernel.shape.threads), stepsKernel<Form>, steps.data(),
           waits.data(), kernel.shape.rounds, packet.data(), sink.data(), shared);
  });
  return contains(reports, "executor: race") ? reports : "";
}

/// Random kernels in this form, from a seed on; how many the model knows to race.
template <class Form>
int checkKernels(int firstSeed, int count) {
  int racing = 0;
  for (int seed = firstSeed; seed < firstSeed + count; ++seed) {
    std::mt19937 random(seed);
    const RandomKernel kernel = makeKernel(random);
    const bool shared = seed % 2 == 1;
    const bool expected = hasRace(kernel, shared);
    racing += expected;
    inEveryOrder([&] {
      const std::string reports = reportsOfKernel<Form>(kernel, shared);
      INFO("kernel " << seed << " of " << sizeof(typename Form::Target) << " bytes in the form "
                     << typeid(Form).name() << (shared ? ", shared memory:" : ", global memory:")
                     << describe(kernel) << reports);
      CHECK(!reports.empty() == expected);
    });
  }
  return racing;
}

}  // namespace

TEST_CASE("the checker reports races where a model of all accesses knows one") {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);  // without lines a report takes a tenth of the time
  const char* more = std::getenv("NBODY_TEST_KERNELS");
  const int each = more ? std::atoi(more) : 16;  // kernels of each size and form
  int kernels = 0, racing = 0;
  withForms([&]<class Form>(Form) {
    racing += checkKernels<Form>(kernels, each);
    kernels += each;
  });
  setenv("PATH", path.c_str(), 1);
  CHECK(racing > kernels / 8);  // or the kernels would show little
  CHECK(racing < kernels * 7 / 8);
}

// The checker reports a call's copy of a struct like a statement's: out of bounds, uninitialised
// or the host's, in each form of struct_forms.cuh. A struct returned into memory counts as written.

namespace {

template <class Form>
__global__ void readKernel(const typename Form::Target* packets, int index, int* sink) {
  if (threadIdx.x == 0) *sink = Form::read(packets + index);
}
template <class Form>
__global__ void writeKernel(typename Form::Target* packets, int index) {
  if (threadIdx.x == 0) Form::write(packets + index, 3);
}
template <class Form>
__global__ void writeAndReadKernel(typename Form::Target* packets, int* sink) {
  Form::write(packets + threadIdx.x, 3);
  __syncthreads();
  sink[threadIdx.x] = Form::read(packets + (threadIdx.x + 1) % blockDim.x);
}

template <class Form>
void checkForm() {
  using Target = typename Form::Target;
  constexpr int kCount = kBlock;
  auto sink = zeros<int>(kCount, "sink");
  const auto read = [&](const Target* packets, int index) {
    return reportsOf(launching(kOneBlock, readKernel<Form>, packets, index, sink.data()));
  };
  const auto write = [&](Target* packets, int index) {
    return reportsOf(launching(kOneBlock, writeKernel<Form>, packets, index));
  };
  INFO(typeid(Form).name() << ", " << sizeof(Target) << " bytes");
  auto packets = zeros<Target>(kCount, "packets");
  CHECK(read(packets.data(), kCount - 1) == "");
  CHECK(contains(read(packets.data(), kCount), "out of bounds of global memory: packets[64]"));
  CHECK(contains(read(packets.data(), -1), "out of bounds of global memory: packets[-1]"));
  CHECK(contains(write(packets.data(), kCount), "out of bounds of global memory: packets[64]"));
  CHECK(contains(write(packets.data(), -1), "out of bounds of global memory: packets[-1]"));
  DeviceArray<Target> unwritten(kCount, "unwritten");
  CHECK(contains(read(unwritten.data(), 5), "uninitialised global memory: unwritten[5]"));
  CHECK(write(unwritten.data(), 5) == "");
  CHECK(read(unwritten.data(), 5) == "");
  CHECK(contains(read(unwritten.data(), 6), "uninitialised global memory: unwritten[6]"));
  std::vector<Target> host(kCount);
  CHECK(contains(read(host.data(), 2), "out of bounds: a kernel uses "));
  CHECK(contains(write(host.data(), 2), "out of bounds: a kernel uses "));
  requireQuiet([&] {
    DeviceArray<Target> own(kCount, "own");
    launch(kOneBlock, writeAndReadKernel<Form>, own.data(), sink.data());
  });
}

}  // namespace

TEST_CASE("a struct that a call copies is an access like others") {
  withForms([]<class Form>(Form) { checkForm<Form>(); });
}
