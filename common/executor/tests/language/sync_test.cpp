// cuda::barrier, cuda::pipeline, cuda::atomic and cuda::std on the executor.
#include "in_kernel.hpp"

#include <array>

#include "cooperative_groups.h"
#include "cuda/atomic"
#include "cuda/barrier"
#include "cuda/pipeline"
#include "cuda/std/tuple"
#include "cuda_pipeline.h"

using namespace nbody;
namespace cg = cooperative_groups;

using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

TEST_CASE("some threads arrive, others wait, some leave") {
  STATIC_REQUIRE(sizeof(BlockBarrier) == 8);
  STATIC_REQUIRE(std::is_trivially_default_constructible_v<BlockBarrier>);
  BlockBarrier barrier(64);
  int produced = 0, wrong = 0;
  inKernel(1, 64, [&] {
    if (threadIdx.x >= 48) return barrier.arrive_and_drop();
    if (threadIdx.x == 0) produced = 7;
    if (threadIdx.x < 32) static_cast<void>(barrier.arrive());
    else barrier.arrive_and_wait();
    wrong += threadIdx.x >= 32 && produced != 7;
    if (threadIdx.x < 32) barrier.wait_parity(false);  // the first phase has the number 0
    barrier.arrive_and_wait();  // 48 are left
    wrong += !barrier.try_wait_parity(true) || barrier.try_wait_parity(false);
  });
  CHECK(wrong == 0);
}

TEST_CASE("a completion runs once, before anyone goes on") {
  struct Count {
    int* calls;
    void operator()() const { ++*calls; }
  };
  int calls = 0, wrong = 0;
  cuda::barrier<cuda::thread_scope_block, Count> barrier(32, Count{&calls});
  inKernel(1, 32, [&] {
    for (int phase = 1; phase <= 3; ++phase) {
      barrier.arrive_and_wait();
      wrong += calls != phase;
      __syncthreads();
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("a pipeline of a block hands stages from producers to consumers") {
  constexpr int kStages = 2, kBatches = 7;
  const unsigned producers = GENERATE(0u, 32u);  // 0: all do both
  cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  std::array<int, 64 * kBatches> in;
  std::array<int, 64 * kStages> buffer{};
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
  int wrong = 0, last = 0;
  inKernel(1, 64, [&] {
    const cg::thread_block block = cg::this_thread_block();
    const auto half = cg::tiled_partition<32>(block);
    auto pipe = producers == 0 ? cuda::make_pipeline(block, &state)
                               : cuda::make_pipeline(block, &state, producers);
    const bool produces = threadIdx.x < producers, both = producers == 0;
    for (int batch = 0; batch < kBatches; ++batch) {
      int* const stage = buffer.data() + batch % kStages * 64;
      if (both || produces) {
        pipe.producer_acquire();
        if (both) cuda::memcpy_async(block, stage, &in[batch * 64], 64 * sizeof(int), pipe);
        else cuda::memcpy_async(half, stage, &in[batch * 64], 64 * sizeof(int), pipe);
        pipe.producer_commit();
      }
      if (both || !produces) {
        pipe.consumer_wait();
        for (int i = 0; i < 64; ++i) wrong += stage[i] != batch * 64 + i;
        pipe.consumer_release();
      }
    }
    last += pipe.quit();
  });
  CHECK(last == 1);
  CHECK(wrong == 0);
}

TEST_CASE("a pipeline of one thread copies") {
  std::array<int, 4> in = {1, 2, 3, 4}, out{};
  inKernel(1, 1, [&] {
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&out[0], &in[0], cuda::aligned_size_t<8>(8), pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __pipeline_memcpy_async(&out[2], &in[2], 8, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
  });
  CHECK(out == std::array<int, 4>{1, 2, 3, 0});
}

TEST_CASE("atomic objects") {
  cuda::atomic<int, cuda::thread_scope_device> sum(0);
  int plain = 0;
  cuda::std::atomic<bool> ready(false);
  inKernel(8, 64, [&] {
    sum.fetch_add(2, cuda::memory_order_relaxed);
    cuda::atomic_ref<int> reference(plain);
    ++reference;
    reference.fetch_max(static_cast<int>(threadIdx.x));
  });
  CHECK(sum.load() == 1024);
  CHECK(plain >= 63);
  inKernel(1, 64, [&] {
    if (threadIdx.x == 0) ready.wait(false);
    if (threadIdx.x == 1)
      while (!ready.load(cuda::memory_order_acquire)) {
      }
    if (threadIdx.x == 63) ready.store(true, cuda::std::memory_order_release);
  });
  int expected = 3;
  CHECK_FALSE(sum.compare_exchange_strong(expected, 4));
  CHECK(expected == 1024);
  CHECK(sum.exchange(5) == 1024);
  CHECK((sum += 2) == 7);
  CHECK(cuda::std::get<1>(cuda::std::make_tuple(1, 2)) == 2);
}
