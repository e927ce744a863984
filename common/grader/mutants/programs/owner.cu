// Arrays that free themselves: a class that can be moved and not copied. One of them is static, and
// freed after main().
#include <utility>
#include <vector>

#include "check.cuh"

class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : bytes_(count * sizeof(int)) {
    CHECK(cudaMalloc(&data_, bytes_));
    CHECK(cudaMemset(data_, 0, bytes_));
  }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  DeviceArray(const DeviceArray&) = delete;
  ~DeviceArray() { CHECK(cudaFree(data_)); }

  int* data() const { return data_; }
  std::vector<int> download() const {
    std::vector<int> values(bytes_ / sizeof(int));
    CHECK(cudaMemcpy(values.data(), data_, bytes_, cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  int* data_;
  std::size_t bytes_;
};

__global__ void addKernel(int* values, int step) { values[threadIdx.x] += step * threadIdx.x; }

void add(const DeviceArray& values, int step) {
  addKernel<<<1, 32>>>(values.data(), step);
  CHECK(cudaGetLastError());
}

DeviceArray& kept() {
  static DeviceArray array(32);
  return array;
}

int main() {
  std::vector<DeviceArray> arrays;
  for (int k = 0; k < 4; ++k) arrays.emplace_back(32);
  for (int step = 1; step <= 3; ++step) add(arrays.back(), step);
  add(kept(), 1);
  return verdictOf(arrays.back().download()[31] + kept().download()[31], 31 * 6 + 31);
}
