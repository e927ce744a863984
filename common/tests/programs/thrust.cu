// Uses most of Thrust. nvcc compiles it too, and a GPU must print the same.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>

#include <cstdio>
#include <iterator>
#include <list>
#include <vector>

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

static void onVectors() {
  thrust::device_vector<int> keys(8), values(8), out(8);
  thrust::sequence(values.begin(), values.end());
  thrust::transform(values.begin(), values.end(), keys.begin(), [] __host__ __device__(int x) {
    return x * 5 % 8;
  });
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
  std::vector<int> appended;
  thrust::copy_n(first, 3, std::back_inserter(appended));  // which can only be written
  printf("%d %d\n", listed.back(), appended.back());
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

static void failing() {
  try {
    thrust::device_vector<char> large(std::size_t{1} << 60);
  } catch (const std::bad_alloc&) {
    printf("no memory\n");
  }
  try {
    int* nothing = nullptr;
    thrust::sort(
        thrust::cuda::par.on(reinterpret_cast<cudaStream_t>(&nothing)), nothing, nothing + 1);
  } catch (const thrust::system_error& error) {
    printf("%s\n", error.code().value() != 0 ? "an error" : "none");
  }
  cudaGetLastError();
}

int main() {
  elements();
  onVectors();
  onObjects();
  onPointers();
  onTheHost();
  failing();
}
// prints: 0 10 0 14 1 5
// prints: 5 25 5 140 14 56 5
// prints: 1 27.5
// prints: 1 500500 250 3 3
// prints: 5 14 42
// prints: no memory
// prints: an error
