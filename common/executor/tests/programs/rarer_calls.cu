// Functions of the runtime that few programs call: each gives a useful answer, and none fails.
#include <cuda_runtime.h>
#include <driver_functions.h>
#include <cstdio>

__device__ int variable[4];

__global__ void add(int* a, int value) { a[threadIdx.x] += value; }
template <class T>
__global__ void turn(T* a) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a[threadIdx.x] = s[31 - threadIdx.x];
}

static int failures = 0;
static void expect(cudaError_t error) { failures += error != cudaSuccess; }

static void settings() {
  size_t bytes;
  expect(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
  expect(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  cudaSharedMemConfig banks;
  cudaFuncCache cache;
  expect(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  expect(cudaDeviceGetCacheConfig(&cache));
  expect(cudaDeviceGetSharedMemConfig(&banks));
  expect(cudaFuncSetSharedMemConfig(add, cudaSharedMemBankSizeFourByte));
  printf("limit %zu, cache %d, banks %d\n", bytes, cache, banks);
  int device = -1, active;
  char bus[32];
  expect(cudaDeviceGetPCIBusId(bus, 32, 0));
  expect(cudaDeviceGetByPCIBusId(&device, bus));
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&active, add, 256, 0, cudaOccupancyDefault));
  expect(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 2, 256));
  printf("device %d, blocks %d, shared %zu\n", device, active, bytes);
}

static void pointers() {
  int *device, *pinned, *managed, local;
  void* ofVariable;
  size_t bytes;
  expect(cudaMalloc(&device, 128));
  expect(cudaMallocHost(&pinned, 128));
  expect(cudaMallocManaged(&managed, 128));
  expect(cudaGetSymbolAddress(&ofVariable, variable));
  expect(cudaGetSymbolSize(&bytes, variable));
  for (const void* pointer : {(void*)(device + 3), (void*)pinned, (void*)managed, (void*)&local, ofVariable}) {
    cudaPointerAttributes a;
    expect(cudaPointerGetAttributes(&a, pointer));
    printf("%d %d, ", a.type, a.devicePointer == pointer);
  }
  printf("%zu\n", bytes);
}

static void pools(cudaStream_t stream) {
  cudaMemPool_t pool;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  expect(cudaMemPoolCreate(&pool, &properties));
  unsigned long long threshold = ~0ull, back = 0;
  expect(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  expect(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back));
  int* a;
  expect(cudaMallocFromPoolAsync(&a, 128, pool, stream));
  expect(cudaMemsetAsync(a, 0, 128, stream));
  add<<<1, 32, 0, stream>>>(a, 3);
  expect(cudaFreeAsync(a, stream));
  expect(cudaStreamSynchronize(stream));
  expect(cudaMemPoolTrimTo(pool, 0));
  expect(cudaMemPoolDestroy(pool));
  printf("pool %d\n", back == threshold);
}

/// Launches with a configuration, and copies rows.
static void launches(cudaStream_t stream) {
  int *a, h[32];
  expect(cudaMalloc(&a, 128));
  expect(cudaMemset2DAsync(a, 64, 0, 64, 2, stream));
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributePriority;
  attribute[0].val.priority = -1;
  cudaLaunchConfig_t config = {1, 32, 128, stream, attribute, 1};
  expect(cudaLaunchKernelEx(&config, add, a, 5));
  expect(cudaMemcpy2DAsync(h, 64, a, 64, 64, 2, cudaMemcpyDeviceToHost, stream));
  expect(cudaStreamSynchronize(stream));
  expect(cudaLaunchKernelEx(&config, turn<int>, a));
  void* arguments[] = {&a};
  expect(cudaLaunchKernelExC(&config, (const void*)turn<int>, arguments));
  expect(cudaThreadSynchronize());
  printf("added %d, ", h[31]);
  expect(cudaMemcpyFromSymbol(h, variable, sizeof variable));
  expect(cudaMemcpy(h, a, 128, cudaMemcpyDeviceToHost));
  printf("turned %d\n", h[0]);
}

/// A graph is recorded again in each step, and given to the same program.
static void updates(cudaStream_t stream) {
  int *a, h[32];
  expect(cudaMalloc(&a, 128));
  expect(cudaMemset(a, 0, 128));
  cudaGraphExec_t program = nullptr;
  for (int step = 1; step <= 4; ++step) {
    cudaGraph_t graph;
    expect(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 32, 0, stream>>>(a, step);
    if (step == 4) add<<<1, 32, 0, stream>>>(a, 100);
    expect(cudaStreamEndCapture(stream, &graph));
    cudaGraphExecUpdateResultInfo info = {};
    if (program == nullptr || cudaGraphExecUpdate(program, graph, &info) != cudaSuccess) {
      cudaGetLastError();
      printf("new program, %d\n", info.result);
      if (program != nullptr) expect(cudaGraphExecDestroy(program));
      expect(cudaGraphInstantiate(&program, graph, 0));
    }
    expect(cudaGraphDestroy(graph));
    expect(cudaGraphLaunch(program, stream));
  }
  expect(cudaStreamSynchronize(stream));
  expect(cudaMemcpy(h, a, 128, cudaMemcpyDeviceToHost));
  printf("sum %d\n", h[0]);
}

/// Kernels in a list, whose addresses forget their parameters.
static void lists() {
  int *a, h;
  expect(cudaMalloc(&a, 128));
  expect(cudaMemset(a, 0, 128));
  int value = 4;
  void* arguments[] = {&a, &value};
  for (const auto kernel : {add, add}) {
    int active = 0;
    expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, reinterpret_cast<const void*>(kernel), 256, 0));
    expect(cudaLaunchKernel((const void*)kernel, 1, 32, arguments, 0, 0));
    printf("active %d, ", active);
  }
  expect(cudaMemcpy(&h, a, 4, cudaMemcpyDeviceToHost));
  printf("listed %d\n", h);
}

int main() {
  cudaStream_t stream;
  expect(cudaStreamCreate(&stream));
  settings();
  pointers();
  pools(stream);
  launches(stream);
  updates(stream);
  lists();
  printf("failures %d\n", failures);
  cudaDeviceReset();
}
// prints: limit 33554432, cache 2, banks 1
// prints: device 0, blocks 8, shared 49152
// prints: 2 1, 1 1, 3 1, 0 0, 2 1, 16
// prints: pool 1
// prints: added 5, turned 31
// prints: new program, 0
// prints: new program, 2
// prints: sum 110
// prints: active 8, active 8, listed 8
// prints: failures 0
