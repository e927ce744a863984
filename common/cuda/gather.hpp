/// \file
/// Copies some elements of a device array to the host.
#pragma once

#include <vector>

#include "cuda/device_array.hpp"
#include "cuda/real.hpp"

namespace nbody {

/// Copies the elements of float4 or Double4 arrays that a list names.
template <class Real4>
class Gather {
 public:
  /// Returns the elements of \p from at the indices \p chosen, in this order.
  std::vector<Real4> operator()(const DeviceArray<Real4>& from, const std::vector<int>& chosen);

 private:
  std::vector<int> listed_;  ///< contents of list_
  DeviceArray<int> list_;
  DeviceArray<Real4> found_;
};

}  // namespace nbody
