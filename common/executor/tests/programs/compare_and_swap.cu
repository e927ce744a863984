// The first guess of a compare-and-swap loop is a plain read: no mistake, also where it is enough. A plain
// read whose value is used otherwise is one.
// check reports: race on global memory: counter\[0\]\n.*:@plain\n.*:@swap\n
// check notes: (?s)race on global memory: .*:@early\n.*first guess
// check notes: (?s)race on global memory: level\[\d\]\n.*:@visited\n.*marks each element only once
// prints: 6 102 102
// check status: 1
#include <cstdio>

__managed__ float a, b, c;
__managed__ int counter[1], out[64];

__device__ float most(float* address, float value) {
  int* const bits = reinterpret_cast<int*>(address);
  int old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __float_as_int(fmaxf(value, __int_as_float(seen))));
  } while (old != seen);
  return __int_as_float(old);
}
__global__ void largest(float* out) { most(out, threadIdx.x % 7); }
__global__ void largestOfBlocks(float* out) { most(out, blockIdx.x * 32 + threadIdx.x % 7); }
__global__ void largestEarly(float* out) {
  const float value = blockIdx.x * 32 + threadIdx.x * 5 % 7;
  const float now = *out;  // @early
  if (now >= value) return;
  int old = __float_as_int(now), seen;
  do {
    seen = old;
    if (__int_as_float(seen) >= value) return;
    old = atomicCAS(reinterpret_cast<int*>(out), seen, __float_as_int(value));
  } while (old != seen);
}
__global__ void readsBeside() {
  if (threadIdx.x % 2 == 1) out[threadIdx.x] = *counter;  // @plain
  else atomicCAS(counter, 0, 1);  // @swap
}

__managed__ int level[64];
/// A breadth-first search: an element that another thread marks now is not of this level.
__global__ void visit(int current) {
  if (level[threadIdx.x] == current)  // @visited
    for (int k = 1; k < 4; ++k) atomicCAS(&level[(threadIdx.x + k) % 64], 0, current + 1);
}

int main() {
  largest<<<1, 64>>>(&a);
  largestOfBlocks<<<4, 64>>>(&b);
  largestEarly<<<4, 64>>>(&c);
  cudaDeviceSynchronize();
  printf("%g %g %g\n", a, b, c);
  level[0] = 1;
  visit<<<1, 64>>>(1);
  readsBeside<<<1, 64>>>();
  cudaDeviceSynchronize();
}
