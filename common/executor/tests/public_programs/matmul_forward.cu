// llm.c's matrix products without cuBLAS, with their launches, their check and their reference, on smaller matrices: the
// file's own main() multiplies 32768 x 768 by 768 x 3072, and then times.

#define main mainOfTheFile
#include <matmul_forward.cu>
#undef main

int main(int argc, char** argv) {
  const int batch = 2, tokens = 128, channels = 128, outputs = 512;
  const int kernel = argc > 1 ? std::atoi(argv[1]) : 1;
  const size_t bytes = batch * tokens * outputs * sizeof(float);
  float* out = make_zeros_float(batch * tokens * outputs);
  float* host[] = {make_random_float(batch * tokens * channels),
                   make_random_float(outputs * channels), make_random_float(outputs)};
  const size_t sizes[] = {batch * tokens * channels * sizeof(float),
                          outputs * channels * sizeof(float), outputs * sizeof(float)};
  matmul_forward_cpu(out, host[0], host[1], host[2], batch, tokens, channels, outputs);
  float *deviceOut, *device[3];
  cudaCheck(cudaMalloc(&deviceOut, bytes));
  for (int i = 0; i < 3; ++i) {
    cudaCheck(cudaMalloc(&device[i], sizes[i]));
    cudaCheck(cudaMemcpy(device[i], host[i], sizes[i], cudaMemcpyHostToDevice));
  }
  for (const int side : {4, 8, 16, 32}) {  // of a square block of threads
    cudaCheck(cudaMemset(deviceOut, 0, bytes));
    matmul_forward(kernel, deviceOut, device[0], device[1], device[2], batch, tokens, channels,
                   outputs, side);
    validate_result(deviceOut, out, "out", batch * tokens * outputs, 1e-1f);
  }
  printf("All results match\n");
  cudaCheck(cudaFree(deviceOut));
  for (int i = 0; i < 3; ++i) {
    cudaCheck(cudaFree(device[i]));
    free(host[i]);
  }
  free(out);
}
