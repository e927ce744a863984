// Operations of a graph that no path orders: two that use one array race, two that do not are as good as any.
#include <cstdio>

__managed__ int x[32], y[32];

__global__ void add(int* x, int value) {
  x[threadIdx.x] += value;  // @add
}

/// Fills x in one stream and y in another, then adds to both in the first, which waits for the other's fill or not.
static int run(bool waits) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
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

int main() {
  printf("%d\n", run(true));
  fflush(stdout);
  run(false);
}
// prints: 33
// check reports: (?s)race on global memory: .*by cudaMemset.*:@add
// check status: 1
