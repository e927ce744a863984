// Thrust on the executor: its algorithms and iterators. Vectors, policies, streams and errors are in programs/thrust.cu.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
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
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

#include "catch.hpp"

using namespace thrust::placeholders;
using Ints = std::vector<int>;

namespace {

Ints valuesOf(const thrust::device_vector<int>& v) {
  Ints result(v.size());
  thrust::copy(v.begin(), v.end(), result.begin());
  return result;
}

}  // namespace

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
