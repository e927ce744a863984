// What whole programs share that have the host do the work.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

/// As much of global memory as the sum over all bodies reads, for nothing.
__global__ void readKernel(const float* bodies, int count, float* sums) {
  float sum = 0;
  for (int j = 0; j < 4 * count; ++j) sum += bodies[j];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void copyKernel(const float* from, int count, float* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

__global__ void doubleKernel(const float* from, int count, float* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = 2 * from[i];
}

struct Program {
  int count;
  std::vector<float> bodies;

  explicit Program(char** argv) : count(std::atoi(argv[1])), bodies(4 * count) {
    std::mt19937 random(std::atoi(argv[2]));
    for (float& number : bodies) number = static_cast<float>(random() >> 8) * 0x1p-24f;
  }

  std::size_t bytes() const { return bodies.size() * sizeof(float); }

  void readAll() const {
    const int blocks = (count + 127) / 128;
    float *device, *sums;
    if (cudaMalloc(&device, bytes()) || cudaMalloc(&sums, 128 * blocks * sizeof(float))) return;
    if (cudaMemcpy(device, bodies.data(), bytes(), cudaMemcpyHostToDevice)) return;
    readKernel<<<blocks, 128>>>(device, count, sums);
    if (cudaDeviceSynchronize() || cudaFree(device) || cudaFree(sums)) return;
  }

  std::vector<float> hostSum() const {
    std::vector<float> found;
    for (int i = 0; i < count; ++i) {
      double a[3] = {};
      for (int j = 0; j < count; ++j) {
        double r[3], square = 1e-4;
        for (int k = 0; k < 3; ++k) {
          r[k] = static_cast<double>(bodies[4 * j + k]) - bodies[4 * i + k];
          square += r[k] * r[k];
        }
        for (int k = 0; k < 3; ++k) a[k] += bodies[4 * j + 3] * r[k] / std::pow(square, 1.5);
      }
      for (double component : a) found.push_back(static_cast<float>(component));
    }
    return found;
  }
};

inline void print(const std::vector<float>& found) {
  for (std::size_t i = 0; i + 2 < found.size(); i += 3)
    std::printf("a = %.9g %.9g %.9g\n", found[i], found[i + 1], found[i + 2]);
}
