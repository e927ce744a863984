// Sorts bodies by the keys of their cells: nvcc -arch=native sort.cu && ./a.out [N [SEED]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

/// Ends the program at the first call that fails, because later calls may hide the error.
#define CUDA_CHECK(call) checkCuda((call), #call, __LINE__)
void checkCuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "sort.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
  std::exit(1);
}

constexpr int kLevels = 4, kOctants = 8;  // a key has an octal digit per level of the tree
constexpr int kPlaceBits = 20;  // a word is a key, with the body's place before the sort below it

__device__ int octant(unsigned word, int level) {
  return word >> (kPlaceBits + 3 * level) & (kOctants - 1);
}

/// Sorts by the octants of one level: counts, adds up, and writes each word to its place.
__global__ void serialKernel(const unsigned* from, int count, int level, unsigned* to) {
  int first[kOctants + 1] = {};
  for (int i = 0; i < count; ++i) ++first[octant(from[i], level) + 1];
  for (int o = 1; o < kOctants; ++o) first[o] += first[o - 1];
  for (int i = 0; i < count; ++i) to[first[octant(from[i], level)]++] = from[i];
}

/// Sorts \p count words by their keys. Words with the same key keep their order.
/// \param other  memory of the same length. Returns the array that has the result, one of the two
unsigned* sortByKey(unsigned* words, unsigned* other, int count) {
  // TODO 7.5: a single thread does all the work
  for (int level = 0; level < kLevels; ++level) {
    serialKernel<<<1, 1>>>(words, count, level, other);
    CUDA_CHECK(cudaGetLastError());
    std::swap(words, other);
  }
  return words;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 4096;
  if (count < 1 || count > 1 << kPlaceBits)
    return std::fprintf(stderr, "usage: sort [N [SEED]], N up to 1048576\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  unsigned *words, *other;
  CUDA_CHECK(cudaMallocManaged(&words, count * sizeof(unsigned)));
  CUDA_CHECK(cudaMallocManaged(&other, count * sizeof(unsigned)));
  for (int i = 0; i < count; ++i) words[i] = random() >> kPlaceBits << kPlaceBits | i;
  std::vector<unsigned> expected(words, words + count);
  std::sort(expected.begin(), expected.end());  // if keys are the same, by place
  const unsigned* const sorted = sortByKey(words, other, count);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i)
    if (sorted[i] != expected[i])
      return std::fprintf(stderr, "wrong: the word at place %d\n", i), 1;
  CUDA_CHECK(cudaFree(words));
  CUDA_CHECK(cudaFree(other));
  std::printf("the order of %d bodies is correct\n", count);
}
