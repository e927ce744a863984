/// \file
/// Tensor cores: products of small matrices, which the lanes of a warp compute together, and moves
/// of parts of matrices between the lanes.
///
/// Each lane holds some elements of each matrix, its fragment (PTX ISA, "Matrix fragments for
/// mma"). With p numbers in a register, g = lane / 4 and t = lane % 4, number q of register r is
///
///     of A, 16 x depth:  row g + 8 (r % 2),  column p t + q + 4 p (r / 2)
///     of B, depth x 8:   row p t + q + 4 p r,  column g
///     of C and D, 16 x 8, in floats:  row g + 8 (r / 2),  column 2 t + r % 2
///
/// Products are exact, and sums are rounded once. A GPU sums in float, in an undocumented order.
#pragma once

#include <cstdint>
#include <cstring>

#include "executor/language/small_float.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

constexpr unsigned kWholeWarp = 0xffffffffu;

/// Two numbers of 16 bits in a register.
template <class Format>
struct SmallNumbers {
  static constexpr int perRegister = 2;
  static float at(std::uint32_t bits, int q) {
    return floatOfSmall(static_cast<std::uint16_t>(bits >> 16 * q), Format{});
  }
};
/// A float. Tensor cores read 10 bits of its fraction and ignore the others.
struct Tf32Number {
  static constexpr int perRegister = 1;
  static float at(std::uint32_t bits, int) { return bitCast<float>(bits & ~0x1fffu); }
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

/// Computes D = A B + C. Each lane gives its registers and gets its part of D.
template <class Number, int kA, int kB>
NBODY_ALWAYS_INLINE void multiplyMatrices(float* const (&d)[4], const std::uint32_t (&a)[kA],
                                          const std::uint32_t (&b)[kB], const float (&c)[4],
                                          NBODY_SITE) {
  static_assert(kA == 2 * kB);
  struct Fragments {
    std::uint32_t a[kA], b[kB];
    float c[4];
  };
  Fragments own;
  std::memcpy(own.a, a, sizeof a);
  std::memcpy(own.b, b, sizeof b);
  std::memcpy(own.c, c, sizeof c);
  own = meetAsWarp({"mma.sync", file, line}, own, [](Fragments* const(&lanes)[32]) {
    constexpr int p = Number::perRegister, depth = 4 * p * kB;
    float first[16][depth], second[depth][8];
    for (int lane = 0; lane < 32; ++lane)
      for (int q = 0; q < p; ++q) {
        const int g = lane / 4, column = p * (lane % 4) + q;
        for (int r = 0; r < kA; ++r)
          first[g + 8 * (r % 2)][column + 4 * p * (r / 2)] = Number::at(lanes[lane]->a[r], q);
        for (int r = 0; r < kB; ++r)
          second[column + 4 * p * r][g] = Number::at(lanes[lane]->b[r], q);
      }
    for (int lane = 0; lane < 32; ++lane)
      for (int r = 0; r < 4; ++r) {
        double sum = lanes[lane]->c[r];
        for (int k = 0; k < depth; ++k)
          sum += double{first[lane / 4 + 8 * (r / 2)][k]} * second[k][2 * (lane % 4) + r % 2];
        lanes[lane]->c[r] = static_cast<float>(sum);
      }
  });
  for (int r = 0; r < 4; ++r) *d[r] = own.c[r];
}

/// Returns a lane's part of the transpose of an 8 x 8 matrix of 16-bit elements. A part is a pair
/// of neighbours in row lane / 4, from column 2 (lane % 4) on.
NBODY_ALWAYS_INLINE std::uint32_t transposed(std::uint32_t part, NBODY_SITE) {
  return meetAsWarp({"movmatrix", file, line}, part, [](std::uint32_t* const(&lanes)[32]) {
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
NBODY_ALWAYS_INLINE const void* sharedPointer(Address address) {
  if constexpr (sizeof(Address) > 4) return reinterpret_cast<const void*>(address);
  else return sharedAt(static_cast<std::uint32_t>(address));
}

/// Loads \p kCount matrices of 8 x 8 elements of 16 bits. Lane 8 m + r has the address of row r of
/// matrix m. Each lane gets its part of each matrix, see transposed(), or of its transpose.
template <bool isTransposed, int kCount, class Address>
NBODY_ALWAYS_INLINE void loadMatrices(std::uint32_t* const (&to)[kCount], Address address,
                                      NBODY_SITE) {
  struct Rows {
    std::uint64_t row[2];  ///< in; 16 bytes
    std::uint32_t parts[kCount];  ///< out
  };
  Rows own{};
  if (laneOfCaller() < 8 * kCount) {  // addresses of the other lanes are not read
    struct alignas(16) Row {
      std::uint64_t halves[2];
    };
    const Row row = *static_cast<const Row*>(sharedPointer(address));
    own.row[0] = row.halves[0], own.row[1] = row.halves[1];
  }
  own = meetAsWarp({"ldmatrix", file, line}, own, [](Rows* const(&lanes)[32]) {
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
  for (int m = 0; m < kCount; ++m) *to[m] = own.parts[m];
}

}  // namespace nbody::executor
