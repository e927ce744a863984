// All that gives memory, and copies.
#include <cstdio>
#include <memory>
#include <vector>

__global__ void twice(float* x, size_t pitch, int width) {
  float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(x) + blockIdx.x * pitch);
  if (threadIdx.x < width) row[threadIdx.x] *= 2;
}
template <class T>
using OnDevice = std::unique_ptr<T, decltype(&cudaFree)>;

int main() {
  std::vector<float> h(30), back(30, -1);
  for (int i = 0; i < 30; ++i) h[i] = i;
  size_t pitch;
  float* rows;
  cudaMallocPitch(&rows, &pitch, 10 * sizeof(float), 3);
  cudaMemcpy2D(rows, pitch, h.data(), 40, 40, 3, cudaMemcpyHostToDevice);
  twice<<<3, 32>>>(rows, pitch, 10);
  cudaMemcpy2D(back.data(), 40, rows, pitch, 40, 3, cudaMemcpyDeviceToHost);
  printf("%zu %g %g\n", pitch, back[9], back[29]);
  cudaMemset2D(rows, pitch, 0, 20, 2);
  cudaMemcpy2D(back.data(), 40, rows, pitch, 40, 3, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", back[14], back[15], back[24]);

  cudaPitchedPtr box;
  cudaMemcpy3DParms copy = {};
  cudaMalloc3D(&box, make_cudaExtent(20, 2, 3));
  copy.srcPtr = make_cudaPitchedPtr(h.data(), 20, 5, 2);
  copy.dstPtr = box;
  copy.extent = make_cudaExtent(20, 2, 3);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  twice<<<6, 32>>>(static_cast<float*>(box.ptr), box.pitch, 5);
  cudaMemset3D(box, 0, make_cudaExtent(8, 1, 3));
  copy.srcPtr = box;
  copy.srcPos = make_cudaPos(4, 0, 1);
  copy.dstPtr = make_cudaPitchedPtr(back.data(), 12, 3, 2);
  copy.extent = make_cudaExtent(12, 2, 2);
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  printf("%g %g %g %g\n", back[0], back[2], back[3], back[11]);
  cudaFree(box.ptr);

  float *managed, *pinned, *mapped, *async, *other;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocManaged(&managed, 40);
  cudaMallocHost((void**)&pinned, 40);
  cudaHostAlloc(&mapped, 40, cudaHostAllocMapped);
  cudaMallocAsync(&async, 40, stream);
  cudaMallocAsync(&other, 40, stream);
  for (int i = 0; i < 10; ++i) managed[i] = pinned[i] = mapped[i] = i;
  twice<<<1, 32, 0, stream>>>(managed, 0, 10);
  float* onDevice;
  cudaHostGetDevicePointer(&onDevice, mapped, 0);
  twice<<<1, 32, 0, stream>>>(onDevice, 0, 10);
  cudaMemcpyAsync(async, pinned, 40, cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(other, async, 40, cudaMemcpyDefault, stream);
  twice<<<1, 32, 0, stream>>>(other, 0, 10);
  cudaMemcpyAsync(pinned, other, 40, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(async, stream);
  cudaFreeAsync(other, stream);
  cudaStreamSynchronize(stream);
  printf("%g %g %g\n", managed[9], mapped[9], pinned[9]);

  cudaHostRegister(h.data(), 120, cudaHostRegisterMapped);
  twice<<<1, 32>>>(h.data(), 0, 30);
  cudaDeviceSynchronize();
  cudaHostUnregister(h.data());
  printf("%g\n", h[29]);
  float* raw;
  cudaMalloc(&raw, 4);
  const OnDevice<float> owner(raw, cudaFree);
  float* rest;
  cudaMalloc(&rest, 4);
  std::shared_ptr<void> shared(rest, cudaFree);
  cudaFree(rows);
  cudaFree(managed);
  cudaFreeHost(pinned);
  cudaFreeHost(mapped);
  cudaStreamDestroy(stream);
}
// prints: 512 18 58
// prints: 0 30 48
// prints: 0 26 32 56
// prints: 18 18 18
// prints: 58
