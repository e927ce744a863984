// CUB on the executor: device-wide functions, blocks and warps.
#include <cub/cub.cuh>

#include <numeric>
#include <random>

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
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

}  // namespace

TEST_CASE("reductions of the device") {
  DeviceArray<int> in = onDevice(Ints{4, -7, 9, 9, 0});
  DeviceArray<int> out(1, "out");
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceReduce::Sum(s, b, in.data(), out.data(), 5);
  });
  CHECK(out.download()[0] == 15);
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceReduce::Min(s, b, in.data(), out.data(), 5);
  });
  CHECK(out.download()[0] == -7);
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceReduce::Reduce(
        s, b, in.data(), out.data(), 5, [](int x, int y) { return x > y ? x : y; }, -100);
  });
  CHECK(out.download()[0] == 9);
  DeviceArray<float> ones = onDevice(std::vector<float>(1 << 20, 0.1f)), sum(1, "sum");
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceReduce::Sum(s, b, ones.data(), sum.data(), 1 << 20);
  });
  CHECK(std::fabs(sum.download()[0] - 104857.6f) <
        0.1f);  // from left to right it would be off by hundreds
}

TEST_CASE("scans of the device") {
  DeviceArray<int> in = onDevice(Ints{1, 1, 2, 5, 5, 5});
  DeviceArray<int> out(6, "out");
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceScan::ExclusiveSum(s, b, in.data(), out.data(), 6);
  });
  CHECK(out.download() == Ints{0, 1, 2, 4, 9, 14});
  twice([&](void* s, std::size_t& b) {
    return cub::DeviceScan::InclusiveScan(s, b, in.data(), out.data(), cub::Max(), 6);
  });
  CHECK(out.download() == Ints{1, 1, 2, 5, 5, 5});
}

TEST_CASE("radix sorts: every type of key, some bits, both directions") {
  const auto sorted = [](auto values, int begin, int end, bool descends) {
    using T = typename decltype(values)::value_type;
    DeviceArray<T> in = onDevice(values), out(values.size(), "out");
    const int n = static_cast<int>(values.size());
    twice([&](void* s, std::size_t& b) {
      return descends ? cub::DeviceRadixSort::SortKeysDescending(
                            s, b, in.data(), out.data(), n, begin, end)
                      : cub::DeviceRadixSort::SortKeys(s, b, in.data(), out.data(), n, begin, end);
    });
    return out.download();
  };
  CHECK(sorted(Ints{3, -1, 0, -2000000000}, 0, 32, false) == Ints{-2000000000, -1, 0, 3});
  CHECK(sorted(std::vector<float>{1, -INFINITY, 0.5f, -2}, 0, 32, true) ==
        std::vector<float>{1, 0.5f, -2, -INFINITY});
  CHECK(sorted(std::vector<unsigned long long>{1ull << 40, 5, 3}, 0, 64, false) ==
        std::vector<unsigned long long>{3, 5, 1ull << 40});
  // By the bits 4 to 7 alone; equal ones stay in their order.
  CHECK(sorted(std::vector<unsigned>{0x123, 0x911, 0x12f, 0x010}, 4, 8, false) ==
        std::vector<unsigned>{0x911, 0x010, 0x123, 0x12f});
  DeviceArray<double> keys = onDevice(std::vector<double>{2, -0.0, 0.0, 1});
  DeviceArray<double> alternate(4, "alternate");
  DeviceArray<int> values = onDevice(Ints{0, 1, 2, 3}), other(4, "other");
  cub::DoubleBuffer<double> k(keys.data(), alternate.data());
  cub::DoubleBuffer<int> v(values.data(), other.data());
  twice([&](void* s, std::size_t& b) { return cub::DeviceRadixSort::SortPairs(s, b, k, v, 4); });
  Ints order(4);
  cudaMemcpy(order.data(), v.Current(), 16, cudaMemcpyDeviceToHost);
  CHECK(order == Ints{1, 2, 3, 0});
}

TEST_CASE("blocks and warps reduce, scan, load, sort and store") {
  constexpr int kBlock = 128, kItems = 3;
  cub::BlockReduce<int, kBlock>::TempStorage reduceStorage;
  cub::BlockScan<int, kBlock>::TempStorage scanStorage;
  cub::BlockRadixSort<int, kBlock, kItems>::TempStorage sortStorage;
  cub::WarpReduce<float, 16>::TempStorage warpStorage[kBlock / 16];
  cub::WarpScan<int>::TempStorage warpScanStorage[kBlock / 32];
  std::vector<int> in(kBlock * kItems), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7919 % 384);
  int wrong = 0;
  inKernel(1, kBlock, [&] {
    const int i = static_cast<int>(threadIdx.x);
    const int sum = cub::BlockReduce<int, kBlock>(reduceStorage).Sum(i);
    wrong += (sum == kBlock * (kBlock - 1) / 2) != (i == 0);  // the first thread's alone
    int before, total;
    cub::BlockScan<int, kBlock>(scanStorage).ExclusiveSum(i, before, total);
    wrong += before != i * (i - 1) / 2 || total != 8128;
    int items[kItems], scanned[kItems];
    cub::BlockLoad<int, kBlock, kItems, cub::BLOCK_LOAD_STRIPED>().Load(in.data(), items);
    wrong += items[1] != in[kBlock + i];
    cub::BlockLoad<int, kBlock, kItems>().Load(in.data(), items);
    cub::BlockScan<int, kBlock>(scanStorage).InclusiveScan(items, scanned, cub::Max());
    wrong += i == kBlock - 1 && scanned[2] != 383;
    cub::BlockScan<int, kBlock>(scanStorage).InclusiveScan(items, scanned, cub::Max(), total);
    wrong += total != 383;
    cub::BlockScan<int, kBlock>(scanStorage).InclusiveSum(items, scanned, total);
    wrong += total != 384 * 383 / 2;
    cub::BlockRadixSort<int, kBlock, kItems>(sortStorage).SortDescending(items);
    cub::BlockStore<int, kBlock, kItems>().Store(out.data(), items);
    const float part = cub::WarpReduce<float, 16>(warpStorage[i / 16]).Sum(1.0f, 10);
    wrong += i % 16 == 0 && part != 10;
    cub::WarpScan<int>(warpScanStorage[i / 32]).InclusiveSum(1, before);
    wrong += before != i % 32 + 1;
  });
  CHECK(wrong == 0);
  for (std::size_t i = 0; i < out.size(); ++i) wrong += out[i] != 383 - static_cast<int>(i);
  CHECK(wrong == 0);
}
