/// \file
/// Arrays of vectors from one precision to another.
#pragma once

#include <vector>

namespace nbody {

template <class To, class From>
std::vector<To> converted(const std::vector<From>& from) {
  using Component = decltype(To::x);
  std::vector<To> to;
  to.reserve(from.size());
  for (const From& v : from)
    to.push_back({static_cast<Component>(v.x),
                  static_cast<Component>(v.y),
                  static_cast<Component>(v.z),
                  static_cast<Component>(v.w)});
  return to;
}

}  // namespace nbody
