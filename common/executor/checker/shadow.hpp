/// \file
/// Remembers for each word of memory which threads last wrote and read it.
///
/// Time is divided into slices. A slice is the run of a warp between two waits that order memory.
/// Its number is unique in the program, and larger than those of all earlier slices in its block.
/// So one number tells whether an access came before the launch, before the block's last barrier,
/// or at the same time as the running thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace nbody::executor::checker {

using Slice = std::uint32_t;  ///< from 1; 0: none

/// Slice of words that a pending asynchronous copy has written. It is larger than all others.
constexpr Slice kPending = ~Slice{0};

constexpr int kLanes = 32;
constexpr std::size_t kWordBytes = 4;
constexpr unsigned kWholeWord = (1u << kWordBytes) - 1;

/// An access of a CUDA thread to a word, in 64 bits: the slice, the site (a number for the place in
/// the program), which bytes of the word, whether it is atomic (and whether only for its block),
/// and the thread's rank in its block.
class Record {
 public:
  Record() = default;
  Record(Slice slice, int thread, unsigned bytes, std::uint16_t site, bool atomic)
      : bits_(actorBits(slice, thread) | std::uint64_t{site} << 16 |
              std::uint64_t{atomic} << kAtomicBit | bytes << kBytesShift) {}

  Slice slice() const { return static_cast<Slice>(bits_ >> 32); }
  int thread() const { return static_cast<int>(bits_ & kThread); }
  unsigned bytes() const { return bits_ >> kBytesShift & kWholeWord; }  ///< a bit per byte
  std::uint16_t site() const { return static_cast<std::uint16_t>(bits_ >> 16); }
  bool isAtomic() const { return (bits_ >> kAtomicBit & 1) != 0; }
  /// Returns whether it is an atomic of block scope, which is atomic only for threads of its block.
  bool isOfBlockScope() const { return (bits_ >> kScopeBit & 1) != 0; }
  bool isNone() const { return bits_ == 0; }
  /// Returns whether it is of this thread and slice.
  bool isOf(std::uint64_t actor) const { return (bits_ & kActor) == actor; }
  /// Returns whether it is of this thread and slice, and of all of these bytes.
  bool isOf(std::uint64_t actor, unsigned bytes) const {
    const std::uint64_t mask = std::uint64_t{bytes} << kBytesShift;
    return (bits_ & (kActor | mask)) == (actor | mask);
  }
  Record withBytes(unsigned bytes) const {
    Record more = *this;
    more.bits_ |= bytes << kBytesShift;
    return more;
  }

  Record withSlice(Slice slice) const {
    Record moved = *this;
    moved.bits_ = (bits_ & 0xffffffffu) | std::uint64_t{slice} << 32;
    return moved;
  }
  Record asAtomic() const {
    Record atomic = *this;
    atomic.bits_ |= std::uint64_t{1} << kAtomicBit;
    return atomic;
  }

  Record withScope(bool isBlock) const {
    Record scoped = *this;
    scoped.bits_ |= std::uint64_t{isBlock} << kScopeBit;
    return scoped;
  }

  /// Returns thread and slice for isOf().
  static std::uint64_t actorBits(Slice slice, int thread) {
    return std::uint64_t{slice} << 32 | static_cast<unsigned>(thread);
  }

 private:
  static constexpr int kBytesShift = 10;
  static constexpr int kAtomicBit = 14;
  static constexpr int kScopeBit = 15;
  static constexpr std::uint64_t kThread = 0x3ff;
  static constexpr std::uint64_t kActor = 0xffffffff00000000u | kThread;
  std::uint64_t bits_ = 0;
};

/// Last accesses to a word. A write forgets earlier reads, because what races with them races with
/// the write, or has been found.
struct Last {
  Record write, read;
};
/// Records that few words need: a second read, chosen so that a write that races with any read
/// races with one of the two, and two atomics, chosen likewise.
struct More {
  Record otherRead, atomic, otherAtomic;
};

/// Bit of a word's byte in Array::written: its More is in use.
constexpr std::uint8_t kHasMore = 1 << kWordBytes;

/// Returns the bytes of word \p word that [first, end) covers, a bit per byte.
inline unsigned bytesOfWord(std::size_t word, std::size_t first, std::size_t end) {
  const std::size_t low = std::max(first, word * kWordBytes) - word * kWordBytes;
  const std::size_t high = std::min(end, (word + 1) * kWordBytes) - word * kWordBytes;
  return ((1u << high) - 1) & ~((1u << low) - 1);
}

}  // namespace nbody::executor::checker
