// Memory that atomics hand on: a fence counts for what came before it, and one of a block's scope for its
// block; so does an atomic. Locks that are taken often are right.
// only: check
// check reports: race on global memory: data\[0\]\n.*:@twice\n.*:@taken\n
// check reports: (?s)race on global memory: data\[0\]\n.*:@reference\n.*:@reference\n.*same block
// check reports: (?s)race on global memory: data\[0\]\n.*:@inBlock\n.*:@outside\n.*same block
// check reports: race on global memory: data\[0\]\n.*:@narrow\n.*:@narrowTaken\n
// check reports: race on global memory: data\[1\]\n.*:@released\n.*:@notAcquired\n
// check reports: race on global memory: cells\[\d+\]\n.*:@written\n.*:@noFence\n
// check notes: race on global memory: ready\n.*:@set\n.*:@asked\n
// check notes: race on global memory: arrived\[1\]\n
// check notes: race on global memory: released\[\d\]\n
// check notes: (?s)race on global memory: counted\n.*volatile number
// prints: 900 64
// check status: 1
#include <cstdio>
#include <cuda/atomic>

__device__ int lock, flags[4];

__device__ void take() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void give() {
  __threadfence();
  atomicExch(&lock, 0);
}
__global__ void takesOften(int* data) {
  for (int i = 0; i < 300; ++i) {
    take();
    data[0] += 1;
    give();
  }
}
__global__ void countsByBlock(int* data) {
  atomicAdd_block(&data[blockIdx.x], 1);
  cuda::atomic_ref<int, cuda::thread_scope_block>(data[blockIdx.x]).fetch_add(1);
}
__global__ void handsOnWithinBlock(int* data) {
  if (threadIdx.x == 0) {
    data[blockIdx.x] = 1;
    __threadfence_block();
    atomicExch_block(&flags[blockIdx.x], 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd_block(&flags[blockIdx.x], 0) == 0) {
    }
    data[blockIdx.x] += 1;
  }
}

__global__ void writesAgain(int* data) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 1;
      __threadfence();
      atomicExch(&flags[2], 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) data[0] = 2;  // @twice
  } else if (threadIdx.x == 0) {
    while (atomicAdd(&flags[2], 0) == 0) {
    }
    data[1] = data[0];  // @taken
  }
}
using OfBlock = cuda::atomic_ref<int, cuda::thread_scope_block>;
__global__ void scopedReference(int* data) {
  OfBlock(*data).fetch_add(1);  // @reference
}
__global__ void mixed(int* data) {
  if (blockIdx.x == 0) atomicMax_block(data, 1);  // @inBlock
  else atomicMax(data, 2);  // @outside
}
__global__ void narrowFence(int* data) {
  if (blockIdx.x == 0) {
    data[0] = 1;  // @narrow
    __threadfence_block();
    atomicExch(&flags[3], 1);
  } else {
    while (atomicAdd(&flags[3], 0) == 0) {
    }
    data[1] = data[0];  // @narrowTaken
  }
}

__device__ int value, ready;
__device__ cuda::atomic<int, cuda::thread_scope_device> flag;
/// A volatile flag with fences on both sides. A GPU treats it like a relaxed atomic.
__global__ void volatileFlag(int* data) {
  volatile int* const f = &ready;
  if (blockIdx.x == 0) {
    value = 42;
    __threadfence();
    *f = 1;  // @set
  } else {
    while (*f == 0) __nanosleep(10);  // @asked
    __threadfence();
    data[0] = value;
  }
}
/// A barrier of all blocks, of volatile flags: block 0 reads one of each block, passes its own barrier, and
/// sets one for each block, without a fence between.
__device__ volatile int arrived[4], released[4];
__device__ void gridBarrier(int goal, bool hasFence = true) {
  const int t = threadIdx.x, b = blockIdx.x;
  __threadfence();
  __syncthreads();
  if (t == 0) arrived[b] = goal;
  if (b == 0) {
    if (t < gridDim.x) while (arrived[t] != goal) __nanosleep(5);
    __syncthreads();
    if (t < gridDim.x) released[t] = goal;
  }
  if (t == 0) while (released[b] != goal) __nanosleep(5);
  if (hasFence) __threadfence();
  __syncthreads();
}
__global__ void mirrored(int* cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, last = gridDim.x * blockDim.x - 1;
  cells[i] = i;
  gridBarrier(1);
  const int other = cells[last - i];
  gridBarrier(2);
  cells[i] = other;  // @written
  gridBarrier(3, false);
  if (cells[last - i] != i) cells[2 * last] = i;  // @noFence
}
/// The same with a counter that threads read through a volatile pointer.
__device__ int counted;
__global__ void countedBarrier(int* cells) {
  cells[blockIdx.x] = blockIdx.x;
  __threadfence();
  atomicAdd(&counted, 1);
  while (*(volatile int*)&counted < gridDim.x) {}
  __threadfence();
  cells[4 + blockIdx.x] = cells[gridDim.x - 1 - blockIdx.x];
}
/// A relaxed load orders nothing: it needs a fence after it, or memory_order_acquire.
__global__ void relaxedFlag(int* data) {
  if (blockIdx.x == 0) {
    data[1] = 5;  // @released
    flag.store(1, cuda::memory_order_release);
  } else {
    while (flag.load(cuda::memory_order_relaxed) == 0) __nanosleep(10);
    data[2] = data[1];  // @notAcquired
  }
}
/// Distances that a round does not change are stored again, and other threads read them.
__global__ void shortestPaths(int* d, int k) {
  const int i = threadIdx.y, j = threadIdx.x;
  d[i * 8 + j] = min(d[i * 8 + j], d[i * 8 + k] + d[k * 8 + j]);
}

int main() {
  int *data, host[2];
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  takesOften<<<3, 1>>>(data);
  cudaMemcpy(&host[0], data, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemset(data, 0, 64 * sizeof(int));
  countsByBlock<<<2, 32>>>(data);
  cudaMemcpy(&host[1], data + 1, sizeof(int), cudaMemcpyDeviceToHost);
  handsOnWithinBlock<<<2, 64>>>(data);
  printf("%d %d\n", host[0], host[1]);
  writesAgain<<<2, 32>>>(data);
  scopedReference<<<2, 32>>>(data);
  mixed<<<2, 32>>>(data);
  narrowFence<<<2, 1>>>(data);
  volatileFlag<<<2, 1>>>(data);
  relaxedFlag<<<2, 1>>>(data);
  int* cells;
  cudaMalloc(&cells, 256 * sizeof(int));
  mirrored<<<4, 32>>>(cells);
  countedBarrier<<<4, 1>>>(cells);
  cudaMemset(data, 0, 64 * sizeof(int));
  for (int k = 0; k < 8; ++k) shortestPaths<<<1, dim3(8, 8)>>>(data, k);
  cudaDeviceSynchronize();
  cudaFree(cells);
  cudaFree(data);
}
