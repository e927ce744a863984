// Divides bodies on a curve into ranges of equal work: nvcc -arch=native borders.cu && ./a.out [N [SEED]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

/// Ends the program at the first call that fails, because later calls may hide the error.
#define CUDA_CHECK(call) checkCuda((call), #call, __LINE__)
void checkCuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "borders.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
  std::exit(1);
}

constexpr int kRanks = 64;

/// Thread r finds the first body of rank r, for r from 0 to kRanks; firsts[kRanks] is the number of bodies. The ranks' ranges
/// follow each other, and have equal work up to the work of one body.
/// \param upTo    work of all bodies up to each body, that body included; ascending, \p count elements
/// \param firsts  out: kRanks + 1 elements
__global__ void bordersKernel(const int* upTo, int count, int* firsts) {
  const int r = threadIdx.x;
  if (r > kRanks) return;
  // TODO 11.2: every rank gets equally many bodies
  firsts[r] = static_cast<int>(static_cast<long long>(count) * r / kRanks);
}

/// Returns the largest work of a rank; -1 if the ranges do not follow each other or leave bodies out, which it prints.
int mostWork(const int* firsts, const int* upTo, int count) {
  if (firsts[0] != 0 || firsts[kRanks] != count)
    return std::fprintf(stderr,
                        "wrong: the ranges go from body %d to %d, not from 0 to %d\n",
                        firsts[0],
                        firsts[kRanks],
                        count),
           -1;
  int most = 0;
  for (int r = 0; r < kRanks; ++r) {
    const int begin = firsts[r], end = firsts[r + 1];
    if (end < begin)
      return std::fprintf(
                 stderr, "wrong: rank %d begins at body %d and ends at %d\n", r, begin, end),
             -1;
    most = std::max(most, (end == 0 ? 0 : upTo[end - 1]) - (begin == 0 ? 0 : upTo[begin - 1]));
  }
  return most;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 4096;
  if (count < 1) return std::fprintf(stderr, "usage: borders [N [SEED]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  int *upTo, *firsts;
  CUDA_CHECK(cudaMallocManaged(&upTo, count * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&firsts, (kRanks + 1) * sizeof(int)));
  int all = 0, heaviest = 0;
  for (int i = 0; i < count;
       ++i) {  // the bodies in the middle of the curve are in the dense centre of a galaxy
    const int dense = i > count / 3 && i < count / 2 ? 900 : 0;
    const int work = 1 + dense + static_cast<int>(random() % 100);
    heaviest = std::max(heaviest, work);
    upTo[i] = all += work;
  }
  bordersKernel<<<1, (kRanks / 32 + 1) * 32>>>(upTo, count, firsts);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  const int most = mostWork(firsts, upTo, count);
  const bool equal = most <= all / kRanks + 1 + heaviest;
  if (most >= 0 && !equal)
    std::fprintf(stderr,
                 "wrong: the busiest rank has %.2f times the mean work\n",
                 double(most) * kRanks / all);
  else if (most >= 0)
    std::printf("%d bodies on %d ranks: the busiest has %.2f times the mean work\n",
                count,
                kRanks,
                double(most) * kRanks / all);
  CUDA_CHECK(cudaFree(upTo));
  CUDA_CHECK(cudaFree(firsts));
  return most >= 0 && equal ? 0 : 1;
}
