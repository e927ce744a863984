// Kernels that launch kernels, and what else they may call; memory of the kernels' own heap.
#include <cstdio>

struct Node {
  int value;
  Node* next;
};
__managed__ int first, second, sums[32];
__device__ Node* heads[32];
__global__ void leaf(int* x, int depth) { atomicAdd(x, depth); }
__global__ void tree(int* x, int depth) {
  if (depth == 0) {
    leaf<<<2, 4>>>(x, 10);
    return;
  }
  if (threadIdx.x == 0) tree<<<1, 2>>>(x, depth - 1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  leaf<<<1, 1, 0, stream>>>(x, 1);
  cudaStreamDestroy(stream);
  if (cudaGetLastError() != cudaSuccess) *x = -1;
}
__global__ void add(int* x) {
  __builtin_assume(x != nullptr);
  atomicAdd(x, 1);
}
__global__ void addByChildren(int* x) { add<<<1, 5, 0, cudaStreamFireAndForget>>>(x); }
__global__ void square(int* x) { *x *= *x; }
__global__ void tail(int* x) {
  square<<<1, 1, 0, cudaStreamTailLaunch>>>(x);  // when those below, and theirs, have ended
  addByChildren<<<1, 2>>>(x);
}
__global__ void build() {
  Node* head = nullptr;
  for (int i = 0; i < 3; ++i) head = new Node{i, head};
  heads[threadIdx.x] = head;
}
__global__ void sum() {
  int total = 0;
  for (Node *node = heads[threadIdx.x], *next; node != nullptr; node = next) {
    total += node->value;
    next = node->next;
    delete node;
  }
  int* copy = static_cast<int*>(malloc(2 * sizeof(int)));
  copy[0] = copy[1] = total;
  int* const another = new int[2];
  another[0] = another[1] = copy[1];
  sums[threadIdx.x] = another[1];
  delete[] another;
  free(copy);
}

int main() {
  tree<<<1, 2>>>(&first, 2);
  tail<<<1, 1>>>(&second);
  build<<<1, 32>>>();
  sum<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n%d\n%d %d\n", first, second, sums[0], sums[31]);
}
// prints: 164
// prints: 100
// prints: 3 3
