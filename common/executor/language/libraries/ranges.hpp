/// \file
/// Reductions and orders of ranges, as in CUDA's libraries.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "executor/language/always_inline.hpp"

namespace nbody::executor {

/// Returns \p operation over \p count > 0 values from \p first on, by halves like parallel
/// reductions, because a sum of many floats from left to right would lose small ones.
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

/// Returns bits of a number in the order of a radix sort, smaller ones first. -0 becomes 0.
template <class T>
NBODY_ALWAYS_INLINE std::uint64_t radixBits(T key) {
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

/// Arrays of keys, and of the values that belong to them, which may be null.
template <class Key, class Value>
struct Pairs {
  Key* keys;
  Value* values;
};

/// Moves pairs to \p to, in the stable order of the 8 bits of keys from \p shift on. Moves nothing
/// and returns false if these bits are the same in all keys.
template <class Key, class Value>
__attribute__((no_sanitize("thread"))) bool moveByDigit(int shift, std::size_t count,
                                                        Pairs<Key, Value> from,
                                                        Pairs<Key, Value> to) {
  std::size_t places[256] = {};
  for (std::size_t i = 0; i < count; ++i) ++places[radixBits(from.keys[i]) >> shift & 255];
  std::size_t sum = 0;
  for (std::size_t& place : places) {
    const std::size_t keys = place;
    if (keys == count) return false;
    place = sum;
    sum += keys;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = places[radixBits(from.keys[i]) >> shift & 255]++;
    to.keys[place] = from.keys[i];
    if (from.values != nullptr) to.values[place] = from.values[i];
  }
  return true;
}

/// Copies pairs to \p to, unless they are already there.
template <class Key, class Value>
__attribute__((no_sanitize("thread"))) void settle(std::size_t count, Pairs<Key, Value> from,
                                                   Pairs<Key, Value> to) {
  if (from.keys == to.keys) return;
  for (std::size_t i = 0; i < count; ++i) to.keys[i] = from.keys[i];
  if (to.values == nullptr) return;
  for (std::size_t i = 0; i < count; ++i) to.values[i] = from.values[i];
}

/// Sorts pairs by their keys, which are numbers, with a stable radix sort that needs memory for as
/// many pairs. The checker does not see its many accesses, so no other thread may know the arrays.
template <class Key, class Value>
__attribute__((no_sanitize("thread"))) void radixSort(std::size_t count, Pairs<Key, Value> pairs,
                                                      Pairs<Key, Value> room) {
  Pairs<Key, Value> from = pairs, to = room;
  for (std::size_t digit = 0; digit < sizeof(Key); ++digit)
    if (moveByDigit(static_cast<int>(8 * digit), count, from, to)) std::swap(from, to);
  settle(count, from, pairs);
}

/// Sorts pairs in any order of any keys, with a merge sort. The checker sees what \p less reads.
template <class Key, class Value, class Less>
__attribute__((no_sanitize("thread"))) void mergeSort(std::size_t count, Pairs<Key, Value> pairs,
                                                      Pairs<Key, Value> room, Less& less) {
  Pairs<Key, Value> from = pairs, to = room;
  for (std::size_t width = 1; width < count; width *= 2) {
    for (std::size_t begin = 0; begin < count; begin += 2 * width) {
      const std::size_t middle = begin + width < count ? begin + width : count;
      const std::size_t end = middle + width < count ? middle + width : count;
      for (std::size_t k = begin, i = begin, j = middle; k < end; ++k) {
        const bool isSecond = i == middle || (j < end && less(from.keys[j], from.keys[i]));
        const std::size_t next = isSecond ? j++ : i++;
        to.keys[k] = from.keys[next];
        if (from.values != nullptr) to.values[k] = from.values[next];
      }
    }
    std::swap(from, to);
  }
  settle(count, from, pairs);
}

/// Returns the ranks of \p count keys in the stable order of their bits \p begin to \p end - 1.
template <class Keys>
std::vector<std::ptrdiff_t> radixOrder(Keys keys, std::ptrdiff_t count, int begin, int end,
                                       bool descends) {
  const std::uint64_t mask =
      end - begin >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (end - begin)) - 1;
  const auto size = static_cast<std::size_t>(count);
  std::vector<std::uint64_t> bits(size), moreBits(size);
  std::vector<std::ptrdiff_t> order(size), moreOrder(size);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const std::uint64_t own = radixBits(keys[i]) >> begin & mask;
    bits[i] = descends ? mask - own : own;
    order[i] = i;
  }
  radixSort<std::uint64_t, std::ptrdiff_t>(size, {bits.data(), order.data()},
                                           {moreBits.data(), moreOrder.data()});
  return order;
}

/// Sets out[i] to in[order[i]], through a copy, so that both may be the same.
template <class In, class Out>
void permute(const std::vector<std::ptrdiff_t>& order, In in, Out out) {
  using T = typename std::iterator_traits<In>::value_type;
  std::vector<T> copy;
  copy.reserve(order.size());
  for (std::ptrdiff_t i : order) copy.push_back(in[i]);
  std::copy(copy.begin(), copy.end(), out);
}

}  // namespace nbody::executor
