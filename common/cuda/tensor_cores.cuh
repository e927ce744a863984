/// \file
/// Tensor cores by name: products of small matrices that a warp computes together. Compute capability 8.0 and later.
///
/// Each lane holds a few elements of each matrix, its fragment. With g = lane / 4 and t = lane % 4 (PTX ISA, "Matrix
/// Fragments for mma"):
///
///     D, 16 x 8, floats             A, 16 x 16, pairs of FP16           B, 16 x 8, pairs of FP16
///              columns 2t, 2t + 1            columns 2t..   8 + 2t..             column g
///     row g      d[0], d[1]          row g     a[0]          a[2]        rows 2t..      b[0]
///     row g + 8  d[2], d[3]          row g + 8 a[1]          a[3]        rows 8 + 2t..  b[1]
///
/// TF32 has one number in a register: A is 16 x 8 with columns t and t + 4, B is 8 x 8 with rows t and t + 4.
#pragma once

#include <cuda_runtime.h>

namespace nbody {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define NBODY_TENSOR_CORES(...) __trap()
#else
// Not volatile: a result depends on the operands alone, so the compiler may interleave chains of products, which it does not
// with volatile. All lanes must execute the instruction together. Clang treats inline assembly of CUDA as convergent: it moves
// none of it under a condition that lanes may differ in. nvcc's documents do not say whether it does the same; step 09's tests
// compare the forces on every body.
#define NBODY_TENSOR_CORES(...) asm(__VA_ARGS__)
#endif

/// Adds A B to D: FP16 in, exact products, sums in FP32. All lanes of the warp take part.
__device__ inline void multiplyHalves(float (&d)[4], const unsigned (&a)[4],
                                      const unsigned (&b)[2]) {
  NBODY_TENSOR_CORES(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// Adds A B to D for TF32 numbers. The hardware reads 10 bits of each fraction and ignores the others; see toTf32().
__device__ inline void multiplyTf32(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  NBODY_TENSOR_CORES(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// Rounds to TF32, 10 bits of the fraction. Without it every product is too small by 3.5e-4 on average.
__device__ inline unsigned toTf32(float x) {
  unsigned rounded = 0;
  NBODY_TENSOR_CORES("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(x));
  return rounded;
}

/// Rounds a finite number to TF32 in one instruction, where toTf32() takes two: adds half of the last bit that
/// multiplyTf32() reads.
__device__ inline unsigned roundedTf32(float x) { return __float_as_uint(x) + 0x1000u; }

/// Transposes an 8 x 8 matrix of 16-bit numbers. Each lane holds row g, columns 2t and 2t + 1, before and after.
__device__ inline unsigned transposedHalves(unsigned part) {
  unsigned transposed = 0;
  NBODY_TENSOR_CORES("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
                     : "=r"(transposed)
                     : "r"(part));
  return transposed;
}

#undef NBODY_TENSOR_CORES

}  // namespace nbody
