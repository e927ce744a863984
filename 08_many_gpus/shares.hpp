/// \file
/// Shares of the bodies: which rank has which bodies.
#pragma once

#include <algorithm>

namespace nbody {

/// N bodies in shares, in their order. All shares have the same size, or one unit more.
struct Shares {
  int bodies;
  int ranks;
  int unit = 1;  ///< bodies that stay together

  int begin(int rank) const {
    const long long units = (static_cast<long long>(bodies) + unit - 1) / unit;
    return static_cast<int>(std::min<long long>(bodies, units * rank / ranks * unit));
  }
  int count(int rank) const { return begin(rank + 1) - begin(rank); }
  int most() const {
    int most = 0;
    for (int rank = 0; rank < ranks; ++rank) most = std::max(most, count(rank));
    return most;
  }
};

}  // namespace nbody
