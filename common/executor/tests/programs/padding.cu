// Structs with padding, which nothing writes, are copied by kernels: of global and of shared memory, as members, elements
// and arguments, by statements and by memcpy(). Nothing is reported.
// only: check
// prints: 42 2
#include <cstdio>

struct Pair {
  int count;
  double value;
};
struct Nested {
  char kind;
  Pair pairs[2];
  float last;
};
struct Large {
  char kind;
  double values[9];
  int last;
};
struct Bits {
  unsigned low : 3, high : 20;
  double value;
};

__device__ __noinline__ Pair doubled(Pair pair) {
  pair.value *= 2;
  return pair;
}

__global__ void fill(Nested* all, Bits* bits, Large* large) {
  large[threadIdx.x].kind = 'a';
  for (double& value : large[threadIdx.x].values) value = 1;
  large[threadIdx.x].last = 3;
  Nested& one = all[threadIdx.x];
  one.kind = 'a';
  for (Pair& pair : one.pairs) {
    pair.count = 1;
    pair.value = 1;
  }
  one.last = 2;
  bits[threadIdx.x].low = 1;
  bits[threadIdx.x].high = threadIdx.x;
  bits[threadIdx.x].value = 3;
}

__global__ void copy(const Nested* all, Nested* others, const Bits* bits, Bits* otherBits,
                     float* sums) {
  __shared__ Pair tile[32];
  const int i = threadIdx.x;
  others[i] = all[31 - i];
  otherBits[i] = bits[31 - i];
  tile[i].count = 1;
  tile[i].value = 0.5;
  __syncthreads();
  Pair own = tile[31 - i];
  own.count += 1;
  others[i].pairs[0] = own;
  const Pair twice = doubled(tile[i]);
  sums[i] = others[i].pairs[1].value + others[i].last + otherBits[i].value +
            otherBits[i].high * twice.value;
}

__global__ void copyLarge(const Large* all, Large* others, float* sums) {
  others[threadIdx.x] = all[31 - threadIdx.x];
  const Large own = others[threadIdx.x];
  sums[threadIdx.x] += own.values[8] + own.last;
}
/// Copies with memcpy(): a number of structs unknown to the compiler, a large struct, and one of two numbers.
__global__ void copyBytes(const Nested* all, Nested* others, int count, float* sums) {
  if (threadIdx.x == 0) memcpy(others, all, count * sizeof(Nested));
  __syncthreads();
  Nested own;
  memcpy(&own, &others[threadIdx.x], sizeof own);
  Pair pair;
  memcpy(&pair, &others[threadIdx.x].pairs[1], sizeof pair);
  sums[threadIdx.x] += own.pairs[0].count + own.last + pair.value;
}

int main() {
  Nested *all, *others, host[32];
  Bits *bits, *otherBits;
  Large *large, *otherLarge;
  float *sums, hostSums[32];
  cudaMalloc(&all, sizeof host);
  cudaMalloc(&others, sizeof host);
  cudaMalloc(&bits, 32 * sizeof(Bits));
  cudaMalloc(&otherBits, 32 * sizeof(Bits));
  cudaMalloc(&large, 32 * sizeof(Large));
  cudaMalloc(&otherLarge, 32 * sizeof(Large));
  cudaMalloc(&sums, sizeof hostSums);
  fill<<<1, 32>>>(all, bits, large);
  copy<<<1, 32>>>(all, others, bits, otherBits, sums);
  copyLarge<<<1, 32>>>(large, otherLarge, sums);
  copyBytes<<<1, 32>>>(all, others, 32, sums);
  cudaMemcpy(host, others, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(hostSums, sums, sizeof hostSums, cudaMemcpyDeviceToHost);
  printf("%g %d\n", hostSums[3], host[3].pairs[0].count + host[3].pairs[1].count);
  cudaDeviceReset();
}
