#include "physics/device_sums.hpp"

#include "cuda/cuda.hpp"

namespace nbody {

namespace {

constexpr int kBlock = 256;

__device__ double inverseDistance(double x, double y, double z, double softeningSquared) {
  return rsqrt(x * x + y * y + z * z + softeningSquared);
}

__device__ Double4 sumOf(const Double4& a, const Double4& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

/// Block k adds the pulls on body sample[k], and the lengths of the pulls in w; each thread takes every kBlock-th source.
/// Shared memory: a sum for each thread. Barriers: one for each halving.
__global__ void accelerationsKernel(const Double4* bodies, int count, const int* sample,
                                    double softeningSquared, Double4* accelerations) {
  __shared__ Double4 sums[kBlock];
  const Double4 body = bodies[sample[blockIdx.x]];
  Double4 sum = {0, 0, 0, 0};
  for (int j = threadIdx.x; j < count; j += kBlock) {
    const Double4 source = bodies[j];
    const double x = source.x - body.x, y = source.y - body.y, z = source.z - body.z;
    const double inverse = inverseDistance(x, y, z, softeningSquared);
    const double s = source.w * inverse * inverse * inverse;
    sum = sumOf(sum, {s * x, s * y, s * z, s * sqrt(x * x + y * y + z * z)});
  }
  sums[threadIdx.x] = sum;
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] = sumOf(sums[threadIdx.x], sums[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) accelerations[blockIdx.x] = sums[0];
}

/// A thread adds the potential energy of a body and the bodies before it, so each pair is counted once. The bodies with
/// most pairs are first, because the last blocks shall be short. No shared memory, no barrier.
__global__ void pairEnergiesKernel(const Double4* bodies, int count, double softeningSquared,
                                   double* energies) {
  const int i = count - 1 - static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < 0) return;
  const Double4 body = bodies[i];
  double sum = 0;
  for (int j = 0; j < i; ++j) {
    const Double4 source = bodies[j];
    sum -= source.w * inverseDistance(source.x - body.x, source.y - body.y, source.z - body.z,
                                      softeningSquared);
  }
  energies[i] = body.w * sum;
}

DeviceArray<Double4> uploaded(const Bodies& bodies) {
  DeviceArray<Double4> array(bodies.count(), "bodies in FP64");
  array.upload(bodies.positions);
  return array;
}

}  // namespace

bool useDeviceSums([[maybe_unused]] const Bodies& bodies, [[maybe_unused]] double interactions) {
#ifdef NBODY_GPU
  constexpr double kFew = 1e8;  // a CPU takes some 0.05 s
  int devices = 0;
  if (interactions < kFew || cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return false;
  return freeDeviceBytes() > 2 * bodies.positions.size() * sizeof(Double4);
#else
  return false;
#endif
}

std::vector<Double4> deviceAccelerations(const Bodies& bodies, double softening,
                                         const std::vector<int>& sample) {
  if (sample.empty()) return {};
  const DeviceArray<Double4> sources = uploaded(bodies);
  const int size = static_cast<int>(sample.size());
  DeviceArray<int> chosen(size, "sample");
  chosen.upload(sample);
  DeviceArray<Double4> accelerations(size, "accelerations in FP64");
  accelerationsKernel<<<size, kBlock, 0, stream()>>>(sources.data(), bodies.count(), chosen.data(),
                                                     softening * softening, accelerations.data());
  CUDA_CHECK(cudaGetLastError());
  return accelerations.download();
}

double devicePotentialEnergy(const Bodies& bodies, double softening) {
  const int count = bodies.count();
  if (count == 0) return 0;
  const DeviceArray<Double4> sources = uploaded(bodies);
  DeviceArray<double> energies(count, "energies");
  pairEnergiesKernel<<<blocksFor(count, kBlock), kBlock, 0, stream()>>>(
      sources.data(), count, softening * softening, energies.data());
  CUDA_CHECK(cudaGetLastError());
  double sum = 0;
  for (double energy : energies.download()) sum += energy;
  return sum;
}

}  // namespace nbody
