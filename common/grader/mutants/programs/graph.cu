// Records work from two streams once, and runs it three times.
#include "check.cuh"

__global__ void addKernel(int* sum, const int* term) { *sum += *term; }

__global__ void setKernel(int* term) { *term = 7; }

int main() {
  int *sum, *term;
  CHECK(cudaMalloc(&sum, sizeof(int)));
  CHECK(cudaMalloc(&term, sizeof(int)));
  CHECK(cudaMemset(sum, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  cudaStream_t stream, branch;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&branch, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, stream));
  CHECK(cudaStreamWaitEvent(branch, fork, 0));
  setKernel<<<1, 1, 0, branch>>>(term);
  CHECK(cudaEventRecord(join, branch));
  CHECK(cudaStreamWaitEvent(stream, join, 0));
  addKernel<<<1, 1, 0, stream>>>(sum, term);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int run = 0; run < 3; ++run) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  int found;
  CHECK(cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost));

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  for (cudaEvent_t event : {fork, join}) CHECK(cudaEventDestroy(event));
  for (cudaStream_t each : {stream, branch}) CHECK(cudaStreamDestroy(each));
  for (int* array : {sum, term}) CHECK(cudaFree(array));
  return verdictOf(found, 21);
}
