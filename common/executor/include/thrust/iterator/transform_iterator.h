/// \file
/// A function of what another iterator gives.
#pragma once

#include <type_traits>

#include "thrust/detail/computed_iterator.h"
#include "thrust/detail/system.h"

namespace thrust {

template <class Function, class Iterator, class Reference = void, class Value = void>
class transform_iterator;

namespace detail {
template <class Function, class Iterator, class Reference>
using TransformReference = std::conditional_t<
    std::is_void<Reference>::value,
    std::invoke_result<Function, typename std::iterator_traits<Iterator>::reference>,
    std::enable_if<true, Reference>>;
template <class Function, class Iterator, class Reference>
using TransformedReference = typename TransformReference<Function, Iterator, Reference>::type;
template <class Function, class Iterator, class Reference>
using TransformedValue =
    std::remove_cv_t<std::remove_reference_t<TransformedReference<Function, Iterator, Reference>>>;
}  // namespace detail

template <class Function, class Iterator, class Reference, class Value>
class transform_iterator
    : public detail::ComputedIterator<transform_iterator<Function, Iterator, Reference, Value>,
                                      detail::TransformedValue<Function, Iterator, Reference>,
                                      detail::TransformedReference<Function, Iterator, Reference>> {
 public:
  transform_iterator(Iterator iterator, Function function)
      : iterator_(iterator), function_(function) {}

  const Iterator& base() const { return iterator_; }
  const Function& functor() const { return function_; }
  detail::TransformedReference<Function, Iterator, Reference> at(std::ptrdiff_t n) const {
    return const_cast<Function&>(function_)(iterator_[n]);
  }
  void advance(std::ptrdiff_t n) { iterator_ += n; }
  std::ptrdiff_t distanceTo(const transform_iterator& other) const {
    return other.iterator_ - iterator_;
  }

 private:
  Iterator iterator_;
  Function function_;
};

template <class Function, class Iterator>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator iterator,
                                                               Function function) {
  return {iterator, function};
}

namespace detail {
template <class Function, class Iterator, class Reference, class Value>
struct Access<transform_iterator<Function, Iterator, Reference, Value>> {
  using Inner = Access<Iterator>;
  static constexpr Place place = Inner::place;
  using Whole = transform_iterator<Function, Iterator, Reference, Value>;
  using Raw = transform_iterator<Function, typename Inner::Raw, Reference, Value>;
  static Raw raw(const Whole& i) { return {Inner::raw(i.base()), i.functor()}; }
  static Whole back(const Raw& i) { return {Inner::back(i.base()), i.functor()}; }
};
}  // namespace detail

}  // namespace thrust
