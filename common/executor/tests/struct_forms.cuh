/// \file
/// Forms of kernel code that pass or return a struct. The checker must see the same of each.
#pragma once

#include <utility>

namespace nbody {

template <int kBytes>
struct Packet;
template <int kBytes>
__device__ Packet<kBytes> filledWith(int value);

template <int kBytes>
struct Packet {
  int words[kBytes / 4];

  __device__ __noinline__ int sum() const { return sumOf(*this); }
  __device__ __noinline__ Packet filled(int value) const { return filledWith<kBytes>(value); }
};

template <int kBytes>
__device__ __noinline__ int sumOf(Packet<kBytes> packet) {
  int sum = 0;
  for (int word : packet.words) sum += word;
  return sum;
}
template <int kBytes>
__device__ __noinline__ Packet<kBytes> filledWith(int value) {
  Packet<kBytes> packet;
  for (int& word : packet.words) word = value;
  return packet;
}

/// An operator that takes a packet by value and returns one. The values do not matter.
template <int kBytes>
__device__ __noinline__ Packet<kBytes> operator+(Packet<kBytes> packet, int value) {
  for (int& word : packet.words) word += value;
  return packet;
}

template <int kBytes>
__device__ int sumAtDepth(Packet<kBytes> packet, int depth) {
  return depth == 0 ? sumOf(packet) : sumAtDepth(packet, depth - 1);
}
template <int kBytes>
__device__ Packet<kBytes> filledAtDepth(int value, int depth) {
  return depth == 0 ? filledWith<kBytes>(value) : filledAtDepth<kBytes>(value, depth - 1);
}

/// Defined in another file.
__device__ int sumElsewhere(Packet<16> packet);
__device__ Packet<16> filledElsewhere(int value);

// Each form reads all of a packet, or writes all of it with a value.

template <int kBytes>
struct ByReference {
  using Target = Packet<kBytes>;
  static __device__ int read(const Target* p) {
    int sum = 0;
    for (const int& word : p->words) sum += word;
    return sum;
  }
  static __device__ void write(Target* p, int value) {
    for (int& word : p->words) word = value;
  }
};
template <int kBytes>
struct ByValue {
  using Target = Packet<kBytes>;
  static __device__ int read(const Target* p) { return sumOf(*p); }
  static __device__ void write(Target* p, int value) { *p = filledWith<kBytes>(value); }
};
template <int kBytes>
struct ByMember {
  using Target = Packet<kBytes>;
  static __device__ int read(const Target* p) { return p->sum(); }
  static __device__ void write(Target* p, int value) { *p = Target().filled(value); }
};
template <int kBytes>
struct ByOperator {
  using Target = Packet<kBytes>;
  static __device__ int read(const Target* p) { return sumOf(*p + 1); }
  static __device__ void write(Target* p, int value) { *p = Target{} + value; }
};
template <int kBytes>
struct ByRecursion {
  using Target = Packet<kBytes>;
  static __device__ int read(const Target* p) { return sumAtDepth(*p, 2); }
  static __device__ void write(Target* p, int value) { *p = filledAtDepth<kBytes>(value, 2); }
};
template <int kBytes>
struct ByPointer {
  using Target = Packet<kBytes>;
  static __device__ int read(const Target* p) {
    int (*volatile function)(Target) = sumOf<kBytes>;
    return function(*p);
  }
  static __device__ void write(Target* p, int value) {
    Target (*volatile function)(int) = filledWith<kBytes>;
    *p = function(value);
  }
};
struct Elsewhere {
  using Target = Packet<16>;
  static __device__ int read(const Target* p) { return sumElsewhere(*p); }
  static __device__ void write(Target* p, int value) { *p = filledElsewhere(value); }
};

/// Calls \p use with an object of each form.
template <int... kBytes, class Use>
void withFormsOf(std::integer_sequence<int, kBytes...>, Use use) {
  ((use(ByReference<kBytes>()), use(ByValue<kBytes>()), use(ByMember<kBytes>()),
    use(ByOperator<kBytes>()), use(ByRecursion<kBytes>()), use(ByPointer<kBytes>())),
   ...);
  use(Elsewhere());
}
template <class Use>
void withForms(Use use) {
  withFormsOf(std::integer_sequence<int, 4, 8, 12, 16, 20, 32, 64>(), use);
}

}  // namespace nbody
