// Asynchronous copies: what they write may be used after a wait for them, and a barrier for others'.
// only: check
// reports: copy not awaited in shared memory: tile\[127\]\n  asynchronous copy .*:@group\n  read .*:@groupRead\n
// reports: copy not awaited in shared memory: tile\[\d\]\[\d+\]\n  asynchronous copy .*:@first\n  read .*:@tooFew\n  and at line @next\n
// reports: copy not awaited in shared memory: tile\[127\]\n  asynchronous copy .*:@barrier\n  read .*:@barrierRead\n
// reports: copy not awaited in shared memory: tile\[1\]\[127\]\n  asynchronous copy .*:@stages\n  read .*:@stagesRead\n
// reports: copy not awaited in shared memory: tile\[0\]\n  asynchronous copy .*:@alone\n  read .*:@aloneRead\n
// prints: all right
// status: 1
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
constexpr int kThreads = 128;
__device__ float in[kThreads], out[kThreads];

template <bool kWaits>
__global__ void byGroup() {
  __shared__ float tile[kThreads];
  const auto block = cg::this_thread_block();
  for (int i = 0; i < 3; ++i) {
    cg::memcpy_async(block, tile, in, sizeof tile);  // @group
    if (kWaits) cg::wait(block);
    else block.sync();
    out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];  // @groupRead
    block.sync();
  }
}
/// Two buffers: one is filled while the other is used.
template <int kBatches>
__global__ void byThread() {
  __shared__ float tile[2][kThreads];
  const int me = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][me], &in[me], sizeof(float));  // @first
  __pipeline_commit();
  for (int i = 0; i < 4; ++i) {
    if (i < 3) __pipeline_memcpy_async(&tile[(i + 1) % 2][me], &in[me], sizeof(float));  // @next
    __pipeline_commit();
    __pipeline_wait_prior(kBatches);
    __syncthreads();
    out[me] = tile[i % 2][kThreads - 1 - me];  // @tooFew
    __syncthreads();
  }
}
template <bool kWaits>
__global__ void byBarrier() {
  __shared__ float tile[kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof tile, barrier);  // @barrier
  auto token = barrier.arrive();
  if (kWaits) barrier.wait(std::move(token));
  else block.sync();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];  // @barrierRead
}
template <bool kWaits>
__global__ void byStages() {
  __shared__ float tile[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int i = 0; i < 2; ++i) {
    pipeline.producer_acquire();
    cuda::memcpy_async(block, tile[i], in, sizeof tile[i], pipeline);  // @stages
    pipeline.producer_commit();
  }
  for (int i = 0; i < 2; ++i) {
    if (kWaits || i == 0) pipeline.consumer_wait();
    block.sync();
    out[threadIdx.x] = tile[i][kThreads - 1 - threadIdx.x];  // @stagesRead
    pipeline.consumer_release();
  }
}
template <bool kWaits>
__global__ void alone() {
  __shared__ float tile[kThreads];
  auto pipeline = cuda::make_pipeline();
  pipeline.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float), pipeline);  // @alone
  pipeline.producer_commit();
  if (kWaits) pipeline.consumer_wait();
  out[threadIdx.x] = tile[threadIdx.x];  // @aloneRead
  pipeline.consumer_release();
}

/// A pipeline of one thread needs no release: its wait says which stages are over.
__global__ void withoutRelease() {
  __shared__ float tile[kThreads];
  cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float), pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    __syncthreads();
    sum += tile[kThreads - 1 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

int main() {
  byGroup<true><<<3, kThreads>>>();
  byThread<1><<<3, kThreads>>>();
  byBarrier<true><<<3, kThreads>>>();
  byStages<true><<<3, kThreads>>>();
  alone<true><<<3, kThreads>>>();
  withoutRelease<<<1, kThreads>>>();
  if (cudaDeviceSynchronize() == cudaSuccess) puts("all right");
  byGroup<false><<<3, kThreads>>>();
  byThread<2><<<3, kThreads>>>();
  byBarrier<false><<<3, kThreads>>>();
  byStages<false><<<3, kThreads>>>();
  alone<false><<<3, kThreads>>>();
  cudaDeviceSynchronize();
}
