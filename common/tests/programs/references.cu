// Kernels that take references, to managed memory as they must, and to a local variable of the host's.
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
__global__ void read(const int& x, int* out) {
  *out = x;  // @read
}

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
  const int local = 5;
  read<<<1, 1>>>(local, *a);
  printf("%d\n", cudaDeviceSynchronize());
}
// prints: 12 3 3
// check prints: 700
// plain prints: 0
// check reports: (?s)the host's stack.*read of 4 bytes .*:@read
// check status: 1
