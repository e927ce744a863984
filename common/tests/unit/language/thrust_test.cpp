// Thrust on the executor: vectors, elements, iterators and policies; sorts, reductions, scans and selections.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

#include <vector>

using namespace thrust::placeholders;
using Ints = std::vector<int>;

/// The elements of a vector of the device.
template <class T>
std::vector<T> valuesOf(const thrust::device_vector<T>& v) {
  std::vector<T> result(v.size());
  thrust::copy(v.begin(), v.end(), result.begin());
  return result;
}

TEST_CASE("arrays of the host are ranges") {
  int some[] = {3, 1, 2}, sums[3];
  const int others[] = {4, 5, 6};
  thrust::device_vector<int> v(3);
  thrust::copy(some, some + 3, v.begin());
  REQUIRE(valuesOf(v) == Ints{3, 1, 2});
  thrust::copy_n(others, 3, v.begin());
  REQUIRE(valuesOf(v) == Ints{4, 5, 6});
  thrust::sort(some, some + 3);
  thrust::inclusive_scan(some, some + 3, sums);
  REQUIRE(Ints(sums, sums + 3) == Ints{1, 3, 6});
}

TEST_CASE("vectors of the device are made, copied and changed by host code") {
  thrust::device_vector<int> v(3, 7);
  v[1] = 5;
  v.push_back(9);
  v[0] += 1;
  CHECK(valuesOf(v) == Ints{8, 5, 7, 9});
  CHECK(v.front() == 8);
  const thrust::host_vector<int> h = v;
  CHECK(h == Ints{8, 5, 7, 9});
  thrust::device_vector<float> w(h.begin(), h.end());
  CHECK(w[3] == 9.0f);
  w = v;
  w.resize(5, 1);
  w.erase(w.begin() + 1, w.begin() + 3);
  w.insert(w.begin(), 4);
  CHECK(valuesOf(w) == std::vector<float>{4, 8, 9, 1});
  thrust::device_vector<int> moved = std::move(v);
  CHECK(moved.size() == 4);
  CHECK(moved == h);
  thrust::device_reference<int> first = moved[0], last = moved[3];
  swap(first, last);
  CHECK(moved[0] == 9);
  CHECK(thrust::raw_pointer_cast(moved.data()) == thrust::raw_pointer_cast(&moved[0]));
}

TEST_CASE("elements are computed, in memory of the device and of the host") {
  thrust::device_vector<float> x(1000), y(1000, 1);
  thrust::sequence(x.begin(), x.end());
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), 2.0f * _1 + _2);
  CHECK(y[999] == 1999);
  int* raw = thrust::raw_pointer_cast(thrust::device_malloc<int>(100));
  thrust::for_each_n(
      thrust::device, thrust::make_counting_iterator(0), 100, [raw](int i) { raw[i] = i * i; });
  CHECK(thrust::reduce(thrust::device, raw, raw + 100) == 328350);
  thrust::device_free(thrust::device_pointer_cast(raw));
  thrust::tabulate(x.begin(), x.end(), [](int i) { return i % 10; });
  thrust::transform_if(x.begin(), x.end(), x.begin(), thrust::negate<float>(), _1 > 5.0f);
  CHECK(x[9] == -9);
  CHECK(x[5] == 5);
  Ints host(5);
  thrust::fill(thrust::host, host.begin(), host.end(), 3);
  thrust::for_each(host.begin(), host.end(), [](int& i) { i *= 2; });
  CHECK(host == Ints(5, 6));
  int next = 0;
  thrust::generate(host.begin(), host.end(), [&] { return next++; });
  thrust::replace_if(host.begin(), host.end(), _1 % 2 == 0, -1);
  CHECK(host == Ints{-1, 1, -1, 3, -1});
}

TEST_CASE("iterators over other iterators read and write device memory") {
  thrust::device_vector<int> v = Ints{10, 20, 30}, map = Ints{2, 0, 1}, out(3);
  thrust::gather(map.begin(), map.end(), v.begin(), out.begin());
  CHECK(valuesOf(out) == Ints{30, 10, 20});
  const auto permuted = thrust::make_permutation_iterator(v.begin(), map.begin());
  CHECK(thrust::equal(permuted, permuted + 3, out.begin()));
  thrust::scatter(v.begin(), v.end(), map.begin(), out.begin());
  CHECK(valuesOf(out) == Ints{20, 30, 10});
  const auto doubled = thrust::make_transform_iterator(v.begin(), _1 * 2);
  CHECK(thrust::reduce(doubled, doubled + 3) == 120);
  CHECK(doubled[1] == 40);
  const auto zip = thrust::make_zip_iterator(v.begin(), out.begin());
  thrust::for_each(zip, zip + 3, [](auto t) { thrust::get<1>(t) += thrust::get<0>(t); });
  CHECK(valuesOf(out) == Ints{30, 50, 40});
  const auto end = thrust::copy_if(thrust::make_counting_iterator(0),
                                   thrust::make_counting_iterator(3),
                                   out.begin(),
                                   v.begin(),
                                   _1 > 35);
  CHECK(end - v.begin() == 2);
  CHECK(v[1] == 2);
}

TEST_CASE("policies with streams, and errors as exceptions") {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  thrust::device_vector<int> v(100, 2);
  int* raw = thrust::raw_pointer_cast(v.data());
  thrust::transform(thrust::cuda::par.on(stream), raw, raw + 100, raw, thrust::negate<int>());
  CHECK(thrust::reduce(thrust::cuda::par_nosync.on(stream), v.begin(), v.end()) == -200);
  cudaStreamDestroy(stream);
  CHECK_THROWS_AS(thrust::device_malloc<char>(std::size_t{1} << 60), thrust::system_error);
  cudaGetLastError();
}

TEST_CASE("sorts are stable, with keys, comparisons and tuples") {
  thrust::device_vector<int> keys = Ints{3, 1, 2, 1, 3}, values(5);
  thrust::sequence(values.begin(), values.end());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  CHECK(valuesOf(keys) == Ints{1, 1, 2, 3, 3});
  CHECK(valuesOf(values) == Ints{1, 3, 2, 0, 4});
  thrust::sort(keys.begin(), keys.end(), thrust::greater<int>());
  CHECK(valuesOf(keys) == Ints{3, 3, 2, 1, 1});
  CHECK_FALSE(thrust::is_sorted(keys.begin(), keys.end()));
  auto both = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), values.begin()));
  thrust::sort(both, both + 5);
  CHECK(valuesOf(keys) == Ints{1, 1, 2, 3, 3});
  CHECK(valuesOf(values) == Ints{0, 4, 2, 1, 3});
  thrust::sort(keys.rbegin(), keys.rend());
  CHECK(keys[0] == 3);
}

TEST_CASE("reductions of ranges, functions and runs of keys") {
  thrust::device_vector<float> ones(20'000'000 / 64, 1.0f);
  CHECK(thrust::reduce(ones.begin(), ones.end(), 0.0f) == 20'000'000 / 64);
  const thrust::device_vector<int> v = Ints{4, -2, 7, 7, 1};
  CHECK(thrust::reduce(v.begin(), v.end(), -100, thrust::maximum<int>()) == 7);
  CHECK(thrust::transform_reduce(
            v.begin(), v.end(), thrust::square<int>(), 0, thrust::plus<int>()) == 119);
  CHECK(thrust::inner_product(v.begin(), v.end(), v.begin(), 1) == 120);
  CHECK(thrust::count(v.begin(), v.end(), 7) == 2);
  CHECK(thrust::count_if(v.begin(), v.end(), _1 < 2) == 2);
  CHECK(thrust::max_element(v.begin(), v.end()) - v.begin() == 2);
  CHECK(*thrust::minmax_element(v.begin(), v.end()).first == -2);
  CHECK(thrust::find(v.begin(), v.end(), 1) - v.begin() == 4);
  CHECK(thrust::all_of(v.begin(), v.end(), _1 > -3));
  const thrust::device_vector<int> keys = Ints{1, 1, 2, 2, 1};
  thrust::device_vector<int> unique(5), sums(5);
  const auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), v.begin(), unique.begin(), sums.begin());
  CHECK(ends.first - unique.begin() == 3);
  sums.resize(static_cast<std::size_t>(ends.second - sums.begin()));
  CHECK(valuesOf(sums) == Ints{2, 14, 1});
  thrust::reduce_by_key(keys.begin(),
                        keys.end(),
                        thrust::make_constant_iterator(1),
                        thrust::make_discard_iterator(),
                        sums.begin());
  CHECK(valuesOf(sums) == Ints{2, 2, 1});
}

TEST_CASE("scans, also in place and by key") {
  thrust::device_vector<int> v = Ints{1, 2, 3, 4}, out(4);
  thrust::exclusive_scan(v.begin(), v.end(), out.begin(), 10);
  CHECK(valuesOf(out) == Ints{10, 11, 13, 16});
  thrust::inclusive_scan(v.begin(), v.end(), v.begin());
  CHECK(valuesOf(v) == Ints{1, 3, 6, 10});
  thrust::exclusive_scan(v.begin(), v.end(), v.begin());
  CHECK(valuesOf(v) == Ints{0, 1, 4, 10});
  thrust::transform_inclusive_scan(v.begin(), v.end(), out.begin(), _1 * 2, thrust::maximum<int>());
  CHECK(valuesOf(out) == Ints{0, 2, 8, 20});
  const thrust::device_vector<int> keys = Ints{5, 5, 6, 6};
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), v.begin(), out.begin());
  CHECK(valuesOf(out) == Ints{0, 1, 4, 14});
}

TEST_CASE("selections, runs, sets and orders") {
  const thrust::device_vector<int> v = Ints{1, 1, 2, 3, 3, 3, 1};
  thrust::device_vector<int> out(7);
  const auto even = thrust::copy_if(v.begin(), v.end(), out.begin(), _1 != 1);
  CHECK(even - out.begin() == 4);
  const auto end = thrust::unique_copy(v.begin(), v.end(), out.begin());
  out.resize(static_cast<std::size_t>(end - out.begin()));
  CHECK(valuesOf(out) == Ints{1, 2, 3, 1});
  out.erase(thrust::remove(out.begin(), out.end(), 1), out.end());
  CHECK(valuesOf(out) == Ints{2, 3});
  thrust::device_vector<int> parts = v;
  CHECK(thrust::partition(parts.begin(), parts.end(), _1 > 1) - parts.begin() == 4);
  CHECK(parts[0] == 2);
  const thrust::device_vector<int> a = Ints{1, 4, 6}, b = Ints{2, 4};
  thrust::device_vector<int> merged(5);
  thrust::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin());
  CHECK(valuesOf(merged) == Ints{1, 2, 4, 4, 6});
  CHECK(thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out.begin()) -
            out.begin() ==
        1);
  thrust::reverse(merged.begin(), merged.end());
  CHECK(merged[0] == 6);
  CHECK(thrust::lower_bound(a.begin(), a.end(), 5) - a.begin() == 2);
  thrust::device_vector<int> places(2);
  thrust::upper_bound(a.begin(), a.end(), b.begin(), b.end(), places.begin());
  CHECK(valuesOf(places) == Ints{1, 2});
  thrust::adjacent_difference(merged.begin(), merged.end(), merged.begin());
  CHECK(valuesOf(merged) == Ints{6, -2, 0, -2, -1});
}
