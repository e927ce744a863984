/// \file
/// Some elements of an array, without bringing all of them to the host.
#pragma once

#include <vector>

#include "cuda/device_array.hpp"
#include "cuda/real.hpp"

namespace nbody {

/// Brings the elements of float4 or Double4 arrays that a list names.
template <class Real4>
class Gather {
 public:
  std::vector<Real4> operator()(const DeviceArray<Real4>& from, const std::vector<int>& chosen);

 private:
  std::vector<int> listed_;  ///< what list_ has
  DeviceArray<int> list_;
  DeviceArray<Real4> found_;
};

}  // namespace nbody
