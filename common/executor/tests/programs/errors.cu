// Devices, attributes and occupancy. Error codes: which ones calls and launches return, which ones stay, what the program
// may ask for. The answers are those of an H200, except the code of an impossible shape, which CUDA 12 calls invalid
// configuration and CUDA 13 an invalid value.
#include <cstdio>
#include <cstring>
#include <initializer_list>

__global__ void empty() {}
__global__ void __launch_bounds__(128) bounded() {}
__global__ void dynamic() {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
}
__global__ void fixed(int* x) {
  __shared__ int s[10240];
  s[threadIdx.x] = 1;
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x * 7 % 32];
}
__global__ void fails(int* x) { assert(x == nullptr); }  // @assert

// A list's values are taken from left to right, a call's arguments in any order.
void show(const char* what, std::initializer_list<int> values) {
  printf("%s", what);
  for (int value : values) printf(" %d", value);
  printf("\n");
}
template <class... A>
void launch(const char* what, void (*kernel)(A...), dim3 grid, dim3 block, size_t bytes = 0) {
  kernel<<<grid, block, bytes>>>(A()...);
  show(what,
       {cudaPeekAtLastError(), cudaGetLastError(), cudaGetLastError(), cudaDeviceSynchronize()});
}

static void devices() {
  int count, value, active, grid, block;
  cudaGetDeviceCount(&count);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("%d %s %d.%d %d %zu\n", count, strstr(p.name, "H100") ? "H100" : p.name, p.major, p.minor,
         p.multiProcessorCount, p.sharedMemPerBlockOptin);
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
  printf("%d\n", value);
  for (int threads : {1, 32, 64, 96, 128, 192, 256, 320, 512, 768, 1024, 1025}) {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, empty, threads, 0);
    printf("%d%c", active, threads == 1025 ? '\n' : ' ');
  }
  for (int bytes : {1, 1000, 20000, 48 << 10, 49 << 10}) {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, dynamic, 64, bytes);
    printf("%d%c", active, bytes == 49 << 10 ? '\n' : ' ');
  }
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, empty);
  printf("%d %d", grid, block);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded);
  printf(" %d %d", grid, block);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, empty, 0, 100);
  printf(" %d %d\n", grid, block);
  printf("%s ", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 22)));
  printf("%s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimit(99), 1)));
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, bounded);
  printf("%d %d", attributes.maxThreadsPerBlock, attributes.maxDynamicSharedSizeBytes);
  cudaFuncGetAttributes(&attributes, (const void*)fixed);
  printf(" %zu %d\n", attributes.sharedSizeBytes, attributes.maxDynamicSharedSizeBytes);
}

int main() {
  devices();
  launch("threads", empty, 1, 2048);
  launch("no blocks", empty, 0, 32);
  launch("no threads", empty, 1, 0);
  launch("grid y", empty, dim3(1, 70000), 32);
  launch("block z", empty, 1, dim3(1, 1, 65));
  launch("bounds", bounded, 1, 256);
  launch("dynamic", dynamic, 1, 32, 49 * 1024);
  launch("with static", fixed, 1, 32, 10 * 1024);
  const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  show("asks", {cudaFuncSetAttribute(dynamic, attribute, 300 << 10),
                cudaFuncSetAttribute(dynamic, attribute, 100 << 10),
                cudaFuncSetAttribute(fixed, attribute, (227 << 10) - 40960 + 1)});
  cudaGetLastError();
  launch("more", dynamic, 1, 32, 100 << 10);
  int *d = nullptr, h[4] = {};
  show("sizes", {cudaMalloc(&d, 0), d == nullptr, cudaMalloc(&d, size_t(1) << 50)});
  show("null", {cudaFree(nullptr), cudaMalloc((void**)nullptr, 4), cudaMemset(d, 0, 0)});
  show("kinds", {cudaMemcpy(h, h, 4, cudaMemcpyKind(9)), cudaMemcpy(0, 0, 0, cudaMemcpyDefault)});
  show("devices", {cudaSetDevice(99), cudaGetLastError(), cudaGetLastError()});
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreateWithFlags(&b, cudaEventDisableTiming);
  cudaEventRecord(b);
  float ms;
  show("events", {cudaEventQuery(a), cudaEventElapsedTime(&ms, a, b), cudaEventDestroy(nullptr)});
  cudaStream_t stream;
  show("streams",
       {cudaStreamCreateWithFlags(&stream, 7), cudaLaunchKernel((void*)h, 1, 1, nullptr)});
  printf("names %s, %s\n", cudaGetErrorName(cudaErrorAssert), cudaGetErrorString(cudaErrorAssert));
  cudaGetLastError();
  cudaMalloc(&d, 64);
  fails<<<1, 1>>>(d);
  printf("failed %d\n", cudaDeviceSynchronize());
  show("sticky", {cudaGetLastError(), cudaGetLastError(), cudaMemset(d, 0, 4), cudaGetLastError(),
                  cudaFree(d)});
  cudaGetLastError();
  fails<<<1, 1>>>(d);
  show("launch", {cudaGetLastError()});
  show("reset", {cudaDeviceReset(), cudaGetLastError(), cudaMalloc(&d, 64)});
  cudaFree(d);
  cudaEventDestroy(a);
  cudaEventDestroy(b);
}
// prints: 1 H100 9.0 4 232448
// prints: 233472
// prints: 32 32 32 21 16 10 8 6 4 2 2 0
// prints: 32 32 11 4 0
// prints: 8 1024 64 128 128 64
// prints: cudaSuccess cudaErrorUnsupportedLimit
// prints: 128 49152 40960 8192
// prints: threads 9 9 0 0
// prints: no blocks 9 9 0 0
// prints: no threads 9 9 0 0
// prints: grid y 9 9 0 0
// prints: block z 9 9 0 0
// prints: bounds 1 1 0 0
// prints: dynamic 1 1 0 0
// prints: with static 1 1 0 0
// prints: asks 1 0 1
// prints: more 0 0 0 0
// prints: sizes 0 1 2
// prints: null 0 1 0
// prints: kinds 21 0
// prints: devices 101 101 0
// prints: events 0 400 400
// prints: streams 1 98
// prints: names cudaErrorAssert, device-side assert triggered
// prints: failed 710
// prints: sticky 710 0 710 710 710
// prints: launch 710
// prints: reset 0 0 0
// reports: assertion failed: 'x == nullptr' is false in thread \(0,0,0\) of block \(0,0,0\), in fails\(int\*\) at programs/errors.cu:@assert
// status: 1
