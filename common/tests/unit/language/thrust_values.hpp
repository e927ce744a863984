/// \file
/// What tests of Thrust compare.
#pragma once

#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <vector>

using Ints = std::vector<int>;

/// The elements of a vector of the device.
template <class T>
std::vector<T> valuesOf(const thrust::device_vector<T>& v) {
  std::vector<T> result(v.size());
  thrust::copy(v.begin(), v.end(), result.begin());
  return result;
}
