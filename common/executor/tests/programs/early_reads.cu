// Host code and memory that running kernels and copies use, or do not. The program continues after a report.
// only: check
#include <cstdio>
#include <cstdlib>

struct Node {
  int value;
  Node* next;
};
__global__ void increase(Node* node) {
  for (; node != nullptr; node = node->next) ++node->value;
}
__global__ void put(int* x) { *x = 42; }
__global__ void sum(const int* x, int* out) { *out = x[0] + x[1]; }
__global__ void raise(volatile int* flag) { *flag = 1; }

/// A graph of all that a stream can record: the host waits for it as for a kernel.
static cudaGraphExec_t recorded(cudaStream_t s, int* device, int* pinned, int* managed, int* local) {
  cudaGraph_t graph;
  cudaGraphExec_t program;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(device, 0, 128, s);
  cudaMemcpyAsync(device, pinned, 64, cudaMemcpyHostToDevice, s);
  put<<<1, 1, 0, s>>>(managed);
  cudaMemcpyAsync(pinned + 16, device, 64, cudaMemcpyDeviceToHost, s);
  cudaMemcpyAsync(local, device, 64, cudaMemcpyDeviceToHost, s);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&program, graph, 0);
  cudaGraphDestroy(graph);
  return program;
}
static void graphs() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  int *device, *pinned, *managed, local[16] = {};
  cudaMalloc(&device, 128);
  cudaMallocHost(&pinned, 128);
  cudaMallocManaged(&managed, 4);
  for (int i = 0; i < 32; ++i) pinned[i] = i;
  const cudaGraphExec_t program = recorded(s, device, pinned, managed, local);
  cudaGraphLaunch(program, s);
  cudaStreamSynchronize(s);
  printf("%d %d %d\n", *managed, pinned[17], local[1]);
  cudaGraphLaunch(program, s);
  int sum = pinned[1];  // which is only read
  sum += *managed;  // @managed
  cudaStreamSynchronize(s);
  cudaGraphLaunch(program, s);
  sum += pinned[17];  // @part
  sum += local[1];  // @local
  pinned[1] = 2;  // @source
  cudaStreamSynchronize(s);
  printf("%d\n", sum);
}

/// Parts of one page, and memory of the C library.
static void parts() {
  cudaStream_t s[2];
  int *device, *pinned, *own = static_cast<int*>(malloc(256));
  cudaMalloc(&device, 256);
  cudaMemset(device, 0, 256);
  cudaMallocHost(&pinned, 256);
  cudaHostRegister(own, 256, cudaHostRegisterMapped);
  for (int i = 0; i < 2; ++i) {
    cudaStreamCreate(&s[i]);
    cudaMemcpyAsync(pinned + 32 * i, device + 32 * i, 128, cudaMemcpyDeviceToHost, s[i]);
  }
  cudaStreamSynchronize(s[0]);
  int sum = pinned[31];
  sum += pinned[32];  // @chunk
  cudaMemcpyAsync(own, device, 128, cudaMemcpyDeviceToHost, s[0]);
  own[40] = 1;
  sum += own[40];
  sum += own[31];  // @registered
  cudaDeviceSynchronize();
  put<<<1, 1>>>(own);
  sum += own[0];  // @mapped
  cudaDeviceSynchronize();
  printf("%d\n", sum >= 0);
  cudaHostUnregister(own);
  free(own);
}

int main() {
  graphs();
  parts();
  // Managed memory that the kernel has no way to: the host may go on with it.
  int *mine, *out;
  Node* nodes;
  cudaMallocManaged(&mine, sizeof(int));
  cudaMallocManaged(&nodes, 2 * sizeof(Node));
  cudaMalloc(&out, sizeof(int));
  nodes[0] = {1, nodes + 1};
  nodes[1] = {2, nullptr};
  *mine = 1;
  increase<<<1, 1>>>(nodes);
  *mine += 1;
  cudaDeviceSynchronize();
  printf("%d %d\n", *mine, nodes[1].value);

  // Pinned memory that both only read; a flag that the host waits for.
  int* pinned;
  cudaHostAlloc(&pinned, 4096, cudaHostAllocMapped);
  pinned[0] = 3;
  pinned[1] = 4;
  sum<<<1, 1>>>(pinned, out);
  printf("%d\n", pinned[0]);
  cudaDeviceSynchronize();
  volatile int* flag = pinned;
  *flag = 0;
  raise<<<1, 1>>>(pinned);
  while (*flag == 0) continue;
  cudaDeviceSynchronize();

  // A result that the kernel has not put yet.
  put<<<1, 1>>>(pinned);
  printf("%d\n", pinned[0]);  // @early
  cudaDeviceSynchronize();
  printf("%d\n", pinned[0]);
  cudaDeviceReset();
}
// prints: 42 1 1
// prints: 45
// prints: 1
// prints: 2 3
// prints: 3
// prints: 1
// prints: 42
// reports: host code reads managed memory 'managed' .*:@managed, but the kernel put of .* may still use this memory
// reports: host code reads pinned host memory 'pinned' .*:@part, but the cudaMemcpyAsync of
// reports: host code reads memory at .*:@local, but the cudaMemcpyAsync of
// reports: host code writes pinned host memory 'pinned' .*:@source, but the cudaMemcpyAsync of
// reports: host code reads pinned host memory 'pinned' .*:@chunk, but the cudaMemcpyAsync of
// reports: host code reads registered host memory .*:@registered, but the cudaMemcpyAsync of
// reports: host code reads registered host memory .*:@mapped, but the kernel put of
// reports: missing synchronisation: host code reads pinned host memory 'pinned' \(4096 bytes, .*\) at programs/early_reads.cu:@early, but the kernel put of
// status: 1
