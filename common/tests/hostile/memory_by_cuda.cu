// Kind: much memory
// Tries: memory of the device without end.
// Stopped by: the memory that the device has.
#include "honest.hpp"

void answer(Call call) {
  for (;;) {
    void* memory;
    CUDA_CHECK(cudaMalloc(&memory, 64 << 20));
    CUDA_CHECK(cudaMemset(memory, 1, 64 << 20));
  }
  honest(call);
}
