// Code in a folder with the executor's name is code of the program: reports have its lines.
// only: check
// reports: race on global memory: shared[\s\S]* at executor/lines.cu:@write[\s\S]* at executor/lines.cu:@read
// reports: double free: cudaFree\(\) at executor/lines.cu:@again frees device memory 'out'
// status: 1
__device__ int shared[1];

__global__ void raceKernel(int* out) {
  if (threadIdx.x == 0) shared[0] = 1;  // @write
  if (threadIdx.x == 40) out[0] = shared[0];  // @read
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  raceKernel<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(out);  // @again
}
