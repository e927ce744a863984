// Launches in all the places where they may stand, of kernels that are named in all ways.
#include <algorithm>
#include <cstdio>
#include <utility>

#define CHECK(x)                                     \
  if (cudaError_t error = (x); error != cudaSuccess) \
  printf("line %d: %s\n", __LINE__, cudaGetErrorString(error))
#define LAUNCH(kernel, n, ...)                \
  kernel<<<(n + 31) / 32, 32>>>(__VA_ARGS__); \
  CHECK(cudaGetLastError())

__global__ void add(float* x) { *x += 1; }
__global__ void add(float* x, int n) {
  if (threadIdx.x == 0) *x += n;
}
__global__ void line(float* x, int n = 4) {
  if (threadIdx.x < n) x[threadIdx.x] = __LINE__;
}
template <class T, class U = std::pair<T, std::pair<T, T>>>
__global__ void pairs(T* x, U u) {
  x[threadIdx.x] = u.first + u.second.first;
}
template <class T>
struct Box {
  template <int N>
  static __global__ void set(T* x) {
    x[threadIdx.x] = T(N);
  }
};
template <class... A>
__global__ void sum(float* x, A... a) {
  x[0] = (0 + ... + a);
}
namespace deep {
__global__ void add(float* x) { *x += 1; }
template <class F>
__global__ void call(F f) {
  f(threadIdx.x);
}
}  // namespace deep

using Kernel = void (*)(float*);
static Kernel pick(int) { return deep::add; }
template <class... A>
static void forward(void (*kernel)(A...), A... a) {
  kernel<<<1, 1>>>(a...);
}
struct Simulation {
  float* d;
  Kernel kernel;
  void step(int gridDim) {
    dim3 blockDim(1);
    kernel<<<gridDim, blockDim>>>(d);
  }
};
struct Functor {
  float* x;
  __device__ void operator()(int i) const { x[i] = 2.5f * i; }
};

struct Element {
  int count;
  float value;
};
__global__ void byReference(Element& e, int more = 3 & 1) { e.count += 10 + more; }
template <typename T, typename... Rest>
__global__ void sumInto(T& x, const Rest&... rest) {
  ((x += rest), ...);
}
__global__ void fill(int (&array)[4]) { array[threadIdx.x] = threadIdx.x; }
/// References to managed memory.
static void references() {
  Element* e;
  float* f;
  int(*a)[4];
  cudaMallocManaged(&e, sizeof *e);
  cudaMallocManaged(&f, 3 * sizeof *f);
  cudaMallocManaged(&a, sizeof *a);
  e->count = f[0] = f[1] = f[2] = 1;
  byReference<<<1, 1>>>(*e);
  sumInto<<<1, 1>>>(f[0], f[1], f[2]);
  fill<<<1, 4>>>(*a);
  cudaDeviceSynchronize();
  printf("references: %d %g %d\n", e->count, f[0], (*a)[3]);
}

static float* d;
static float at(int i) {
  float value;
  cudaMemcpy(&value, d + i, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

int main() {
  references();
  CHECK(cudaMalloc(&d, 4096));
  CHECK(cudaMemset(d, 0, 4096));
  // clang-format off
  Box<float>::set<7><<<1, 4>>>(d); printf("1: %g\n", at(3));
  Box<float>::template set<8><<<1, 4>>>(d); printf("2: %g\n", at(3));
  pairs<float, std::pair<float, std::pair<float, float>>><<<1, 4>>>(d, {1, {2, 3}}); printf("3: %g\n", at(0));
  pairs<<<1, sizeof(std::pair<int, std::pair<int, std::pair<int, int>>>) > 4 ? 4 : 1>>>(
      d, std::pair<float, std::pair<float, float>>(3, {2, 3})); printf("4: %g\n", at(0));
  pairs <float> <<< dim3( 1 , 1 ) ,
     4  // a comment
     , 0 >>>
     ( d,
       { 5, { 6, 7 } } ) ; printf("5: %g\n", at(0));
  line<<<1, (3 < 4) ? 4 : 3>>>(d);
  line<<<1, 3 < 4 ? 4 : 3>>>(d, 4); printf("6: %g\n", at(0));
  // clang-format on
  LAUNCH(line, 100, d, 5);
  int i = 1;
  sum<<<1, 1>>>(d, i++, 2, 3.5f);
  printf("7: %g %d\n", at(0), i);
  cudaMemset(d, 0, 4);
  i > 1 ? add<<<1, 1>>>(d) : line<<<1, 1>>>(d, 1);
  if (i) deep::add<<<1, 1>>>(d);
  else ::deep::add<<<1, 1>>>(d);
  if (i == 0) line<<<1, 1>>>(d);
  else ::deep::add<<<1, 1>>>(d);
  for (int k = 0; k < 3; ++k) deep::add<<<1, 1>>>(d), ++i;
  printf("8: %g %d\n", at(0), i);
  add<<<1, 1>>>(d, 10);
  Kernel kernel = deep::add, table[2] = {kernel, &deep::add};
  kernel<<<1, 1>>>(d);
  (*kernel)<<<1, 1>>>(d);
  table[1]<<<1, 1>>>(d);
  pick(3)<<<1, 1>>>(d);
  Simulation simulation = {d, kernel}, *pointer = &simulation;
  simulation.kernel<<<1, 1>>>(d);
  pointer->kernel<<<1, 1>>>(d);
  simulation.step(1);
  [=](int n) { deep::add<<<n, 1>>>(d); }(1);
  forward(deep::add, d);
  forward<float*>(&deep::add, d);
  printf("9: %g\n", at(0));
  cudaMemset(d, 0, 4);
  do kernel<<<1, 1>>>(d);
  while (--i > 3);
  while (i > 2) kernel<<<1, 1>>>(d), --i;
  switch (i) {
    case 2: kernel<<<1, sizeof(std::pair<int, std::pair<int, std::pair<int, int>>>) >> 4>>>(d);
  }
  kernel<<<i > 9 ? 2 : 1, std::max<int>(1, 0), [] { return 0; }()>>>(d);
  [=] { return deep::add<<<1, 1>>>(d); }();
  deep::call<<<1, 1>>>([=, y = d] __device__(int) { deep::add<<<1, i < 8 ? 1 : 2>>>(y); });
  printf("loops: %g\n", at(0));
  deep::call<<<1, 4>>>(Functor{d});
  printf("10: %g\n", at(3));
  float* x = d;
  deep::call<<<1, 4>>>([=] __device__(int j) { x[j] = 1.5f * j; });
  printf("11: %g\n", at(3));
  void* arguments[] = {&d};
  cudaMemset(d, 0, 16);
  cudaLaunchKernel((const void*)deep::add, dim3(1), dim3(1), arguments, 0, nullptr);
  cudaLaunchKernel(reinterpret_cast<void*>(&deep::add), 1, 1, arguments);
  cudaLaunchKernel(deep::add, 1, 1, arguments);
  cudaLaunchKernel((void*)kernel, 1, 1, arguments);
  cudaLaunchKernel((void*)Box<float>::set<5>, 1, 4, arguments);
  printf("12: %g %g\n", at(0), at(3));
  printf("13: %s %s\n", "k<<<1, 1>>>(x)", R"(__global__ void k() { k<<<1, 1>>>(); })");
  cudaFree(d);
}
// prints: references: 12 3 3
// prints: 1: 7
// prints: 2: 8
// prints: 3: 3
// prints: 4: 5
// prints: 5: 11
// prints: 6: 18
// prints: 7: 6.5 2
// prints: 8: 6 5
// prints: 9: 26
// prints: loops: 7
// prints: 10: 7.5
// prints: 11: 4.5
// prints: 12: 5 5
// prints: 13: k<<<1, 1>>>(x) __global__ void k() { k<<<1, 1>>>(); }
