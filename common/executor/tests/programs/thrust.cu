// Uses most of Thrust. nvcc compiles it too, and a GPU must print the same.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
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
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <list>
#include <vector>

using namespace thrust::placeholders;

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct Sum {
  template <class Tuple>
  __host__ __device__ int operator()(const Tuple& t) const {
    return thrust::get<0>(t) + thrust::get<1>(t);
  }
};
/// In a function for the device alone.
struct Count {
  int* counts;
  __device__ void operator()(int x) const { atomicAdd(counts + x % 4, 1); }
};

/// With padding, which nothing writes.
struct Weighed {
  int key;
  double weight;
};
struct ByKey {
  __host__ __device__ bool operator()(const Weighed& a, const Weighed& b) const {
    return a.key < b.key;
  }
};
__global__ void weighed(Weighed* values) {
  const int i = threadIdx.x;
  values[i] = Weighed{i * 7 % 64, 0.5 * i};
}

__global__ void doubled(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

static void elements() {
  thrust::device_vector<int> v(4);
  v[1] = 5;
  v[3] = v[1];
  v[3] += 2;
  doubled<<<1, 32>>>(thrust::raw_pointer_cast(v.data()), 4);
  v.push_back(1);
  const thrust::host_vector<int> h = v;
  for (int x : h) printf("%d ", x);
  printf("%d\n", static_cast<int>(v.size()));
}

/// To iterators that only write, one after the other.
static void copiedOut() {
  thrust::device_vector<int> values(3, 4);
  thrust::copy(values.begin(), values.end(), std::ostream_iterator<int>(std::cout, ","));
  std::cout << std::endl;
  std::vector<int> appended;
  thrust::copy_n(values.begin(), 2, std::back_inserter(appended));
  printf("%d %d\n", static_cast<int>(appended.size()), appended[1]);
}

static void onVectors() {
  thrust::device_vector<int> keys(8), values(8), out(8);
  thrust::sequence(values.begin(), values.end());
  thrust::transform(values.begin(), values.end(), keys.begin(),
                    [] __host__ __device__(int x) { return x * 5 % 8; });
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  thrust::exclusive_scan(values.begin(), values.end(), out.begin());
  printf("%d %d ", int(values[1]), int(out[7]));
  thrust::inclusive_scan(values.begin(), values.end(), out.begin(), thrust::maximum<int>());
  printf("%d ", int(out[2]));
  printf("%d ",
         thrust::transform_reduce(values.begin(), values.end(), Square(), 0, thrust::plus<int>()));
  const auto squares = thrust::make_transform_iterator(thrust::make_counting_iterator(1), Square());
  printf("%d ", thrust::reduce(squares, squares + 3));
  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), values.begin()));
  thrust::transform(pairs, pairs + 8, out.begin(), Sum());
  printf("%d ", thrust::reduce(out.begin(), out.end()));
  thrust::fill(out.begin(), out.begin() + 4, 3);
  printf("%d\n", static_cast<int>(thrust::unique(out.begin(), out.end()) - out.begin()));
}

static void onObjects() {
  thrust::device_vector<Weighed> values(64);
  weighed<<<1, 64>>>(thrust::raw_pointer_cast(values.data()));
  thrust::stable_sort(values.begin(), values.end(), ByKey());
  const Weighed second = values[1];
  printf("%d %g\n", second.key, second.weight);
}

/// Sorts more elements than are sorted where they are: by digits, and pairs by their order.
static void sorts() {
  constexpr int kCount = 101;
  thrust::device_vector<float> keys(kCount);
  thrust::device_vector<int> values(kCount);
  thrust::sequence(values.begin(), values.end());
  thrust::transform(values.begin(), values.end(), keys.begin(),
                    [] __host__ __device__(int x) { return x * 7 % 101 / 10 * 0.5f - 2; });
  thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin(), thrust::greater<float>());
  printf("%g %d %g %d ", float(keys[1]), int(values[1]), float(keys[99]), int(values[99]));
  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), values.begin()));
  thrust::sort(pairs, pairs + kCount);
  printf("%g %d %g %d ", float(keys[0]), int(values[0]), float(keys[99]), int(values[99]));
  thrust::host_vector<int> onHost = values;
  thrust::sort(onHost.begin(), onHost.end());
  printf("%d\n", onHost[50]);
}

static void onPointers() {
  constexpr int kCount = 1000;
  int* raw;
  cudaMalloc(&raw, kCount * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  thrust::sequence(thrust::device, raw, raw + kCount, kCount, -1);
  thrust::sort(thrust::cuda::par.on(stream), raw, raw + kCount);
  thrust::device_ptr<int> first(raw);
  printf("%d %d ", int(first[0]), thrust::reduce(thrust::device, raw, raw + kCount));
  thrust::device_vector<int> counts(4);
  const Count count{thrust::raw_pointer_cast(counts.data())};
  thrust::for_each(thrust::cuda::par_nosync.on(stream), raw, raw + kCount, count);
  cudaStreamSynchronize(stream);
  printf("%d ", int(counts[3]));
  std::list<int> listed(3);
  thrust::copy(first, first + 3, listed.begin());
  printf("%d\n", listed.back());
  cudaStreamDestroy(stream);
  cudaFree(raw);
}

static void onTheHost() {
  thrust::host_vector<int> h(3);
  thrust::sequence(h.begin(), h.end());
  thrust::transform(h.begin(), h.end(), h.begin(), Square());
  printf("%d ", thrust::reduce(h.begin(), h.end()));
  thrust::universal_vector<int> both(3, 7);
  doubled<<<1, 3>>>(thrust::raw_pointer_cast(both.data()), 3);
  cudaDeviceSynchronize();
  printf("%d %d\n", both[2], thrust::reduce(both.begin(), both.end()));
}

static void show(const thrust::device_vector<int>& v) {
  for (std::size_t i = 0; i < v.size(); ++i)
    printf("%d%c", int(v[i]), i + 1 < v.size() ? ' ' : '\n');
}

static void reductions() {
  const int numbers[] = {4, -2, 7, 7, 1}, names[] = {1, 1, 2, 2, 1};
  const thrust::device_vector<int> v(numbers, numbers + 5), keys(names, names + 5);
  printf("%d %d %d ", thrust::reduce(v.begin(), v.end(), -100, thrust::maximum<int>()),
         int(thrust::count(v.begin(), v.end(), 7)),
         int(thrust::count_if(v.begin(), v.end(), _1 < 2)));
  printf("%d %d %d\n", int(thrust::max_element(v.begin(), v.end()) - v.begin()),
         int(*thrust::minmax_element(v.begin(), v.end()).first),
         thrust::all_of(v.begin(), v.end(), _1 > -3));
  thrust::device_vector<int> unique(3), sums(3);
  thrust::reduce_by_key(keys.begin(), keys.end(), v.begin(), unique.begin(), sums.begin());
  show(sums);
  thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1),
                        thrust::make_discard_iterator(), sums.begin());
  show(sums);
  thrust::device_vector<int> out(5);
  thrust::transform_inclusive_scan(v.begin(), v.end(), out.begin(), _1 * 2, thrust::maximum<int>());
  show(out);
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), v.begin(), out.begin());
  show(out);
}

static void orders() {
  const int numbers[] = {1, 1, 2, 3, 3, 3, 1}, some[] = {1, 4, 6}, others[] = {2, 4};
  const thrust::device_vector<int> v(numbers, numbers + 7), a(some, some + 3),
      b(others, others + 2);
  thrust::device_vector<int> out(7), merged(5), parts = v;
  const auto end = thrust::unique_copy(v.begin(), v.end(), out.begin());
  out.erase(thrust::remove(out.begin(), end, 1), out.end());
  show(out);
  thrust::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin());
  thrust::reverse(merged.begin(), merged.end());
  show(merged);
  thrust::adjacent_difference(merged.begin(), merged.end(), merged.begin());
  show(merged);
  thrust::sort(merged.rbegin(), merged.rend(), thrust::greater<int>());
  show(merged);
  printf("%d %d ", int(thrust::partition(parts.begin(), parts.end(), _1 > 1) - parts.begin()),
         int(thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out.begin()) -
             out.begin()));
  printf("%d %d\n", int(thrust::lower_bound(a.begin(), a.end(), 5) - a.begin()),
         thrust::is_sorted(v.begin(), v.end()));
}

static void places() {
  const int numbers[] = {10, 20, 30}, wanted[] = {2, 0, 1};
  const thrust::device_vector<int> v(numbers, numbers + 3), map(wanted, wanted + 3);
  thrust::device_vector<int> out(3);
  thrust::gather(map.begin(), map.end(), v.begin(), out.begin());
  const auto permuted = thrust::make_permutation_iterator(v.begin(), map.begin());
  printf("%d ", thrust::equal(permuted, permuted + 3, out.begin()));
  thrust::scatter(v.begin(), v.end(), map.begin(), out.begin());
  show(out);
}

static void failing() {
  try {
    thrust::device_vector<char> large(std::size_t{1} << 60);
  } catch (const std::bad_alloc&) {
    printf("no memory\n");
  }
  try {
    int* nothing = nullptr;
    thrust::sort(thrust::cuda::par.on(reinterpret_cast<cudaStream_t>(&nothing)), nothing,
                 nothing + 1);
  } catch (const thrust::system_error& error) {
    printf("%s\n", error.code().value() != 0 ? "an error" : "none");
  }
  cudaGetLastError();
}

int main() {
  elements();
  fflush(stdout);
  copiedOut();
  onVectors();
  onObjects();
  sorts();
  onPointers();
  onTheHost();
  reductions();
  orders();
  places();
  failing();
}
// prints: 0 10 0 14 1 5
// prints: 4,4,4,
// prints: 2 4
// prints: 5 25 5 140 14 56 5
// prints: 1 27.5
// prints: 2.5 13 -2 73 -2 0 2.5 100 50
// prints: 1 500500 250 3
// prints: 5 14 42
// prints: 7 2 2 2 -2 1
// prints: 2 14 1
// prints: 2 2 1
// prints: 8 8 14 14 14
// prints: 4 2 7 14 1
// prints: 2 3
// prints: 6 4 4 2 1
// prints: 6 -2 0 -2 -1
// prints: -2 -2 -1 0 6
// prints: 4 1 2 0
// prints: 1 20 30 10
// prints: no memory
// prints: an error
