// Cuts the part of a tree that another GPU needs: nvcc -arch=native essential.cu && ./a.out [N [SEED]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

/// Ends the program at the first call that fails, because later calls may hide the error.
#define CUDA_CHECK(call) checkCuda((call), #call, __LINE__)
void checkCuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "essential.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
  std::exit(1);
}

constexpr int kLeaves = 512, kGroup = 16;
constexpr float kTheta = 0.5f;

struct Interval {
  float low, high;
};

/// Returns the part of the line from 0 to 1 that a cell covers. Cell 1 is the root. Cell c has the children 2 c and 2 c + 1, and
/// cells kLeaves to 2 kLeaves - 1 are the leaves.
__host__ __device__ Interval cell(int c) {
  int level = 0;
  while (c >> (level + 1) > 0) ++level;
  const float length = 1.0f / (1 << level);
  return {(c - (1 << level)) * length, (c - (1 << level) + 1) * length};
}

/// Returns whether a group of bodies opens a cell: if their distance is below the cell's length / theta.
__host__ __device__ bool opens(Interval group, Interval cell) {
  const float distance = fmaxf(0, fmaxf(cell.low - group.high, group.low - cell.high));
  return distance < (cell.high - cell.low) / kTheta;
}

/// Thread c decides about cell c: is it sent? A walk of the other GPU's groups must find every cell that it meets.
/// \param groups  groupCount elements
/// \param sent    out: 1 for each cell that is sent, 0 for the others; 2 kLeaves elements. Element 0 is no cell
__global__ void cutKernel(const Interval* groups, int groupCount, int* sent) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= 2 * kLeaves) return;
  // TODO 11.1: every cell is sent, also those that no walk meets
  sent[c] = c > 0;
}

/// Walks the cells for one group, from the root down. Returns a cell that was not sent; 0: there is none.
int walk(Interval group, const int* sent, std::vector<bool>& met) {
  std::vector<int> open = {1};
  while (!open.empty()) {
    const int c = open.back();
    open.pop_back();
    if (!sent[c]) return c;
    met[c] = true;
    if (c < kLeaves && opens(group, cell(c))) open.insert(open.end(), {2 * c, 2 * c + 1});
  }
  return 0;
}

/// Returns how many cells were sent; 0 if a walk misses one or none needs one, which it prints.
int checkedCount(const int* sent, const Interval* groups, int groupCount) {
  std::vector<bool> met(2 * kLeaves);
  for (int g = 0; g < groupCount; ++g)
    if (const int missing = walk(groups[g], sent, met))
      return std::fprintf(stderr, "wrong: group %d needs cell %d, which is not sent\n", g, missing),
             0;
  int count = 0;
  for (int c = 1; c < 2 * kLeaves; ++c) {
    if (sent[c] && !met[c])
      return std::fprintf(stderr, "wrong: cell %d is sent, but no group needs it\n", c), 0;
    count += sent[c] != 0;
  }
  return count;
}

int main(int argc, char** argv) {
  const int bodies = argc > 1 ? std::atoi(argv[1]) : 4096;
  if (bodies < 1) return std::fprintf(stderr, "usage: essential [N [SEED]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  std::uniform_real_distribution<float> unit;
  std::vector<float> places(
      bodies);  // of the other GPU's bodies: `left` from -1 to 0, then from 1 to 2
  const int left = bodies / 2;
  for (int i = 0; i < bodies; ++i) places[i] = unit(random) + (i < left ? -1 : 1);
  std::sort(places.begin(), places.begin() + left);
  std::sort(places.begin() + left, places.end());

  Interval* groups;
  int* sent;
  CUDA_CHECK(cudaMallocManaged(&groups, bodies * sizeof(Interval)));
  CUDA_CHECK(cudaMallocManaged(&sent, 2 * kLeaves * sizeof(int)));
  int groupCount = 0;
  for (int first = 0, end; first < bodies; first = end) {
    end = std::min(first < left ? left : bodies, first + kGroup);
    groups[groupCount++] = {places[first], places[end - 1]};
  }
  constexpr int kBlock = 128;
  cutKernel<<<2 * kLeaves / kBlock, kBlock>>>(groups, groupCount, sent);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  const int count = checkedCount(sent, groups, groupCount);
  if (count > 0)
    std::printf("%d groups need %d of %d cells: correct\n", groupCount, count, 2 * kLeaves - 1);
  CUDA_CHECK(cudaFree(groups));
  CUDA_CHECK(cudaFree(sent));
  return count > 0 ? 0 : 1;
}
