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
  const int i = threadIdx.x;
  large[i].kind = all[i].kind = 'a';
  for (double& value : large[i].values) value = 1;
  for (Pair& pair : all[i].pairs) pair.count = pair.value = 1;
  large[i].last = bits[i].value = 3;
  all[i].last = 2;
  bits[i].low = 1, bits[i].high = i;
}

__global__ void copy(const Nested* all, Nested* others, const Bits* bits, Bits* otherBits, const Large* large, Large* otherLarge,
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
  otherLarge[i] = large[31 - i];
  const Large ownLarge = otherLarge[i];
  sums[i] = others[i].pairs[1].value + others[i].last + otherBits[i].value + otherBits[i].high * twice.value +
            ownLarge.values[8] + ownLarge.last;
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

template <class T>
T* newArray() {
  T* array;
  cudaMalloc(&array, 32 * sizeof(T));
  return array;
}

int main() {
  Nested *all = newArray<Nested>(), *others = newArray<Nested>(), host[32];
  Bits* bits = newArray<Bits>();
  Large* large = newArray<Large>();
  float *sums = newArray<float>(), hostSums[32];
  fill<<<1, 32>>>(all, bits, large);
  copy<<<1, 32>>>(all, others, bits, newArray<Bits>(), large, newArray<Large>(), sums);
  copyBytes<<<1, 32>>>(all, others, 32, sums);
  cudaMemcpy(host, others, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(hostSums, sums, sizeof hostSums, cudaMemcpyDeviceToHost);
  printf("%g %d\n", hostSums[3], host[3].pairs[0].count + host[3].pairs[1].count);
  cudaDeviceReset();
}
