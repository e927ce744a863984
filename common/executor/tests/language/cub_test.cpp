// CUB on the executor: device-wide functions, blocks and warps.
#include <cub/cub.cuh>

#include "cuda/device_array.hpp"
#include "in_kernel.hpp"

using namespace nbody;

namespace {

template <class T>
DeviceArray<T> onDevice(const std::vector<T>& values) {
  DeviceArray<T> array(values.size(), "values");
  array.upload(values);
  return array;
}
using Ints = std::vector<int>;

/// Both calls of CUB's protocol.
template <class Call>
void twice(const Call& call) {
  std::size_t bytes = 0;
  REQUIRE(call(nullptr, bytes) == cudaSuccess);
  REQUIRE(bytes > 0);
  DeviceArray<char> storage(bytes, "storage");
  std::size_t fewer = bytes - 1;
  CHECK(call(storage.data(), fewer) == cudaErrorInvalidValue);
  CHECK(call(storage.data(), bytes) == cudaSuccess);
}

}  // namespace

TEST_CASE("reductions of the device") {
  const auto in = onDevice(Ints{4, -7, 9, 9, 0});
  DeviceArray<int> out(1, "out");
  twice([&](auto&&... room) { return cub::DeviceReduce::Sum(room..., in.data(), out.data(), 5); });
  CHECK(out.download()[0] == 15);
  twice([&](auto&&... room) { return cub::DeviceReduce::Min(room..., in.data(), out.data(), 5); });
  CHECK(out.download()[0] == -7);
  twice([&](auto&&... room) {
    return cub::DeviceReduce::Reduce(
        room..., in.data(), out.data(), 5, [](int x, int y) { return x > y ? x : y; }, -100);
  });
  CHECK(out.download()[0] == 9);
  const auto ones = onDevice(std::vector<float>(1 << 20, 0.1f));
  DeviceArray<float> sum(1, "sum");
  twice([&](auto&&... room) {
    return cub::DeviceReduce::Sum(room..., ones.data(), sum.data(), 1 << 20);
  });
  // From left to right it would be off by hundreds.
  CHECK(std::fabs(sum.download()[0] - 104857.6f) < 0.1f);
}

TEST_CASE("scans of the device") {
  const auto in = onDevice(Ints{1, 1, 2, 5, 5, 5});
  DeviceArray<int> out(6, "out");
  twice([&](auto&&... room) {
    return cub::DeviceScan::ExclusiveSum(room..., in.data(), out.data(), 6);
  });
  CHECK(out.download() == Ints{0, 1, 2, 4, 9, 14});
  twice([&](auto&&... room) {
    return cub::DeviceScan::InclusiveScan(room..., in.data(), out.data(), cub::Max(), 6);
  });
  CHECK(out.download() == Ints{1, 1, 2, 5, 5, 5});
}

TEST_CASE("sorts: every type of key, some bits, both directions, any order") {
  const auto sorted = [](auto values, int begin, int end, bool descends) {
    using T = typename decltype(values)::value_type;
    const auto in = onDevice(values);
    DeviceArray<T> out(values.size(), "out");
    const int n = static_cast<int>(values.size());
    twice([&](auto&&... room) {
      return descends
                 ? cub::DeviceRadixSort::SortKeysDescending(room..., in.data(), out.data(), n,
                                                            begin, end)
                 : cub::DeviceRadixSort::SortKeys(room..., in.data(), out.data(), n, begin, end);
    });
    return out.download();
  };
  CHECK(sorted(Ints{3, -1, 0, -2000000000}, 0, 32, false) == Ints{-2000000000, -1, 0, 3});
  CHECK(sorted(std::vector<float>{1, -INFINITY, 0.5f, -2}, 0, 32, true) ==
        std::vector<float>{1, 0.5f, -2, -INFINITY});
  CHECK(sorted(std::vector<unsigned long long>{1ull << 40, 5, 3}, 0, 64, false) ==
        std::vector<unsigned long long>{3, 5, 1ull << 40});
  // Sorts by the bits 4 to 7 alone; equal ones stay in their order.
  CHECK(sorted(std::vector<unsigned>{0x123, 0x911, 0x12f, 0x010}, 4, 8, false) ==
        std::vector<unsigned>{0x911, 0x010, 0x123, 0x12f});
  auto keys = onDevice(std::vector<double>{2, -0.0, 0.0, 1});
  auto values = onDevice(Ints{0, 1, 2, 3});
  DeviceArray<double> sortedKeys(4, "sorted keys");
  DeviceArray<int> order(4, "order");
  twice([&](auto&&... room) {
    return cub::DeviceRadixSort::SortPairs(room..., keys.data(), sortedKeys.data(), values.data(),
                                           order.data(), 4);
  });
  CHECK(order.download() == Ints{1, 2, 3, 0});
  twice([&](auto&&... room) {
    const auto half = [](double x, double y) { return x < y - 0.5; };
    return cub::DeviceMergeSort::StableSortPairs(room..., keys.data(), values.data(), 4, half);
  });
  CHECK(values.download() == Ints{1, 2, 3, 0});
  CHECK(keys.download() == std::vector<double>{-0.0, 0.0, 1, 2});
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
