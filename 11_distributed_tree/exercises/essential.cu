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

/// Thread c decides about cell c. Each cell that a walk of the other GPU's groups meets is added to the message once, in any order.
/// \param groups   groupCount elements
/// \param message  out: numbers of cells; memory for 2 kLeaves
/// \param count    in: 0; out: the number of cells in the message
__global__ void cutKernel(const Interval* groups, int groupCount, int* message, int* count) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < 1 || c >= 2 * kLeaves) return;
  // TODO 11.1: every cell is sent, also those that no walk meets
  message[atomicAdd(count, 1)] = c;
}

/// Walks the cells for one group, from the root down. Returns a cell that is not in the message; 0: there is none.
int walk(Interval group, const std::vector<bool>& sent, std::vector<bool>& met) {
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

/// Returns whether the message has each cell that a walk of a group meets, once, and no other. Prints what is wrong.
bool isCorrect(const int* message, int count, const Interval* groups, int groupCount) {
  std::vector<bool> sent(2 * kLeaves), met(2 * kLeaves);
  for (int k = 0; k < count; ++k) {
    const int c = message[k];
    if (c < 1 || c >= 2 * kLeaves || sent[c])
      return std::fprintf(stderr, "wrong: cell %d is in the message twice, or no cell\n", c), false;
    sent[c] = true;
  }
  for (int g = 0; g < groupCount; ++g)
    if (const int missing = walk(groups[g], sent, met))
      return std::fprintf(stderr,
                          "wrong: group %d needs cell %d, which is not in the message\n",
                          g,
                          missing),
             false;
  for (int c = 1; c < 2 * kLeaves; ++c)
    if (sent[c] && !met[c])
      return std::fprintf(stderr, "wrong: cell %d is in the message, but no group needs it\n", c),
             false;
  return true;
}

int main(int argc, char** argv) {
  const int bodies = argc > 1 ? std::atoi(argv[1]) : 4096;
  if (bodies < 1) return std::fprintf(stderr, "usage: essential [N [SEED]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  std::uniform_real_distribution<float> unit;
  std::vector<float> places(bodies);  // of the other GPU's bodies, on the line from 1 to 2
  for (float& x : places) x = 1 + unit(random);
  std::sort(places.begin(), places.end());

  const int groupCount = (bodies + kGroup - 1) / kGroup;
  Interval* groups;
  int *message, *count;
  CUDA_CHECK(cudaMallocManaged(&groups, groupCount * sizeof(Interval)));
  CUDA_CHECK(cudaMallocManaged(&message, 2 * kLeaves * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&count, sizeof(int)));
  for (int g = 0; g < groupCount; ++g)
    groups[g] = {places[g * kGroup], places[std::min(bodies, (g + 1) * kGroup) - 1]};
  *count = 0;
  constexpr int kBlock = 128;
  cutKernel<<<2 * kLeaves / kBlock, kBlock>>>(groups, groupCount, message, count);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  const bool correct = isCorrect(message, *count, groups, groupCount);
  if (correct)
    std::printf("%d groups need %d of %d cells: correct\n", groupCount, *count, 2 * kLeaves - 1);
  CUDA_CHECK(cudaFree(groups));
  CUDA_CHECK(cudaFree(message));
  CUDA_CHECK(cudaFree(count));
  return correct ? 0 : 1;
}
