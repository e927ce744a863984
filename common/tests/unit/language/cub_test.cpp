// CUB on the executor: device-wide functions, blocks and warps.
#include <cub/cub.cuh>

#include "in_kernel.hpp"

using namespace nbody;

namespace {

/// Values in memory of the device.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::vector<T> values) : count_(values.size()) {
    cudaMalloc(&data_, count_ * sizeof(T));
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  explicit OnDevice(std::size_t count) : OnDevice(std::vector<T>(count)) {}
  OnDevice(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(data_); }
  operator T*() const { return data_; }
  std::vector<T> first(std::size_t count) const {
    std::vector<T> result(count);
    cudaMemcpy(result.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }
  std::vector<T> all() const { return first(count_); }
  T one() const { return first(1)[0]; }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};
using Ints = std::vector<int>;

/// Both calls of CUB's protocol.
template <class Call>
void twice(const Call& call) {
  std::size_t bytes = 0;
  REQUIRE(call(nullptr, bytes) == cudaSuccess);
  REQUIRE(bytes > 0);
  OnDevice<char> storage(bytes);
  std::size_t fewer = bytes - 1;
  CHECK(call(static_cast<char*>(storage), fewer) == cudaErrorInvalidValue);
  CHECK(call(static_cast<char*>(storage), bytes) == cudaSuccess);
}

}  // namespace

TEST_CASE("reductions of the device") {
  const OnDevice<int> in(Ints{4, -7, 9, 9, 0});
  const OnDevice<int> out(1);
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceReduce::Sum(s, b, (int*)in, (int*)out, 5);
  });
  CHECK(out.one() == 15);
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceReduce::Min(s, b, (int*)in, (int*)out, 5);
  });
  CHECK(out.one() == -7);
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceReduce::Reduce(
        s, b, (int*)in, (int*)out, 5, [](int x, int y) { return x > y ? x : y; }, -100);
  });
  CHECK(out.one() == 9);
  const OnDevice<float> ones(std::vector<float>(1 << 20, 0.1f)), sum(1);
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceReduce::Sum(s, b, (float*)ones, (float*)sum, 1 << 20);
  });
  CHECK(std::fabs(sum.one() - 104857.6f) < 0.1f);  // from left to right it would be off by hundreds
}

TEST_CASE("scans of the device") {
  const OnDevice<int> in(Ints{1, 1, 2, 5, 5, 5});
  const OnDevice<int> out(6);
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceScan::ExclusiveSum(s, b, (int*)in, (int*)out, 6);
  });
  CHECK(out.all() == Ints{0, 1, 2, 4, 9, 14});
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceScan::InclusiveScan(s, b, (int*)in, (int*)out, cub::Max(), 6);
  });
  CHECK(out.all() == Ints{1, 1, 2, 5, 5, 5});
}

TEST_CASE("sorts: every type of key, some bits, both directions, any order") {
  const auto sorted = [](auto values, int begin, int end, bool descends) {
    using T = typename decltype(values)::value_type;
    const OnDevice<T> in(values), out(values.size());
    const int n = static_cast<int>(values.size());
    twice([&](void* s, std::size_t& b) {
      return descends
                 ? cub::DeviceRadixSort::SortKeysDescending(s, b, (T*)in, (T*)out, n, begin, end)
                 : cub::DeviceRadixSort::SortKeys(s, b, (T*)in, (T*)out, n, begin, end);
    });
    return out.all();
  };
  CHECK(sorted(Ints{3, -1, 0, -2000000000}, 0, 32, false) == Ints{-2000000000, -1, 0, 3});
  CHECK(sorted(std::vector<float>{1, -INFINITY, 0.5f, -2}, 0, 32, true) ==
        std::vector<float>{1, 0.5f, -2, -INFINITY});
  CHECK(sorted(std::vector<unsigned long long>{1ull << 40, 5, 3}, 0, 64, false) ==
        std::vector<unsigned long long>{3, 5, 1ull << 40});
  // Sorts by the bits 4 to 7 alone; equal ones stay in their order.
  CHECK(sorted(std::vector<unsigned>{0x123, 0x911, 0x12f, 0x010}, 4, 8, false) ==
        std::vector<unsigned>{0x911, 0x010, 0x123, 0x12f});
  const OnDevice<double> keys(std::vector<double>{2, -0.0, 0.0, 1}), sortedKeys(4);
  const OnDevice<int> values(Ints{0, 1, 2, 3}), order(4);
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceRadixSort::SortPairs(s, b, (double*)keys, (double*)sortedKeys, (int*)values,
                                           (int*)order, 4);
  });
  CHECK(order.all() == Ints{1, 2, 3, 0});
  twice([&](void* s, std::size_t& b) {
    const auto half = [](double x, double y) { return x < y - 0.5; };
    return cub::DeviceMergeSort::StableSortPairs(s, b, (double*)keys, (int*)values, 4, half);
  });
  CHECK(values.all() == Ints{1, 2, 3, 0});
  CHECK(keys.all() == std::vector<double>{-0.0, 0.0, 1, 2});
}

TEST_CASE("blocks and warps reduce and scan, also several values for each thread") {
  constexpr int kBlock = 128, kItems = 3;
  cub::BlockReduce<int, kBlock>::TempStorage reduceStorage;
  cub::BlockScan<int, kBlock>::TempStorage scanStorage;
  cub::WarpReduce<float, 16>::TempStorage warpStorage[kBlock / 16];
  cub::WarpScan<int>::TempStorage warpScanStorage[kBlock / 32];
  checkInKernel(1, kBlock, [&](int& wrong) {
    const int i = static_cast<int>(threadIdx.x);
    const int sum = cub::BlockReduce<int, kBlock>(reduceStorage).Sum(i);
    wrong += (sum == kBlock * (kBlock - 1) / 2) != (i == 0);  // the first thread's alone
    int before, total;
    cub::BlockScan<int, kBlock>(scanStorage).ExclusiveSum(i, before, total);
    wrong += before != i * (i - 1) / 2 || total != 8128;
    int items[kItems], scanned[kItems];
    for (int k = 0; k < kItems; ++k) items[k] = (i * kItems + k) * 7919 % 384;  // 0 to 383
    const int all = cub::BlockReduce<int, kBlock>(reduceStorage).Sum(items);
    wrong += i == 0 && all != 384 * 383 / 2;
    cub::BlockScan<int, kBlock>(scanStorage).InclusiveScan(items, scanned, cub::Max());
    wrong += i == kBlock - 1 && scanned[2] != 383;
    cub::BlockScan<int, kBlock>(scanStorage).InclusiveSum(items, scanned, total);
    wrong += total != 384 * 383 / 2 || scanned[1] != scanned[0] + items[1];
    const float part = cub::WarpReduce<float, 16>(warpStorage[i / 16]).Sum(1.0f, 10);
    wrong += i % 16 == 0 && part != 10;
    cub::WarpScan<int>(warpScanStorage[i / 32]).InclusiveSum(1, before);
    wrong += before != i % 32 + 1;
    cub::WarpScan<int>(warpScanStorage[i / 32]).ExclusiveScan(i, before, 0, cub::Max());
    wrong += before != (i % 32 == 0 ? 0 : i - 1);
  });
}
