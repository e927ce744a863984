/// \file
/// Tensor cores: products of small matrices, which the lanes of a warp compute together, and moves
/// of parts of matrices between the lanes.
///
/// Each lane holds some elements of each matrix, its fragment (PTX ISA, "Matrix fragments for
/// mma"). With p numbers in a register, g = lane / 4 and t = lane % 4, number q of register r is
///
///     of A, 16 x depth:  row g + 8 (r % 2),  column p t + q + 4 p (r / 2)
///     of A, 8 x depth:   row g,  column p t + q
///     of B, depth x 8:   row p t + q + 4 p r,  column g
///     element e of C and D, with 8 columns:  row g + 8 (e / 2),  column 2 t + e % 2
///
/// Products are exact, and sums are rounded once. A GPU sums in float, in an undocumented order.
#pragma once

#include <cstdint>
#include <cstring>

#include "executor/language/small_float.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

constexpr unsigned kWholeWarp = 0xffffffffu;

// Requirements of these instructions on their operands and the device.

/// Ends the block if the device is older than the instruction. \p instruction is a name from the
/// table in tensor_requirements.cpp, or begins with one.
void requireDevice(Site site, const char* instruction);
/// Ends the block if \p address is no multiple of what the instruction needs. Counts from the
/// beginning of the array, because a GPU may place the array elsewhere.
void requireAligned(Site site, const char* instruction, const void* address);
/// Also checks the distance between rows or columns, \p ld elements, and that the last element of the
/// matrix, number \p last, is in the array that holds the first one.
void requireMatrix(Site site, const void* address, std::size_t elementBytes, unsigned ld,
                   std::size_t last);
/// Ends the block if all \p bytes bytes of a fragment have the value that local variables have
/// before a program writes them.
void requireFilled(Site site, const char* fragment, const void* elements, std::size_t bytes);
/// Checks an asynchronous copy of 4, 8 or 16 bytes, the first \p used of them from memory.
void requireCopy(Site site, const void* to, const void* from, std::size_t bytes, std::size_t used);

// Numbers in registers of A and B, and sums in registers of C and D.

/// Two numbers of 16 bits in a register.
template <class Format>
struct SmallNumbers {
  using Register = std::uint32_t;
  static constexpr int perRegister = 2;
  static float at(std::uint32_t bits, int q) {
    return floatOfSmall(static_cast<std::uint16_t>(bits >> 16 * q), Format{});
  }
};
/// A float. Tensor cores read 10 bits of its fraction and ignore the others.
struct Tf32Number {
  using Register = std::uint32_t;
  static constexpr int perRegister = 1;
  static float at(std::uint32_t bits, int) { return bitCast<float>(bits & ~0x1fffu); }
};
/// Integers of 8 or 4 bits.
template <int kBits, bool isSigned>
struct SmallIntegers {
  using Register = std::uint32_t;
  static constexpr int perRegister = 32 / kBits;
  static double at(std::uint32_t bits, int q) {
    const std::uint32_t top = bits << (32 - kBits * (q + 1));
    if (isSigned) return static_cast<std::int32_t>(top) >> (32 - kBits);
    return top >> (32 - kBits);
  }
};
struct DoubleNumber {
  using Register = double;
  static constexpr int perRegister = 1;
  static double at(double x, int) { return x; }
};

template <class T>
struct SumOf {
  using Register = T;
  static constexpr int perRegister = 1;
  static double at(T x, int) { return x; }
  static void set(T& x, int, double sum) { x = static_cast<T>(sum); }
};
/// Sums of int wrap around, or stay at the ends of the range.
template <bool isSaturated>
struct IntegerSum : SumOf<std::int32_t> {
  static void set(std::int32_t& x, int, double sum) {
    x = isSaturated ? toInteger<std::int32_t>(sum)
                    : static_cast<std::int32_t>(static_cast<std::int64_t>(sum));
  }
};
struct HalfSums : SmallNumbers<HalfFormat> {
  static void set(std::uint32_t& x, int q, double sum) {
    const std::uint32_t bits = roundToSmall<HalfFormat>(sum);
    x = (x & ~(0xffffu << 16 * q)) | bits << 16 * q;
  }
};

/// Returns \p x, rounded to 10 bits of its fraction, halves away from zero: cvt.rna.tf32.f32.
inline std::uint32_t roundedToTf32(float x) {
  const auto bits = bitCast<std::uint32_t>(x);
  return (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & ~0x1fffu;
}

/// Works on the values of all lanes; see meet(). The whole warp must take part.
template <class T, class Work>
NBODY_ALWAYS_INLINE T meetAsWarp(Site site, const T& value, const Work& work) {
  struct Counted {
    T value;
    int count;
  };
  const Counted own =
      meet(site, {kWholeWarp, 0, 0}, Counted{value, 0}, [&](Counted* const* lanes, int count) {
        T* values[32];
        for (int lane = 0; lane < count; ++lane) {
          lanes[lane]->count = count;
          values[lane] = &lanes[lane]->value;
        }
        if (count == 32) work(values);
      });
  if (own.count != 32) failForLanes(site, own.count);
  return own.value;
}

/// Computes D = A B + C of kRows x 8 elements. Each lane gives its registers and gets its part of D.
template <int kRows, class A, class B, class Sum, int kA, int kB, int kC>
NBODY_ALWAYS_INLINE void multiplyMatrices(const char* instruction, typename Sum::Register (&d)[kC],
                                          const typename A::Register (&a)[kA],
                                          const typename B::Register (&b)[kB],
                                          const typename Sum::Register (&c)[kC], NBODY_SITE) {
  constexpr int p = A::perRegister;
  static_assert(p == B::perRegister && kA * 8 == kB * kRows && kC * Sum::perRegister * 4 == kRows,
                "the numbers of registers must fit the shape");
  struct Fragments {
    typename A::Register a[kA];
    typename B::Register b[kB];
    typename Sum::Register c[kC];
  };
  const Site site = {instruction, file, line};
  requireDevice(site, instruction);
  Fragments own;
  std::memcpy(own.a, a, sizeof a);
  std::memcpy(own.b, b, sizeof b);
  std::memcpy(own.c, c, sizeof c);
  own = meetAsWarp(site, own, [](Fragments* const(&lanes)[32]) {
    constexpr int depth = 4 * p * kB;
    double first[16][depth], second[depth][8];
    for (int lane = 0; lane < 32; ++lane)
      for (int q = 0; q < p; ++q) {
        const int g = lane / 4, column = p * (lane % 4) + q;
        for (int r = 0; r < kA; ++r)
          if constexpr (kRows == 16)
            first[g + 8 * (r % 2)][column + 4 * p * (r / 2)] = A::at(lanes[lane]->a[r], q);
          else first[g][column + 4 * p * r] = A::at(lanes[lane]->a[r], q);
        for (int r = 0; r < kB; ++r) second[column + 4 * p * r][g] = B::at(lanes[lane]->b[r], q);
      }
    for (int lane = 0; lane < 32; ++lane)
      for (int e = 0; e < kC * Sum::perRegister; ++e) {
        auto& of = lanes[lane]->c[e / Sum::perRegister];
        double sum = Sum::at(of, e % Sum::perRegister);
        for (int k = 0; k < depth; ++k)
          sum += first[lane / 4 + 8 * (e / 2)][k] * second[k][2 * (lane % 4) + e % 2];
        Sum::set(of, e % Sum::perRegister, sum);
      }
  });
  std::memcpy(d, own.c, sizeof d);
}

/// Returns a lane's part of the transpose of an 8 x 8 matrix of 16-bit elements. A part is a pair
/// of neighbours in row lane / 4, from column 2 (lane % 4) on.
NBODY_ALWAYS_INLINE std::uint32_t transposed(std::uint32_t part, NBODY_SITE) {
  const Site site = {"movmatrix", file, line};
  requireDevice(site, site.function);
  return meetAsWarp(site, part, [](std::uint32_t* const(&lanes)[32]) {
    std::uint16_t elements[8][8];
    for (int lane = 0; lane < 32; ++lane)
      std::memcpy(&elements[lane / 4][2 * (lane % 4)], lanes[lane], 4);
    for (int lane = 0; lane < 32; ++lane)
      *lanes[lane] = elements[2 * (lane % 4)][lane / 4] |
                     std::uint32_t{elements[2 * (lane % 4) + 1][lane / 4]} << 16;
  });
}

/// Returns a pointer to a shared address. The program may have stored only its lower 32 bits.
template <class Address>
NBODY_ALWAYS_INLINE void* sharedPointer(Address address) {
  const auto bits = static_cast<std::uint64_t>(address);
  if (bits >> 32 != 0) return reinterpret_cast<void*>(bits);
  return const_cast<void*>(sharedAt(static_cast<std::uint32_t>(bits)));
}

/// Loads \p kCount matrices of 8 x 8 elements of 16 bits. Lane 8 m + r has the address of row r of
/// matrix m. Each lane gets its part of each matrix, see transposed(), or of its transpose.
template <bool isTransposed, int kCount, class Address>
NBODY_ALWAYS_INLINE void loadMatrices(std::uint32_t (&to)[kCount], Address address, NBODY_SITE) {
  struct Rows {
    std::uint64_t row[2];  ///< in; 16 bytes
    std::uint32_t parts[kCount];  ///< out
  };
  const Site site = {"ldmatrix", file, line};
  requireDevice(site, site.function);
  Rows own{};
  if (laneOfCaller() < 8 * kCount) {  // addresses of the other lanes are not read
    const void* const row = sharedPointer(address);
    requireAligned(site, site.function, row);
    std::memcpy(own.row, row, 16);
  }
  own = meetAsWarp(site, own, [](Rows* const(&lanes)[32]) {
    for (int m = 0; m < kCount; ++m) {
      std::uint16_t elements[8][8];
      for (int r = 0; r < 8; ++r) std::memcpy(elements[r], lanes[8 * m + r]->row, 16);
      for (int lane = 0; lane < 32; ++lane) {
        const int g = lane / 4, t = 2 * (lane % 4);
        const std::uint16_t one = isTransposed ? elements[t][g] : elements[g][t];
        const std::uint16_t other = isTransposed ? elements[t + 1][g] : elements[g][t + 1];
        lanes[lane]->parts[m] = one | std::uint32_t{other} << 16;
      }
    }
  });
  std::memcpy(to, own.parts, sizeof to);
}

/// Does the reverse: each lane gives its part of each matrix, or of its transpose.
template <bool isTransposed, int kCount, class Address>
NBODY_ALWAYS_INLINE void storeMatrices(Address address, const std::uint32_t (&from)[kCount],
                                       NBODY_SITE) {
  struct Rows {
    std::uint32_t parts[kCount];  ///< in
    std::uint64_t row[2];  ///< out
  };
  const Site site = {"stmatrix", file, line};
  requireDevice(site, site.function);
  Rows own{};
  std::memcpy(own.parts, from, sizeof from);
  own = meetAsWarp(site, own, [](Rows* const(&lanes)[32]) {
    for (int m = 0; m < kCount; ++m) {
      std::uint16_t elements[8][8];
      for (int lane = 0; lane < 32; ++lane) {
        const int g = lane / 4, t = 2 * (lane % 4);
        const std::uint32_t part = lanes[lane]->parts[m];
        (isTransposed ? elements[t][g] : elements[g][t]) = static_cast<std::uint16_t>(part);
        (isTransposed ? elements[t + 1][g] : elements[g][t + 1]) =
            static_cast<std::uint16_t>(part >> 16);
      }
      for (int r = 0; r < 8; ++r) std::memcpy(lanes[8 * m + r]->row, elements[r], 16);
    }
  });
  if (laneOfCaller() < 8 * kCount) {
    void* const row = sharedPointer(address);
    requireAligned(site, site.function, row);
    std::memcpy(row, own.row, 16);
  }
}

}  // namespace nbody::executor
