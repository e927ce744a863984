/// \file
/// Numbers in a file's order of bytes, whatever the machine's is.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace nbody {

enum class ByteOrder { little, big };

/// A number of 4 or 8 bytes. Compilers make one load of this, with one instruction more where the
/// order is not the machine's.
template <ByteOrder order, class Number>
Number load(const unsigned char* bytes) {
  std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t> word = 0;
  constexpr int kBytes = sizeof word;
  for (int i = 0; i < kBytes; ++i) {
    const int place = order == ByteOrder::little ? i : kBytes - 1 - i;
    word |= static_cast<decltype(word)>(bytes[i]) << (8 * place);
  }
  return std::bit_cast<Number>(word);
}

template <ByteOrder order, class Word>
void storeWord(unsigned char* bytes, Word word) {
  for (int i = 0; i < static_cast<int>(sizeof word); ++i) {
    const int place = order == ByteOrder::little ? i : static_cast<int>(sizeof word) - 1 - i;
    bytes[i] = static_cast<unsigned char>(word >> (8 * place));
  }
}

template <ByteOrder order>
void storeFloat(unsigned char* bytes, float value) {
  storeWord<order>(bytes, std::bit_cast<std::uint32_t>(value));
}

/// Calls \p work with the order as a constant, its template argument.
template <class Work>
auto withOrder(ByteOrder order, Work work) {
  return order == ByteOrder::little ? work.template operator()<ByteOrder::little>()
                                    : work.template operator()<ByteOrder::big>();
}

}  // namespace nbody
