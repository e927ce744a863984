/// \file
/// Calls a function for every element.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {

template <class Iterator, class Size, class Function>
Iterator for_each_n(const detail::Policy& policy,
                    Iterator first,
                    Size count,
                    Function function,
                    nbody::executor::Caller caller = {}) {
  const auto in = detail::Access<Iterator>::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(count);
  detail::parallelFor(
      policy, n, "thrust::for_each", caller, [in, function](std::ptrdiff_t i) mutable {
        function(in[i]);
      });
  return first + n;
}
template <class Iterator,
          class Size,
          class Function,
          class = std::enable_if_t<!detail::isPolicy<Iterator>>>
Iterator for_each_n(Iterator first,
                    Size count,
                    Function function,
                    nbody::executor::Caller caller = {}) {
  return for_each_n(detail::policyOf<Iterator>(), first, count, function, caller);
}
template <class Iterator, class Function>
Iterator for_each(const detail::Policy& policy,
                  Iterator first,
                  Iterator last,
                  Function function,
                  nbody::executor::Caller caller = {}) {
  return for_each_n(policy, first, last - first, function, caller);
}
template <class Iterator, class Function>
Iterator for_each(Iterator first,
                  Iterator last,
                  Function function,
                  nbody::executor::Caller caller = {}) {
  return for_each_n(detail::policyOf<Iterator>(), first, last - first, function, caller);
}

}  // namespace thrust
