/// \file
/// Several iterators as one, which gives tuples of what they give.
#pragma once

#include "thrust/detail/computed_iterator.h"
#include "thrust/detail/system.h"
#include "thrust/tuple.h"

namespace thrust {

template <class Tuple>
class zip_iterator;

template <class... Iterators>
class zip_iterator<std::tuple<Iterators...>>
    : public detail::ComputedIterator<
          zip_iterator<std::tuple<Iterators...>>,
          std::tuple<typename std::iterator_traits<Iterators>::value_type...>,
          std::tuple<typename std::iterator_traits<Iterators>::reference...>> {
 public:
  using Reference = std::tuple<typename std::iterator_traits<Iterators>::reference...>;

  zip_iterator() = default;
  zip_iterator(std::tuple<Iterators...> iterators) : iterators_(iterators) {}

  const std::tuple<Iterators...>& get_iterator_tuple() const { return iterators_; }
  Reference at(std::ptrdiff_t n) const {
    return std::apply([n](const auto&... i) { return Reference(i[n]...); }, iterators_);
  }
  void advance(std::ptrdiff_t n) {
    std::apply([n](auto&... i) { ((i += n), ...); }, iterators_);
  }
  std::ptrdiff_t distanceTo(const zip_iterator& other) const {
    return std::get<0>(other.iterators_) - std::get<0>(iterators_);
  }

 private:
  std::tuple<Iterators...> iterators_;
};

template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(
    const std::tuple<Iterators...>& iterators) {
  return {iterators};
}
template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(Iterators... iterators) {
  return {std::make_tuple(iterators...)};
}

namespace detail {

template <class... Iterators>
struct Access<zip_iterator<std::tuple<Iterators...>>> {
  static constexpr Place place = placeOf<Iterators...>();
  using Whole = zip_iterator<std::tuple<Iterators...>>;
  using Raw = zip_iterator<std::tuple<typename Access<Iterators>::Raw...>>;
  static Raw raw(const Whole& zip) {
    return std::apply([](const auto&... i) { return Raw({Access<Iterators>::raw(i)...}); },
                      zip.get_iterator_tuple());
  }
  static Whole back(const Raw& zip) {
    return std::apply([](const auto&... i) { return Whole({Access<Iterators>::back(i)...}); },
                      zip.get_iterator_tuple());
  }
};

template <class... Iterators>
void noteWritten(const zip_iterator<std::tuple<Iterators...>>& zip, std::ptrdiff_t count) {
  std::apply([count](const auto&... i) { (noteWritten(i, count), ...); }, zip.get_iterator_tuple());
}

}  // namespace detail

/// A function of several arguments as one of a tuple.
template <class Function>
class zip_function {
 public:
  explicit zip_function(Function function) : function_(function) {}
  template <class Tuple>
  decltype(auto) operator()(Tuple&& values) const {
    return std::apply(function_, static_cast<Tuple&&>(values));
  }

 private:
  Function function_;
};
template <class Function>
zip_function<Function> make_zip_function(Function function) {
  return zip_function<Function>(function);
}

}  // namespace thrust
