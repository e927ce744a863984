/// \file
/// Reductions and orders of ranges, as CUDA's libraries have them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>
#include <vector>

namespace nbody::executor {

/// \p operation over \p count > 0 values from \p first on, by halves, as parallel reductions do: a
/// sum of many floats from left to right would lose what is small.
template <class T, class Iterator, class Operation>
T treeReduce(Iterator first, std::ptrdiff_t count, Operation& operation) {
  constexpr std::ptrdiff_t kLeaf = 32;
  if (count > kLeaf) {
    const std::ptrdiff_t half = count / 2;
    const T left = treeReduce<T>(first, half, operation);
    return static_cast<T>(operation(left, treeReduce<T>(first + half, count - half, operation)));
  }
  T result = static_cast<T>(*first);
  for (std::ptrdiff_t i = 1; i < count; ++i)
    result = static_cast<T>(operation(result, T(*++first)));
  return result;
}

/// out[i] = the operation over in[0] to in[i], or to in[i - 1] beginning with \p start where the
/// scan is exclusive. \p in and \p out may be the same.
template <class T, class In, class Out, class Operation>
Out scan(In in, std::ptrdiff_t count, Out out, Operation& operation, const T* start,
         bool exclusive) {
  if (count <= 0) return out;
  T sum = start != nullptr ? *start : static_cast<T>(*in);
  for (std::ptrdiff_t i = 0; i < count; ++i, ++in, ++out) {
    const T own = static_cast<T>(*in);
    if (exclusive) *out = sum;
    if (exclusive || i > 0 || start != nullptr) sum = static_cast<T>(operation(sum, own));
    if (!exclusive) *out = sum;
  }
  return out;
}

/// The stable order of many keys, by a radix sort that is compiled once, without a checker: ranks of \p keys, the least key first; of equal ones the first stays first.
std::vector<std::ptrdiff_t> orderOfKeys(std::vector<std::uint64_t> keys);

/// Bits of a number in the order of a radix sort: less means sorted before. -0 is 0.
template <class T>
std::uint64_t radixBits(T key) {
  static_assert(sizeof(T) <= 8, "a key has at most 64 bits");
  constexpr int kBits = 8 * sizeof(T);
  constexpr std::uint64_t kSign = std::uint64_t{1} << (kBits - 1);
  constexpr std::uint64_t kAll = kSign | (kSign - 1);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &key, sizeof key);
  if constexpr (std::is_integral_v<T>) return std::is_signed_v<T> ? bits ^ kSign : bits;
  if (bits == kSign) bits = 0;
  return (bits & kSign) != 0 ? ~bits & kAll : bits | kSign;
}

/// Ranks of \p count keys in the stable order of their bits \p begin to \p end - 1.
template <class Keys>
std::vector<std::ptrdiff_t> radixOrder(Keys keys, std::ptrdiff_t count, int begin, int end,
                                       bool descends) {
  const std::uint64_t mask =
      end - begin >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (end - begin)) - 1;
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(count));
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const std::uint64_t own = radixBits(keys[i]) >> begin & mask;
    bits[i] = descends ? mask - own : own;
  }
  return orderOfKeys(std::move(bits));
}

/// out[i] = in[order[i]]; by way of a copy, so that both may be the same.
template <class In, class Out>
void permute(const std::vector<std::ptrdiff_t>& order, In in, Out out) {
  using T = typename std::iterator_traits<In>::value_type;
  std::vector<T> copy;
  copy.reserve(order.size());
  for (std::ptrdiff_t i : order) copy.push_back(in[i]);
  std::copy(copy.begin(), copy.end(), out);
}

}  // namespace nbody::executor
