// A copy by the runtime or by a kernel is as written as what it was made of, and no use of it. Objects with virtual
// functions and shared arrays of classes are correct.
// only: check
#include <cstdio>
#include <cstring>
#include <new>

__managed__ int out[64];

__global__ void read(const int* from) {
  out[threadIdx.x] = from[threadIdx.x];  // @read
}
__global__ void move(int* to, const int* from, int bytes) { memmove(to, from, bytes); }
__global__ void copyToLocal(const int* from, int bytes) {
  int local[8] = {};
  memcpy(local, from, bytes);
  out[threadIdx.x] = local[threadIdx.x];
}

struct Shape {
  __device__ virtual int corners() const { return 0; }
};
struct Triangle : Shape {
  __device__ int corners() const override { return 3; }
};
/// Makes objects where nothing was written.
__global__ void virtuals(char* room) {
  const Shape* const shape = new (room + 16 * threadIdx.x) Triangle;
  out[threadIdx.x] = shape->corners();
}

struct Pair {
  int a, b;
  __device__ Pair() {}
};
/// A compiler guards the construction of the array.
__global__ void sharedOfClass() {
  __shared__ Pair pairs[64];
  pairs[threadIdx.x].a = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] += pairs[63 - threadIdx.x].a;
}

int main() {
  int *from, *copied, *moved;
  char* room;
  cudaMalloc(&from, 32);
  cudaMalloc(&copied, 32);
  cudaMalloc(&moved, 32);
  cudaMalloc(&room, 64 * 16);
  cudaMemset(from, 0, 9);  // two words and a byte
  cudaMemcpy(copied, from, 32, cudaMemcpyDeviceToDevice);
  read<<<1, 2>>>(copied);
  move<<<1, 1>>>(moved, from, 32);
  read<<<1, 2>>>(moved);
  copyToLocal<<<1, 1>>>(from, 8);
  virtuals<<<1, 64>>>(room);
  sharedOfClass<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", out[0]);
  fflush(stdout);

  read<<<1, 3>>>(copied);
  read<<<1, 3>>>(moved);  // @two
  move<<<1, 1>>>(moved + 1, moved, 12);  // over itself
  read<<<1, 3>>>(moved);
  read<<<1, 4>>>(moved);  // @three
  move<<<1, 1>>>(moved, from + 4, 4);  // what was written is no longer
  read<<<1, 1>>>(moved);  // @none
  copyToLocal<<<1, 1>>>(from, 12);
  cudaDeviceSynchronize();
  cudaDeviceReset();
}
// prints: 66
// reports: uninitialised global memory: copied\[2\]\n  read by thread \(2,0,0\) .*:@read\n
// reports: (?s)uninitialised global memory: moved\[2\]\n.*:@two\)
// reports: (?s)uninitialised global memory: moved\[3\]\n.*:@three\)
// reports: (?s)uninitialised global memory: moved\[0\]\n.*:@none\)
// reports: uninitialised global memory: from\[2\]
// status: 1
