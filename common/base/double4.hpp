/// \file
/// Four numbers in double precision.
#pragma once

namespace nbody {

/// Four doubles, for host and device: x, y, z, and a mass or 0. It has the alignment of CUDA's double4_16a, so kernels
/// read and write 16 bytes at once.
struct alignas(16) Double4 {
  double x, y, z, w;
};

}  // namespace nbody
