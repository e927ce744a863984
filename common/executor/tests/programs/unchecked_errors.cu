// Calls that only return an error. If the program ignores it, the report says why the call failed; if it looks, there is at
// most a note.
// only: check
#include <cstdio>

__device__ int variable[4];
__managed__ float sum[32];
/// nvcc refuses the larger kernel: all static shared memory of a kernel together is limited to 48 KiB.
template <int kCount>
__global__ void sharing() {
  __shared__ float a[kCount], b[kCount];
  a[threadIdx.x] = b[threadIdx.x] = 1;
  __syncthreads();
  sum[threadIdx.x] = a[31 - threadIdx.x] + b[31 - threadIdx.x];
}

int main() {
  sharing<6144><<<1, 32>>>();
  sharing<8000><<<1, 32>>>();  // @sharing
  cudaEvent_t begin, end, untimed, gone, never;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventCreate(&never);
  cudaEventCreate(&gone);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  cudaEventRecord(begin);
  cudaEventRecord(end);
  cudaEventRecord(untimed);
  float ms = -1;
  cudaEventElapsedTime(&ms, begin, end);  // @early
  cudaEventQuery(end);  // an answer, and no error
  cudaEventSynchronize(untimed);
  cudaEventElapsedTime(&ms, begin, untimed);  // @untimed
  cudaEventElapsedTime(&ms, begin, never);  // @never
  cudaEventDestroy(gone);
  cudaEventRecord(gone);  // @gone
  int *null = nullptr, *freed, host[4] = {};
  cudaMalloc(&freed, 16);
  cudaFree(freed);
  cudaMemcpy(null, host, 16, cudaMemcpyHostToDevice);  // @null
  cudaMemcpyToSymbol("variable", host, 16);  // @symbol
  static char slices[4 * 16];
  cudaPitchedPtr box;
  cudaMalloc3D(&box, make_cudaExtent(16, 2, 3));
  cudaMemcpy3DParms deep = {};
  deep.srcPtr = make_cudaPitchedPtr(slices, 16, 16, 1);
  deep.dstPtr = box;
  deep.extent = make_cudaExtent(16, 1, 4);
  deep.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&deep);  // @deep
  cudaFree(box.ptr);

  int refused = cudaEventElapsedTime(&ms, begin, never) != cudaSuccess;
  refused += cudaMemcpy(null, host, 16, cudaMemcpyHostToDevice) != cudaSuccess;  // @looks
  refused += cudaFree(freed) != cudaSuccess;  // @frees
  refused += cudaMemcpyFromSymbol(host, variable, 32) != cudaSuccess;  // @long
  cudaMemset(host, 0, 16);  // @asks
  refused += cudaGetLastError() != cudaSuccess;
  static int kept[4];
  int* p = kept;
  refused += cudaMalloc(&p, size_t(1) << 50) != cudaSuccess;  // which leaves the pointer as it was
  refused += cudaMemset(p, 0, 16) != cudaSuccess;  // @kept
  printf("%d %g %g\n", refused, ms, sum[0]);
}
// prints: 7 -1 2
// reports: (?s)unchecked error: the launch of sharing at .*:@sharing failed .*may have at most 49152 bytes together, but these have 64000\.
// reports: unchecked error: cudaEventElapsedTime\(\) at .*:@early failed with cudaErrorNotReady .*, because the program has not waited
// reports: unchecked error: cudaEventElapsedTime\(\) at .*:@untimed failed with .*, because .* cudaEventDisableTiming
// reports: unchecked error: cudaEventElapsedTime\(\) at .*:@never failed with .*, because cudaEventRecord\(\) was not called
// reports: wrong event: cudaEventRecord\(\) at .*:@gone gets an event that was not created, or one that was destroyed
// reports: null pointer: the destination of cudaMemcpy\(\) at .*:@null is null
// reports: wrong symbol: cudaMemcpyToSymbol\(\) at .*:@symbol gets something that is not a __device__ or __constant__ variable
// reports: copy out of bounds: cudaMemcpy3D\(\) at .*:@deep writes \d+ bytes to device memory 'box' \(3072 bytes
// notes: null pointer: the destination of cudaMemcpy\(\) at .*:@looks is null
// notes: double free: cudaFree\(\) at .*:@frees frees
// notes: copy out of bounds: cudaMemcpyFromSymbol\(\) at .*:@long copies 32 bytes
// notes: not device memory: the destination of cudaMemset\(\) at .*:@asks is
// notes: not device memory: the destination of cudaMemset\(\) at .*:@kept is the variable
// status: 1
