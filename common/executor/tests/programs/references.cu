// Kernels that take references to managed memory.
#include <cstdio>

struct Element {
  int count;
  float value;
};
__global__ void byReference(Element& e, int more = 3 & 1) { e.count += 10 + more; }
template <typename T, typename... Rest>
__global__ void sum(T& x, const Rest&... rest) {
  ((x += rest), ...);
}
__global__ void fill(int (&array)[4]) { array[threadIdx.x] = threadIdx.x; }

int main() {
  Element* e;
  float* f;
  int(*a)[4];
  cudaMallocManaged(&e, sizeof *e);
  cudaMallocManaged(&f, 3 * sizeof *f);
  cudaMallocManaged(&a, sizeof *a);
  e->count = f[0] = f[1] = f[2] = 1;
  byReference<<<1, 1>>>(*e);
  sum<<<1, 1>>>(f[0], f[1], f[2]);
  fill<<<1, 4>>>(*a);
  cudaDeviceSynchronize();
  printf("%d %g %d\n", e->count, f[0], (*a)[3]);
}
// prints: 12 3 3
