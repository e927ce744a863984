// Nodes of a graph that no path orders: two that use one array race, two that do not are as good as any.
#include <cstdio>

__global__ void add(int* x, int value) {
  x[threadIdx.x] += value;  // @add
}

struct Graph {
  cudaGraph_t graph;
  int *x, *y;
  cudaGraphNode_t clear[2], addTo[2];

  explicit Graph(bool isOrdered) {
    cudaGraphCreate(&graph, 0);
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMalloc(&y, 32 * sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
    cudaMemset(y, 0, 32 * sizeof(int));
    int value = 3;
    for (int i = 0; i < 2; ++i) {
      int** const array = i == 0 ? &x : &y;
      cudaMemsetParams fill = {};
      fill.dst = *array;
      fill.elementSize = 4;
      fill.width = 32;
      fill.height = 1;
      cudaGraphAddMemsetNode(&clear[i], graph, nullptr, 0, &fill);
      void* arguments[] = {array, &value};
      cudaKernelNodeParams kernel = {};
      kernel.func = reinterpret_cast<void*>(add);
      kernel.gridDim = dim3(1);
      kernel.blockDim = dim3(32);
      kernel.kernelParams = arguments;
      cudaGraphAddKernelNode(&addTo[i], graph, &clear[i], isOrdered || i == 0 ? 1 : 0, &kernel);
    }
  }
  int run() {
    cudaGraphExec_t program;
    cudaGraphInstantiate(&program, graph, 0);
    for (int k = 0; k < 3; ++k) cudaGraphLaunch(program, nullptr);
    int values[2];
    cudaMemcpy(&values[0], x, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&values[1], y, sizeof(int), cudaMemcpyDeviceToHost);
    cudaGraphExecDestroy(program);
    return 10 * values[0] + values[1];
  }
  ~Graph() {
    cudaGraphDestroy(graph);
    cudaFree(x);
    cudaFree(y);
  }
};

int main() {
  printf("%d\n", Graph(true).run());
  fflush(stdout);
  Graph(false).run();
}
// prints: 33
// check reports: (?s)race on global memory: .*by cudaMemset.*:@add
// check status: 1
