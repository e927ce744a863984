/// \file
/// Writes a function of every element, or of those of two ranges.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

/// out[i] = value(i) where chosen(i).
template <class Out, class Value, class Chosen>
Out transformWhere(const Policy& policy,
                   std::ptrdiff_t count,
                   Out out,
                   const nbody::executor::Caller& caller,
                   Value value,
                   Chosen chosen) {
  const auto raw = Access<Out>::raw(out);
  parallelFor(policy, count, "thrust::transform", caller, [=](std::ptrdiff_t i) mutable {
    if (!chosen(i)) return;
    raw[i] = value(i);
    noteWritten(raw + i, 1);
  });
  return out + count;
}
struct Always {
  bool operator()(std::ptrdiff_t) const { return true; }
};

}  // namespace detail

template <class In, class Out, class Function>
Out transform(const detail::Policy& policy,
              In first,
              In last,
              Out out,
              Function function,
              nbody::executor::Caller caller = {}) {
  const auto in = detail::Access<In>::raw(first);
  const auto value = [=](std::ptrdiff_t i) mutable { return function(in[i]); };
  return detail::transformWhere(policy, last - first, out, caller, value, detail::Always());
}
template <class In, class Second, class Out, class Function>
Out transform(const detail::Policy& policy,
              In first,
              In last,
              Second second,
              Out out,
              Function function,
              nbody::executor::Caller caller = {}) {
  const auto a = detail::Access<In>::raw(first);
  const auto b = detail::Access<Second>::raw(second);
  const auto value = [=](std::ptrdiff_t i) mutable { return function(a[i], b[i]); };
  return detail::transformWhere(policy, last - first, out, caller, value, detail::Always());
}
template <class In, class Out, class Function, class = std::enable_if_t<!detail::isPolicy<In>>>
Out transform(In first, In last, Out out, Function function, nbody::executor::Caller caller = {}) {
  return transform(detail::policyOf<In, Out>(), first, last, out, function, caller);
}
template <class In,
          class Second,
          class Out,
          class Function,
          class = std::enable_if_t<!detail::isPolicy<In>>>
Out transform(In first,
              In last,
              Second second,
              Out out,
              Function function,
              nbody::executor::Caller caller = {}) {
  return transform(detail::policyOf<In, Second, Out>(), first, last, second, out, function, caller);
}

/// Only where \p predicate holds of the element, or of that of \p stencil.
template <class In, class Stencil, class Out, class Function, class Predicate>
Out transform_if(const detail::Policy& policy,
                 In first,
                 In last,
                 Stencil stencil,
                 Out out,
                 Function function,
                 Predicate predicate,
                 nbody::executor::Caller caller = {}) {
  const auto in = detail::Access<In>::raw(first);
  const auto mask = detail::Access<Stencil>::raw(stencil);
  const auto value = [=](std::ptrdiff_t i) mutable { return function(in[i]); };
  const auto chosen = [=](std::ptrdiff_t i) mutable { return predicate(mask[i]); };
  return detail::transformWhere(policy, last - first, out, caller, value, chosen);
}
template <class In,
          class Stencil,
          class Out,
          class Function,
          class Predicate,
          class = std::enable_if_t<!detail::isPolicy<In>>>
Out transform_if(In first,
                 In last,
                 Stencil stencil,
                 Out out,
                 Function function,
                 Predicate predicate,
                 nbody::executor::Caller caller = {}) {
  return transform_if(
      detail::policyOf<In, Stencil, Out>(), first, last, stencil, out, function, predicate, caller);
}
template <class In, class Out, class Function, class Predicate>
Out transform_if(In first,
                 In last,
                 Out out,
                 Function function,
                 Predicate predicate,
                 nbody::executor::Caller caller = {}) {
  return transform_if(
      detail::policyOf<In, Out>(), first, last, first, out, function, predicate, caller);
}

}  // namespace thrust
