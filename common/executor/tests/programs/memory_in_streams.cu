// cudaMallocAsync() and cudaFreeAsync() allocate and free in the order of their stream: another stream has to wait
// for the memory, and may not use it after it is freed. They wait for nothing else.
// only: check
// reports: (?s)race on global memory: early\[0\]\n.*in the kernel launched at .*:@early\n.*by cudaMallocAsync at .*:@allocated\n
// reports: (?s)race on global memory: other\[0\]\n.*by cudaMallocAsync at .*:@otherAllocated\n.*in the kernel launched at .*:@other\n
// reports: uninitialised global memory: empty\[0\]\n
// reports: (?s)freed device memory 'late' .*allocated at .*freed at .*:@free\n.*launched at .*:@afterFree,
// prints: no error
// prints: no error
// prints: no error
// prints: an illegal memory access was encountered
// status: 1
#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = 1; }
__global__ void copy(int* to, const int* from) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaEvent_t isThere, isFilled;
  cudaEventCreate(&isThere);
  cudaEventCreate(&isFilled);

  int *waitedFor, *ordered, *empty;
  cudaMallocAsync(&waitedFor, 128, a);
  cudaStreamSynchronize(a);
  fill<<<1, 32, 0, b>>>(waitedFor);
  cudaMallocAsync(&ordered, 128, a);
  cudaEventRecord(isThere, a);
  cudaStreamWaitEvent(b, isThere, 0);
  fill<<<1, 32, 0, b>>>(ordered);
  cudaEventRecord(isFilled, b);
  cudaStreamWaitEvent(a, isFilled, 0);
  cudaFreeAsync(waitedFor, a);
  cudaFreeAsync(ordered, a);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));

  int *early, *other;
  cudaMallocAsync(&early, 128, a);  // @allocated
  fill<<<1, 32, 0, b>>>(early);  // @early
  cudaStreamSynchronize(b);
  cudaMallocAsync(&other, 128, a);  // @otherAllocated
  fill<<<1, 32, 0, b>>>(other);  // @other
  cudaFreeAsync(other, b);
  cudaMallocAsync(&empty, 128, a);
  copy<<<1, 32, 0, a>>>(early, empty);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFreeAsync(early, a);
  cudaFreeAsync(empty, a);

  int *again, *late;
  cudaMallocAsync(&again, 128, a);
  fill<<<1, 32, 0, a>>>(again);
  cudaFreeAsync(again, a);
  cudaMallocAsync(&late, 128, a);
  fill<<<1, 32, 0, a>>>(late);
  puts(cudaGetErrorString(cudaStreamSynchronize(a)));
  fill<<<1, 32, 0, b>>>(late);  // @afterFree
  cudaFreeAsync(late, a);  // @free
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
  cudaDeviceReset();
}
