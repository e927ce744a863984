// Who has written a word, what the host had read by then, and how work was spread over threads.
#include <vector>

#include "checker_reports.hpp"
#include "executor/checker/origin.hpp"

using namespace nbody;
using executor::checker::Writers;

namespace {

constexpr int kWords = 64;

__global__ void fillKernel(int* out) { out[threadIdx.x] = static_cast<int>(threadIdx.x); }

__global__ void addKernel(int* out) { atomicAdd(out + threadIdx.x, 1); }

/// The first \p threads threads do the same work, the others none.
__global__ void workKernel(int threads, int* out) {
  int sum = 0;
  for (int k = 0; static_cast<int>(threadIdx.x) < threads && k < 20000; ++k) {
    out[threadIdx.x] = sum;
    sum += out[threadIdx.x] + k;
  }
  out[threadIdx.x] = sum;
}

Writers writersOf(const DeviceArray<int>& words) {
  return executor::checker::writersOf(words.data(), kWords, sizeof(int));
}

double threadsThatShare(int threads) {
  DeviceArray<int> words(kWords, "words");
  executor::checker::beginWork(true);
  workKernel<<<1, kWords, 0, stream()>>>(threads, words.data());
  synchronizeDevice();
  const executor::checker::Work work = executor::checker::workDone();
  return static_cast<double>(work.all) / static_cast<double>(work.longest);
}

}  // namespace

TEST_CASE("a word is whose who wrote it last") {
  DeviceArray<int> words(kWords, "words");
  REQUIRE(writersOf(words).nobody == kWords);
  fillKernel<<<1, kWords / 2, 0, stream()>>>(words.data());
  synchronizeDevice();
  REQUIRE(writersOf(words).kernels == kWords / 2);
  REQUIRE(writersOf(words).nobody == kWords / 2);
  words.clear();
  synchronizeDevice();
  REQUIRE(writersOf(words).host == kWords);
  addKernel<<<1, kWords / 2, 0, stream()>>>(words.data());
  synchronizeDevice();
  REQUIRE(writersOf(words).kernels == kWords / 2);
  words.upload(std::vector<int>(kWords));
  REQUIRE(writersOf(words).host == kWords);
  words.poison();
  synchronizeDevice();
  REQUIRE(writersOf(words).nobody == kWords);
}

TEST_CASE("a copy on the device brings along who wrote its words") {
  DeviceArray<int> words(kWords, "words");
  DeviceArray<int> others(kWords, "others");
  others.clear();
  fillKernel<<<1, kWords / 2, 0, stream()>>>(words.data());
  CUDA_CHECK(
      cudaMemcpyAsync(others.data(), words.data(), 2 * kWords, cudaMemcpyDeviceToDevice, stream()));
  synchronizeDevice();
  REQUIRE(writersOf(others).kernels == kWords / 2);
  REQUIRE(writersOf(others).host == kWords / 2);
}

TEST_CASE("what kernels write after the host has read too much is told apart") {
  DeviceArray<int> words(kWords, "words");
  DeviceArray<int> others(kWords, "others");
  executor::checker::allowHostToRead(4 * kWords - 1);
  fillKernel<<<1, kWords, 0, stream()>>>(words.data());
  words.download();
  fillKernel<<<1, kWords, 0, stream()>>>(others.data());
  synchronizeDevice();
  REQUIRE(writersOf(words).kernels == kWords);
  REQUIRE(writersOf(others).kernelsAfterHost == kWords);
  others.poison();
  executor::checker::allowHostToRead(4 * kWords);
  words.download();
  fillKernel<<<1, kWords, 0, stream()>>>(others.data());
  synchronizeDevice();
  REQUIRE(writersOf(others).kernels == kWords);
  executor::checker::allowHostToRead(static_cast<std::size_t>(-1));
}

TEST_CASE("what kernels write where the host reads without a copy counts as read") {
  int* shared = nullptr;
  CUDA_CHECK(cudaMallocManaged(&shared, 4 * kWords));
  DeviceArray<int> words(kWords, "words");
  executor::checker::allowHostToRead(4 * kWords - 1);
  fillKernel<<<1, kWords, 0, stream()>>>(shared);
  fillKernel<<<1, kWords, 0, stream()>>>(words.data());
  synchronizeDevice();
  REQUIRE(writersOf(words).kernelsAfterHost == kWords);
  executor::checker::allowHostToRead(static_cast<std::size_t>(-1));
  CUDA_CHECK(cudaFree(shared));
}

TEST_CASE("threads that share the work are counted") {
  REQUIRE(threadsThatShare(1) < 2);
  const double four = threadsThatShare(4);
  REQUIRE(four > 2);
  REQUIRE(four < 6);
  REQUIRE(threadsThatShare(kWords) > 16);
}
