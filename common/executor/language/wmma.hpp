/// \file
/// CUDA's mma.h: matrix fragments that a warp loads, multiplies and stores (nvcuda::wmma).
///
/// CUDA does not specify which elements a lane holds, but fragments of the same type are alike.
/// Here element e of lane l is number 32 e + l, row by row. Halves, bfloat16 and TF32; sums in
/// float or half.
#pragma once

#include "executor/language/small_floats.hpp"
#include "executor/language/tensor_cores.hpp"

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

}  // namespace nvcuda::wmma

namespace nbody::executor {

/// Extents of a fragment's matrix.
template <class Use, int m, int n, int k>
struct MatrixExtents {
  static constexpr int rows = std::is_same_v<Use, nvcuda::wmma::matrix_b> ? k : m;
  static constexpr int columns = std::is_same_v<Use, nvcuda::wmma::matrix_a> ? k : n;
};

/// Type that a fragment of numbers of type T holds, and the value that tensor cores read from it.
template <class T>
struct MatrixNumber {
  using Type = T;
  static float read(T x) { return x; }
};
template <>
struct MatrixNumber<nvcuda::wmma::precision::tf32> {
  using Type = float;
  static float read(float x) { return Tf32Number::at(bitCast<std::uint32_t>(x), 0); }
};

}  // namespace nbody::executor

namespace nvcuda::wmma {

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment : public nbody::executor::MatrixExtents<Use, m, n, k> {
 public:
  using element_type = typename nbody::executor::MatrixNumber<T>::Type;
  static constexpr int num_elements = fragment::rows * fragment::columns / 32;
  element_type x[num_elements];
};

template <class Fragment, class T>
void fill_fragment(Fragment& to, const T& value) {
  for (auto& element : to.x) element = value;
}

/// Calls f(element, place) for each element of the calling lane. \p ld: between rows or columns.
template <class Fragment, class F>
void forEachElement(Fragment& fragment, unsigned ld, bool isByRows, F f) {
  for (unsigned e = 0; e < Fragment::num_elements; ++e) {
    const unsigned number = 32 * e + nbody::executor::laneOfCaller();
    const unsigned row = number / Fragment::columns, column = number % Fragment::columns;
    f(fragment.x[e], isByRows ? row * ld + column : column * ld + row);
  }
}

template <class Use, int m, int n, int k, class T, class Layout, class From>
void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& to, const From* from, unsigned ld) {
  forEachElement(to, ld, std::is_same_v<Layout, row_major>,
                 [&](auto& element, unsigned at) { element = from[at]; });
}
template <int m, int n, int k, class T, class From>
void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const From* from, unsigned ld,
                      layout_t layout) {
  forEachElement(to, ld, layout == mem_row_major,
                 [&](auto& element, unsigned at) { element = from[at]; });
}
template <int m, int n, int k, class T>
void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from, unsigned ld,
                       layout_t layout) {
  forEachElement(from, ld, layout == mem_row_major,
                 [&](const auto& element, unsigned at) { to[at] = element; });
}

/// Rounds a float to the part that tensor cores read.
inline float __float_to_tf32(float x) {
  return nbody::executor::bitCast<float>(nbody::executor::roundedToTf32(x));
}

/// Computes D = A B + C.
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class TD, class TC>
void mma_sync(fragment<accumulator, m, n, k, TD>& d,
              const fragment<matrix_a, m, n, k, T, LayoutA>& a,
              const fragment<matrix_b, m, n, k, T, LayoutB>& b,
              const fragment<accumulator, m, n, k, TC>& c, NBODY_SITE) {
  using Number = nbody::executor::MatrixNumber<T>;
  struct Fragments {
    fragment<matrix_a, m, n, k, T, LayoutA> a;
    fragment<matrix_b, m, n, k, T, LayoutB> b;
    fragment<accumulator, m, n, k, TC> c;
    fragment<accumulator, m, n, k, TD> d;
  };
  d = nbody::executor::meetAsWarp(
          {"mma_sync()", file, line}, Fragments{a, b, c, {}},
          [](Fragments* const(&lanes)[32]) {
            const auto elementOf = [&](int number, auto member) {
              return (lanes[number % 32]->*member).x[number / 32];
            };
            for (int number = 0; number < m * n; ++number) {
              const int row = number / n, column = number % n;
              double sum = float(elementOf(number, &Fragments::c));
              for (int i = 0; i < k; ++i)
                sum += double{Number::read(elementOf(row * k + i, &Fragments::a))} *
                       Number::read(elementOf(i * n + column, &Fragments::b));
              lanes[number % 32]->d.x[number / 32] = TD(static_cast<float>(sum));
            }
          })
          .d;
}

}  // namespace nvcuda::wmma

using nvcuda::wmma::__float_to_tf32;
