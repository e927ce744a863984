/// \file
/// Step 01 as a whole program, without common/: computes the forces of N bodies and checks them.
///
///     nvcc -arch=native 01_naive/standalone.cu && ./a.out [N [SEED [print]]]        # on a GPU
///     ./run cuda 01_naive/standalone.cu [N [SEED [print]]]                          # on a CPU
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

/// Ends the program at the first call that fails, because later calls may hide the error.
#define CUDA_CHECK(call) checkCuda((call), #call, __LINE__)
void checkCuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "standalone.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
  // The program has no machine code for this GPU, and no PTX that its driver can compile.
  if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorUnsupportedPtxVersion)
    std::fprintf(stderr, "No kernel was started: compile for this GPU, with nvcc -arch=native\n");
  std::exit(1);
}

constexpr float kSofteningSquared = 1e-4f;  // epsilon^2, for epsilon = 0.01

/// Thread i adds the pulls of all bodies (x, y, z, mass) on body i: m r / (r^2 + epsilon^2)^1.5.
__global__ void forcesKernel(const float4* bodies, int count, float4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // the last block may reach past the end
  const float4 body = bodies[min(i, count - 1)];
  float4 sum = {0, 0, 0, 0};
  for (int j = 0; j < count; ++j) {
    const float x = bodies[j].x - body.x, y = bodies[j].y - body.y, z = bodies[j].z - body.z;
    const float inverse = rsqrtf(kSofteningSquared + x * x + y * y + z * z);
    const float s = (bodies[j].w * inverse) * (inverse * inverse);
    sum = {sum.x + s * x, sum.y + s * y, sum.z + s * z, 0};
  }
  if (i < count) accelerations[i] = sum;
}

/// Returns how many accelerations differ from sums in double precision (of at most 4,096 bodies).
int countWrong(const std::vector<float4>& bodies, const std::vector<float4>& accelerations) {
  int wrong = 0;
  for (std::size_t i = 0; i < bodies.size(); i += 1 + (bodies.size() - 1) / 4096) {
    double ax = accelerations[i].x, ay = accelerations[i].y, az = accelerations[i].z, sum = 0;
    for (const float4& body : bodies) {
      double x = body.x, y = body.y, z = body.z;
      x -= bodies[i].x, y -= bodies[i].y, z -= bodies[i].z;
      const double s = body.w / std::pow(x * x + y * y + z * z + kSofteningSquared, 1.5);
      ax -= s * x, ay -= s * y, az -= s * z, sum += s * std::hypot(x, y, z);
    }
    // The difference is more than rounding explains, relative to all pulls. NaN counts as wrong.
    if (!(std::hypot(ax, ay, az) <= 1e-6 * std::sqrt(bodies.size()) * sum)) ++wrong;
  }
  return wrong;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 4096;
  if (count < 1) return std::fprintf(stderr, "usage: standalone [N [SEED [print]]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  const auto uniform = [&] { return (random() >> 8) * 0x1p-24f; };  // from 0 to 1
  std::vector<float4> bodies(count), accelerations(count);
  for (float4& body : bodies) body = {uniform(), uniform(), uniform(), uniform()};

  float4 *deviceBodies, *deviceAccelerations;
  const std::size_t bytes = count * sizeof(float4);
  CUDA_CHECK(cudaMalloc(&deviceBodies, bytes));
  CUDA_CHECK(cudaMalloc(&deviceAccelerations, bytes));
  CUDA_CHECK(cudaMemcpy(deviceBodies, bodies.data(), bytes, cudaMemcpyHostToDevice));
  const int block = 256, blocks = (count + block - 1) / block;
  forcesKernel<<<blocks, block>>>(deviceBodies, count, deviceAccelerations);
  CUDA_CHECK(cudaGetLastError());  // of the launch, which returns nothing
  CUDA_CHECK(cudaMemcpy(accelerations.data(), deviceAccelerations, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceAccelerations));
  CUDA_CHECK(cudaFree(deviceBodies));
  if (argc > 3)
    for (float4 a : accelerations) std::printf("a = %.9g %.9g %.9g\n", a.x, a.y, a.z);
  const int wrong = countWrong(bodies, accelerations);
  std::printf("%d bodies, checked on the CPU: %d wrong\n", count, wrong);
  return wrong > 0;
}
