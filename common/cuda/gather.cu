#include "cuda/gather.hpp"

#include "cuda/cuda.hpp"

namespace nbody {

constexpr int kBlock = 256;

/// Thread k copies element list[k]. No shared memory, no barrier.
/// \param list  indices; length \p count, as that of \p found
template <class Real4>
__global__ void gatherKernel(const Real4* from, const int* list, int count, Real4* found) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) found[k] = from[list[k]];
}

template <class Real4>
std::vector<Real4> Gather<Real4>::operator()(const DeviceArray<Real4>& from,
                                             const std::vector<int>& chosen) {
  const int count = static_cast<int>(chosen.size());
  if (from.size() == chosen.size()) return from.download();  // each of them once
  if (chosen != listed_) {
    list_ = DeviceArray<int>(count, "indices of the bodies that are shown");
    found_ = DeviceArray<Real4>(count, "bodies that are shown");
    list_.upload(chosen);
    listed_ = chosen;
  }
  gatherKernel<Real4><<<blocksFor(count, kBlock), kBlock, 0, stream()>>>(from.data(), list_.data(),
                                                                         count, found_.data());
  CUDA_CHECK(cudaGetLastError());
  return found_.download();
}

template class Gather<float4>;
template class Gather<Double4>;

}  // namespace nbody
