// Mistakes on memory of Thrust's vectors, and in what its algorithms are given.
// only: check
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>

#include <cstdio>

static void raced(thrust::device_vector<int>& v) {
  int* sum = thrust::raw_pointer_cast(v.data());
  thrust::for_each(v.begin() + 1, v.end(), [sum] __device__(int x) {
    *sum += x;  // @sum
  });
}

static void unwritten() {
  int* values;
  cudaMalloc(&values, 40);
  printf("%d\n", thrust::reduce(thrust::device, values, values + 10));  // @reduce
  cudaFree(values);
}

static void sorted(const thrust::device_vector<int>& v) {
  thrust::device_vector<int> keys = v;
  float* weights;
  cudaMalloc(&weights, 400);
  cudaMemset(weights, 0, 396);
  thrust::sort_by_key(thrust::device, keys.begin(), keys.end(), weights);  // @sort
  cudaFree(weights);
}

static void tooShort(const thrust::device_vector<int>& v) {
  thrust::device_vector<int> out(50);  // @out
  try {
    thrust::transform(v.begin(), v.end(), out.begin(), thrust::negate<int>());  // @transform
  } catch (const thrust::system_error& error) {
    printf("%s\n", cudaGetErrorName(static_cast<cudaError_t>(error.code().value())));
  }
}

int main() {
  thrust::device_vector<int> v(100);
  raced(v);
  unwritten();
  sorted(v);
  tooShort(v);
}
// reports: race on global memory: .*(\n.*)*thrust_mistakes.cu:@sum(\n.*)*launched at programs/thrust_mistakes.cu
// reports: uninitialised global memory: values\[0\](\n.*)*launched at programs/thrust_mistakes.cu:@reduce
// reports: uninitialised global memory: weights\[99\](\n.*)*launched at programs/thrust_mistakes.cu:@sort
// reports: out of bounds of global memory: .*allocated at programs/thrust_mistakes.cu:@out\)(\n.*)*launched at programs/thrust_mistakes.cu:@transform
// prints: -10
// prints: cudaErrorIllegalAddress
// status: 1
