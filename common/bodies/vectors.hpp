/// \file
/// Vectors of three components. Only plus(), times() and converted() use w.
#pragma once

#include <cmath>
#include <vector>

#include "base/double4.hpp"
#include "base/parallel.hpp"
#include "base/zeros.hpp"

namespace nbody {

inline Double4 plus(const Double4& a, const Double4& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

inline Double4 times(double factor, const Double4& v) {
  return {factor * v.x, factor * v.y, factor * v.z, factor * v.w};
}

/// Returns a - b; w is 0.
inline Double4 minus(const Double4& a, const Double4& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, 0};
}

inline double dot(const Double4& a, const Double4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Returns the cross product; w is 0.
inline Double4 cross(const Double4& a, const Double4& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, 0};
}

inline double length(const Double4& v) { return std::sqrt(dot(v, v)); }

inline double distance(const Double4& a, const Double4& b) { return length(minus(a, b)); }

inline bool isFinite(const Double4& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Converts a vector from one precision to another.
template <class To, class From>
To converted(const From& v) {
  using Component = decltype(To::x);
  return {static_cast<Component>(v.x), static_cast<Component>(v.y), static_cast<Component>(v.z),
          static_cast<Component>(v.w)};
}

/// Converts an array.
template <class To, class From>
std::vector<To> converted(const std::vector<From>& from) {
  std::vector<To> to = zeros<To>(from.size());
  parallelForEach(static_cast<int>(from.size()), 65536,
                  [&](int i) { to[i] = converted<To>(from[i]); });
  return to;
}

/// Returns x, y or z, for \p axis 0, 1 or 2.
inline double component(const Double4& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

}  // namespace nbody
