// Graphs, captured from streams or built by hand. Operations of a graph that no path orders: two that use one array race, two that do not
// are as good as any.
#include <cstdio>

__managed__ int d[8], x[32], y[32];

__global__ void add(int* x, int value) {
  x[threadIdx.x] += value;  // @add
}
__global__ void scale(int* x, int factor, int n) {
  if (threadIdx.x < n) x[threadIdx.x] *= factor;
}
static void count(void* data) { ++*static_cast<int*>(data); }

static cudaStream_t newStream() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  return stream;
}
static cudaEvent_t newEvent() {
  cudaEvent_t event;
  cudaEventCreate(&event);
  return event;
}

/// Fills x in one stream and y in another, then adds to both in the first, which waits for the other's fill or not.
static int sumsOf(bool waits) {
  const cudaStream_t s = newStream(), t = newStream();
  const cudaEvent_t fork = newEvent(), join = newEvent();
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork, 0);
  cudaMemsetAsync(x, 0, sizeof x, s);
  cudaMemsetAsync(y, 0, sizeof y, t);
  cudaEventRecord(join, t);
  if (waits) cudaStreamWaitEvent(s, join, 0);
  add<<<1, 32, 0, s>>>(x, 3);
  add<<<1, 32, 0, s>>>(y, 3);
  cudaStreamWaitEvent(s, join, 0);
  cudaStreamEndCapture(s, &graph);
  cudaGraphExec_t program;
  cudaGraphInstantiate(&program, graph, 0);
  for (int k = 0; k < 3; ++k) cudaGraphLaunch(program, s);
  cudaStreamSynchronize(s);
  const int values = 10 * x[0] + y[0];
  cudaDeviceReset();
  return values;
}

/// Prints what a graph of nodes gives, before and after a kernel's arguments are changed.
static void buildByHand() {
  int* to = x;
  int value = 3, n = 32, calls = 0;
  void *ofAdd[] = {&to, &value}, *ofScale[] = {&to, &value, &n};
  cudaKernelNodeParams kernel = {};
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(32);
  cudaGraph_t graph;
  cudaGraphNode_t filled, added, scaled, copied, counted;
  cudaGraphCreate(&graph, 0);
  const cudaMemsetParams fill = {x, 0, 0, 4, 32, 1};
  cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill);
  kernel.func = (void*)scale;
  kernel.kernelParams = ofScale;
  cudaGraphAddKernelNode(&scaled, graph, nullptr, 0, &kernel);
  kernel.func = (void*)add;
  kernel.kernelParams = ofAdd;
  cudaGraphAddKernelNode(&added, graph, &filled, 1, &kernel);
  cudaGraphAddDependencies(graph, &added, &scaled, 1);
  cudaGraphAddMemcpyNode1D(&copied, graph, &scaled, 1, y, x, sizeof x, cudaMemcpyDefault);
  const cudaHostNodeParams function = {count, &calls};
  cudaGraphAddHostNode(&counted, graph, &copied, 1, &function);
  cudaGraphExec_t program;
  cudaGraphInstantiate(&program, graph, 0);
  cudaGraphDestroy(graph);
  cudaGraphLaunch(program, nullptr);
  cudaDeviceSynchronize();
  const int before = y[0];
  value = 5;
  printf("set %d, ", cudaGraphExecKernelNodeSetParams(program, added, &kernel));
  cudaGraphLaunch(program, nullptr);
  cudaDeviceSynchronize();
  printf("by hand %d %d, host function %d\n", before, y[0], calls);
  cudaGraphExecDestroy(program);

  cudaGraphCreate(&graph, 0);
  cudaGraphAddEmptyNode(&filled, graph, nullptr, 0);
  cudaGraphAddEmptyNode(&added, graph, &filled, 1);
  cudaGraphAddDependencies(graph, &added, &filled, 1);
  printf("circle %d\n", cudaGraphInstantiate(&program, graph, 0));
  cudaGetLastError();
  cudaGraphDestroy(graph);
}

int main() {
  const cudaStream_t s = newStream(), t = newStream();
  const cudaEvent_t fork = newEvent(), join = newEvent();
  int calls = 0;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(d, 0, sizeof d, s);
  add<<<1, 4, 0, s>>>(d, 2);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork, 0);
  scale<<<1, 4, 0, t>>>(d, 5, 4);
  cudaLaunchHostFunc(t, count, &calls);
  cudaEventRecord(join, t);
  cudaStreamWaitEvent(s, join, 0);
  add<<<1, 4, 0, s>>>(d, 1);
  cudaGraph_t graph;
  printf("end %d\n", cudaStreamEndCapture(s, &graph));
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphExec_t program;
  cudaGraphInstantiate(&program, graph, 0);
  printf("nodes %d, before a launch %d\n", int(nodes), calls);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(program, s);
  cudaStreamSynchronize(s);
  printf("captured %d, host function %d\n", d[0], calls);
  cudaGraphExecDestroy(program);
  cudaGraphDestroy(graph);

  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork, 0);
  add<<<1, 4, 0, t>>>(d, 2);
  printf("unjoined %d\n", cudaStreamEndCapture(s, &graph));
  printf("no capture %d\n", cudaStreamEndCapture(s, &graph));
  cudaGetLastError();
  cudaDeviceReset();

  buildByHand();
  printf("%d\n", sumsOf(true));
  fflush(stdout);
  sumsOf(false);
}
// prints: end 0
// prints: nodes 5, before a launch 0
// prints: captured 11, host function 3
// prints: unjoined 904
// prints: no capture 401
// prints: set 0, by hand 9 15, host function 2
// prints: circle 1
// prints: 33
// check reports: (?s)race on global memory: .*by cudaMemset.*:@add
// check status: 1
