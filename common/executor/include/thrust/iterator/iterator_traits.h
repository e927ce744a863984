/// \file
/// Traits of iterators: the standard library's.
#pragma once

#include <iterator>

namespace thrust {
using std::iterator_traits;
template <class Iterator>
using iterator_value = std::iterator_traits<Iterator>;
}  // namespace thrust
