// Host code and memory that a kernel under way uses, or does not.
// only: check
#include <cstdio>

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

int main() {
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
// prints: 2 3
// prints: 3
// prints: 1
// prints: 42
// reports: missing synchronisation: host code reads pinned host memory 'pinned' \(4096 bytes, .*\) at programs/early_reads.cu:@early, but the kernel put of
// status: 1
