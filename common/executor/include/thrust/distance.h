/// \file
/// Distances of iterators.
#pragma once

#include <iterator>

namespace thrust {
using std::advance;
using std::distance;
using std::next;
using std::prev;
}  // namespace thrust
