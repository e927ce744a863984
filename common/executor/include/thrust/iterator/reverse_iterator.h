/// \file
/// A range from its end: the standard library's.
#pragma once

#include <iterator>

#include "thrust/detail/system.h"

namespace thrust {

using std::make_reverse_iterator;
using std::reverse_iterator;

namespace detail {

template <class Iterator>
struct Access<std::reverse_iterator<Iterator>> {
  using Inner = Access<Iterator>;
  static constexpr Place place = Inner::place;
  using Whole = std::reverse_iterator<Iterator>;
  using Raw = std::reverse_iterator<typename Inner::Raw>;
  static Raw raw(const Whole& i) { return Raw(Inner::raw(i.base())); }
  static Whole back(const Raw& i) { return Whole(Inner::back(i.base())); }
};

template <class Iterator>
void noteWritten(const std::reverse_iterator<Iterator>& first, std::ptrdiff_t count) {
  noteWritten(first.base() - count, count);
}

}  // namespace detail
}  // namespace thrust
