// Thrust on the executor: vectors, elements, iterators, policies, random numbers.
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>

#include "thrust_values.hpp"

using namespace thrust::placeholders;

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

TEST_CASE("random numbers stay in their ranges, and skip as if drawn") {
  thrust::default_random_engine a(7), b(7);
  for (int i = 0; i < 1000; ++i) a();
  b.discard(1000);
  CHECK(a == b);
  thrust::uniform_int_distribution<int> dice(1, 6);
  thrust::uniform_real_distribution<float> real(-1, 1);
  thrust::normal_distribution<double> normal(3, 2);
  int seen = 0;
  double sum = 0, mean = 0;
  for (int i = 0; i < 20000; ++i) {
    const int d = dice(a);
    CHECK((d >= 1 && d <= 6));
    seen |= 1 << d;
    const float r = real(a);
    CHECK((r >= -1 && r < 1));
    sum += r;
    mean += normal(a) / 20000;
  }
  CHECK(seen == 0x7e);
  CHECK(std::fabs(sum / 20000) < 0.02);  // five standard deviations
  CHECK(std::fabs(mean - 3) < 0.07);
}
