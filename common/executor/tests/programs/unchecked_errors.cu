// Calls that only return an error. If the program ignores it, the report says why the call failed; if it looks, there is at
// most a note.
// only: check
#include <cstdio>

__device__ int variable[4];

int main() {
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
  printf("%d %g\n", refused, ms);
}
// prints: 5 -1
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
// status: 1
