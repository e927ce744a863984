// The checker against the model of race_model.hpp: kernels of random accesses to one struct, in each of the
// forms of struct_forms.cuh, with random barriers between them.
#include <array>
#include <cstdlib>
#include <typeinfo>

#include "race_model.hpp"
#include "struct_forms.cuh"

using namespace nbody;

namespace {

/// In each round every thread takes its step, then all wait in the way of the round.
template <class Form>
__global__ void stepsKernel(const Move* moves, const int* waits, int rounds,
                            typename Form::Target* packet, int* sink, bool shared) {
  __shared__ typename Form::Target own;
  typename Form::Target* const target = shared ? &own : packet;
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  for (int round = 0; round < rounds; ++round) {
    const int step = moves[round * threads + thread].step;
    if (step == readData) sink[thread] = Form::read(target);
    else if (step == writeData) Form::write(target, round * threads + thread);
    else if (step == atomic) atomicAdd(&target->words[0], threads);
    const int waiting = waits[round];
    if (waiting == static_cast<int>(blockDim.x)) __syncthreads();
    else if (waiting == 32) __syncwarp();
    else if (waiting == 16) __syncwarp(threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u);
  }
}

RandomKernel makeKernel(std::mt19937& random, bool isShared) {
  const auto below = [&](int end) { return static_cast<int>(random() % end); };
  RandomKernel kernel = {1 + below(2), 32 * (1 + below(2))};
  kernel.isShared = isShared;
  for (int rounds = 1 + below(5); rounds > 0; --rounds)
    kernel.waits.push_back(std::array{1, 16, 32, kernel.threads}[below(4)]);
  kernel.moves.assign(kernel.rounds() * kernel.allThreads(), {nothing, 0});
  const bool few = below(2) == 0;
  for (int n = few ? 1 + below(4) : 1 + below(kernel.allThreads()); n > 0; --n)
    kernel.moves[random() % kernel.moves.size()].step = readData;
  for (int n = below(3); n > 0; --n)
    kernel.moves[random() % kernel.moves.size()].step = below(3) == 0 ? atomic : writeData;
  return kernel;
}

// Host code has templates of the struct only, not of the form, and Catch2's macros are in no template, because both take long
// to compile.

template <class Target>
using Steps = void(const Move*, const int*, int, Target*, int*, bool);

/// The checker's reports on the kernel; empty if none is of a race.
template <class Target>
std::string reportsOfKernel(const RandomKernel& kernel, Steps<Target>* steps) {
  DeviceArray<Move> moves(kernel.moves.size(), "moves");
  DeviceArray<int> waits(kernel.waits.size(), "waits"), sink(kernel.allThreads(), "sink");
  DeviceArray<Target> packet(1, "packet");
  moves.upload(kernel.moves);
  waits.upload(kernel.waits);
  packet.clear();
  const std::string reports = reportsOf([&] {
    launch(LaunchShape(kernel.blocks, kernel.threads), steps, moves.data(), waits.data(),
           kernel.rounds(), packet.data(), sink.data(), kernel.isShared);
  });
  return contains(reports, "executor: race") ? reports : "";
}

/// Random kernels in the form of this name, from a seed on; how many the model knows to race.
int checkKernels(const std::string& form,
                 const std::function<std::string(const RandomKernel&)>& reportsOfForm,
                 int firstSeed, int count) {
  int racing = 0;
  for (int seed = firstSeed; seed < firstSeed + count; ++seed) {
    std::mt19937 random(seed);
    const RandomKernel kernel = makeKernel(random, seed % 2 == 1);
    const bool expected = RaceModel(kernel).hasRace();
    racing += expected;
    inEveryOrder([&] {
      const std::string reports = reportsOfForm(kernel);
      INFO("kernel " << seed << " in the form " << form << ", " << textOf(kernel) << reports);
      CHECK(!reports.empty() == expected);
    });
  }
  return racing;
}

template <class Form>
std::string nameOf() {
  return typeid(Form).name() + (", " + std::to_string(sizeof(typename Form::Target)) + " bytes");
}

}  // namespace

TEST_CASE("the checker reports races where a model of all accesses knows one") {
  const WithoutLines quick;
  const char* more = std::getenv("NBODY_TEST_KERNELS");
  const int each = more ? std::atoi(more) : 16;  // kernels of each size and form
  int kernels = 0, racing = 0;
  withForms([&]<class Form>(Form) {
    const auto reports = [](const RandomKernel& kernel) {
      return reportsOfKernel<typename Form::Target>(kernel, stepsKernel<Form>);
    };
    racing += checkKernels(nameOf<Form>(), reports, kernels, each);
    kernels += each;
  });
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

/// Checks {report, expected}: a report must contain what is expected, or be empty if that is.
void expectEach(const std::string& form,
                std::initializer_list<std::pair<std::string, const char*>> reports) {
  for (const auto& [report, expected] : reports) {
    INFO(form << " reports " << report << ", expected " << expected);
    CHECK((*expected ? contains(report, expected) : report.empty()));
  }
}

template <class Target>
void checkForm(const std::string& form, void (*readKernel)(const Target*, int, int*),
               void (*writeKernel)(Target*, int), void (*writeAndReadKernel)(Target*, int*)) {
  constexpr int kCount = kBlock;
  auto sink = zeros<int>(kCount, "sink");
  const auto read = [&](const Target* packets, int index) {
    return reportsOf(launching(kOneBlock, readKernel, packets, index, sink.data()));
  };
  const auto write = [&](Target* packets, int index) {
    return reportsOf(launching(kOneBlock, writeKernel, packets, index));
  };
  auto packets = zeros<Target>(kCount, "packets");
  DeviceArray<Target> unwritten(kCount, "unwritten");
  std::vector<Target> host(kCount);
  expectEach(form, {{read(packets.data(), kCount - 1), ""},
                    {read(packets.data(), kCount), "out of bounds of global memory: packets[64]"},
                    {read(packets.data(), -1), "out of bounds of global memory: packets[-1]"},
                    {write(packets.data(), kCount), "out of bounds of global memory: packets[64]"},
                    {write(packets.data(), -1), "out of bounds of global memory: packets[-1]"},
                    {read(unwritten.data(), 5), "uninitialised global memory: unwritten[5]"},
                    {write(unwritten.data(), 5), ""},
                    {read(unwritten.data(), 5), ""},
                    {read(unwritten.data(), 6), "uninitialised global memory: unwritten[6]"},
                    {read(host.data(), 2), "out of bounds: a kernel uses "},
                    {write(host.data(), 2), "out of bounds: a kernel uses "}});
  requireQuiet([&] {
    DeviceArray<Target> own(kCount, "own");
    launch(kOneBlock, writeAndReadKernel, own.data(), sink.data());
  });
}

}  // namespace

TEST_CASE("a struct that a call copies is an access like others") {
  const WithoutLines quick;
  withForms([]<class Form>(Form) {
    checkForm<typename Form::Target>(nameOf<Form>(), readKernel<Form>, writeKernel<Form>,
                                     writeAndReadKernel<Form>);
  });
}
