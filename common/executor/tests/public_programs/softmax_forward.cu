// llm.c's softmax kernels, with their launches, their check and their reference, over fewer rows and columns: the file's
// own main() takes 8192 x 50257 numbers, and then times.

#define main mainOfTheFile
#include <softmax_forward.cu>
#undef main

int main(int argc, char** argv) {
  const int rows = 512, columns = 5025;  // no multiple of a warp or a block, as 50257
  const int kernel = argc > 1 ? std::atoi(argv[1]) : 1;
  const size_t bytes = size_t(rows) * columns * sizeof(float);
  float* out = make_zeros_float(rows * columns);
  float* in = make_random_float(rows * columns);
  for (int i = 0; i < 3 * rows; ++i) {
    in[i / 3 * columns + rand() % columns] *=
        20;  // as the file does, so that not all results are near zero
  }
  softmax_forward_cpu(out, in, rows, columns);
  float *deviceOut, *deviceIn;
  cudaCheck(cudaMalloc(&deviceOut, bytes));
  cudaCheck(cudaMalloc(&deviceIn, bytes));
  cudaCheck(cudaMemcpy(deviceIn, in, bytes, cudaMemcpyHostToDevice));
  for (const int block : {32, 64, 128, 256, 512, 1024}) {
    cudaCheck(cudaMemset(deviceOut, 0, bytes));
    softmax_forward(kernel, deviceOut, deviceIn, rows, columns, block);
    validate_result(deviceOut, out, "out", rows * columns, 1e-4f);
  }
  printf("All results match\n");
  cudaCheck(cudaFree(deviceOut));
  cudaCheck(cudaFree(deviceIn));
  free(out);
  free(in);
}
