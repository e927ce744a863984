/// \file
/// The elements of one range in the order that another names.
#pragma once

#include "thrust/detail/computed_iterator.h"
#include "thrust/detail/system.h"

namespace thrust {

template <class Elements, class Indices>
class permutation_iterator
    : public detail::ComputedIterator<permutation_iterator<Elements, Indices>,
                                      typename std::iterator_traits<Elements>::value_type,
                                      typename std::iterator_traits<Elements>::reference> {
 public:
  permutation_iterator(Elements elements, Indices indices)
      : elements_(elements), indices_(indices) {}

  const Elements& elements() const { return elements_; }
  const Indices& indices() const { return indices_; }
  typename std::iterator_traits<Elements>::reference at(std::ptrdiff_t n) const {
    return elements_[static_cast<std::ptrdiff_t>(indices_[n])];
  }
  void advance(std::ptrdiff_t n) { indices_ += n; }
  std::ptrdiff_t distanceTo(const permutation_iterator& other) const {
    return other.indices_ - indices_;
  }

 private:
  Elements elements_;
  Indices indices_;
};

template <class Elements, class Indices>
permutation_iterator<Elements, Indices> make_permutation_iterator(Elements elements,
                                                                  Indices indices) {
  return {elements, indices};
}

namespace detail {

template <class Elements, class Indices>
struct Access<permutation_iterator<Elements, Indices>> {
  using E = Access<Elements>;
  using I = Access<Indices>;
  static constexpr Place place = together(E::place, I::place);
  using Whole = permutation_iterator<Elements, Indices>;
  using Raw = permutation_iterator<typename E::Raw, typename I::Raw>;
  static Raw raw(const Whole& i) { return {E::raw(i.elements()), I::raw(i.indices())}; }
  static Whole back(const Raw& i) { return {E::back(i.elements()), I::back(i.indices())}; }
};

template <class Elements, class Indices>
void noteWritten(const permutation_iterator<Elements, Indices>& first, std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 0; i < count; ++i)
    noteWritten(first.elements() + static_cast<std::ptrdiff_t>(first.indices()[i]), 1);
}

}  // namespace detail
}  // namespace thrust
