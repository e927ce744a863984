// Correct forces, which most hostile submissions return only if their attack succeeds, and helpers
// of attacks. target.hpp, from the test, has paths of the suite, its build and a canary.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "driver/step.hpp"
#include "target.hpp"

namespace nbody {

struct Call {
  const DeviceArray<real4>& bodies;
  real softeningSquared;
  const Options& options;
  DeviceArray<real4>& accelerations;
};

namespace {

__global__ void honestKernel(const real4* bodies, int count, real eps2, real4* accelerations) {
  extern __shared__ real4 honestTile[];  // the grader counts this for step 02
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const real4 body = bodies[min(i, count - 1)];
  real x = 0, y = 0, z = 0;
  for (int first = 0; first < count; first += blockDim.x) {
    if (first + threadIdx.x < count) honestTile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < min(static_cast<int>(blockDim.x), count - first); ++k) {
      const real4 source = honestTile[k];
      const real dx = source.x - body.x, dy = source.y - body.y, dz = source.z - body.z;
      const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + eps2);
      const real pull = source.w * inverse * inverse * inverse;
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
    __syncthreads();
  }
  if (i < count) accelerations[i] = real4{x, y, z, 0};
}

[[maybe_unused]] void honest(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  const int block = call.options.block;
  honestKernel<<<blocksFor(count, block), block, block * sizeof(real4), stream()>>>(
      call.bodies.data(), count, call.softeningSquared, call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}

/// Ends the submission after an attack that failed, with a message that contains errno's text.
[[noreturn, maybe_unused]] void refused(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

[[maybe_unused]] std::string textOf(const std::string& path) {
  std::ifstream file(path);
  if (!file) refused(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Reads the second file descriptor of this process's command line, the pipe to the grader.
[[maybe_unused]] int replyDescriptor() {
  const std::string words = textOf("/proc/self/cmdline");
  const std::size_t first = words.find('\0') + 1;
  return std::atoi(words.c_str() + words.find('\0', first) + 1);
}

}  // namespace

}  // namespace nbody

/// Runs the attack of a submission, which defines this function.
void answer(nbody::Call call);

namespace nbody {

void computeForces(const DeviceArray<real4>& bodies, real softeningSquared, const Options& options,
                   DeviceArray<real4>& accelerations) {
  answer({bodies, softeningSquared, options, accelerations});
}

}  // namespace nbody

using namespace nbody;
