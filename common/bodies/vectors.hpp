/// \file
/// Vectors of three components; w takes no part and is 0 in results.
#pragma once

#include <cmath>

#include "cuda/real.hpp"

namespace nbody {

inline Double4 minus(const Double4& a, const Double4& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, 0};
}

inline double length(const Double4& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

inline double distance(const Double4& a, const Double4& b) { return length(minus(a, b)); }

inline bool isFinite(const Double4& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace nbody
