/// \file
/// Numbers in a file's order of bytes, whatever the machine's is.
#pragma once

#include <bit>
#include <cstdint>

namespace nbody {

enum class ByteOrder { little, big };

/// Compilers make one load of this, with one instruction more where the order is not the machine's.
template <ByteOrder order, class Word>
Word loadWord(const unsigned char* bytes) {
  Word word = 0;
  for (int i = 0; i < static_cast<int>(sizeof word); ++i) {
    const int place = order == ByteOrder::little ? i : static_cast<int>(sizeof word) - 1 - i;
    word |= static_cast<Word>(bytes[i]) << (8 * place);
  }
  return word;
}

template <ByteOrder order, class Word>
void storeWord(unsigned char* bytes, Word word) {
  for (int i = 0; i < static_cast<int>(sizeof word); ++i) {
    const int place = order == ByteOrder::little ? i : static_cast<int>(sizeof word) - 1 - i;
    bytes[i] = static_cast<unsigned char>(word >> (8 * place));
  }
}

template <ByteOrder order>
float loadFloat(const unsigned char* bytes) {
  return std::bit_cast<float>(loadWord<order, std::uint32_t>(bytes));
}

template <ByteOrder order>
void storeFloat(unsigned char* bytes, float value) {
  storeWord<order>(bytes, std::bit_cast<std::uint32_t>(value));
}

template <ByteOrder order>
double loadDouble(const unsigned char* bytes) {
  return std::bit_cast<double>(loadWord<order, std::uint64_t>(bytes));
}

/// Calls \p work with the order as a constant, its template argument.
template <class Work>
auto withOrder(ByteOrder order, Work work) {
  return order == ByteOrder::little ? work.template operator()<ByteOrder::little>()
                                    : work.template operator()<ByteOrder::big>();
}

}  // namespace nbody
