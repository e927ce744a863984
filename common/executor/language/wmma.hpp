/// \file
/// CUDA's mma.h: matrix fragments that a warp loads, multiplies and stores (nvcuda::wmma).
///
/// CUDA does not specify which elements a lane holds, but fragments of the same type are alike. Here
/// an accumulator consists of parts of 16 x 8 elements, which are spread over the lanes like those of
/// mma.sync (tensor_cores.hpp), as on most GPUs. Halves, bfloat16, TF32, double and integers of 8 bits.
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
  static constexpr bool isA = std::is_same_v<Use, nvcuda::wmma::matrix_a>;
  static constexpr bool isB = std::is_same_v<Use, nvcuda::wmma::matrix_b>;
  static constexpr unsigned rows = isB ? k : m, columns = isA ? k : n;
  static constexpr unsigned cells = rows * columns / 32;  ///< elements per lane
};

/// Type that a fragment of numbers of type T holds, the value that tensor cores read from it, and the
/// name of the instruction in the table of requirements.
template <class T>
struct MatrixNumber {
  using Type = T;
  static constexpr const char* product = std::is_same_v<T, __half> ? "mma_sync() of half"
                                         : std::is_integral_v<T>   ? "mma_sync() of integers"
                                                                   : "mma_sync()";
  static double read(T x) {
    if constexpr (std::is_arithmetic_v<T>) return x;
    else return float(x);
  }
};
template <>
struct MatrixNumber<nvcuda::wmma::precision::tf32> {
  using Type = float;
  static constexpr const char* product = "mma_sync()";
  static double read(float x) { return Tf32Number::at(bitCast<std::uint32_t>(x), 0); }
};

/// A row and a column of a matrix.
struct Cell {
  unsigned row, column;
};
/// Returns the place of element \p e of lane \p lane in a matrix of \p rows x \p columns.
constexpr Cell cellOf(unsigned rows, unsigned columns, unsigned lane, unsigned e) {
  if (columns < 8) return {lane / 4, lane % 4};
  const unsigned perPart = rows < 16 ? 2 : 4, down = rows < 16 ? 1 : rows / 16;
  const unsigned part = e / perPart, r = e % perPart;
  return {part % down * 16 + lane / 4 + r / 2 * 8, part / down * 8 + lane % 4 * 2 + r % 2};
}
/// Returns the place of an element of a fragment. B is spread like its transpose.
template <class Fragment>
constexpr Cell cellIn(unsigned lane, unsigned e) {
  if constexpr (Fragment::isB) {
    const Cell cell = cellOf(Fragment::columns, Fragment::rows, lane, e);
    return {cell.column, cell.row};
  } else {
    return cellOf(Fragment::rows, Fragment::columns, lane, e);
  }
}

}  // namespace nbody::executor

namespace nvcuda::wmma {

/// A lane's elements of a matrix. On a GPU a lane holds 16 halves of A and of B in any case, and if
/// these are more than its share, the first ones again.
template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment : public nbody::executor::MatrixExtents<Use, m, n, k> {
 public:
  using element_type = typename nbody::executor::MatrixNumber<T>::Type;
  static constexpr int num_elements =
      std::is_same_v<T, __half> && (fragment::isA || fragment::isB) ? 16 : fragment::cells;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};

template <class Fragment, class T>
NBODY_ALWAYS_INLINE void fill_fragment(Fragment& to, const T& value) {
  for (auto& element : to.x) element = value;
}

}  // namespace nvcuda::wmma

namespace nbody::executor {

/// Returns the place in memory of the calling lane's element \p e.
template <class Fragment>
NBODY_ALWAYS_INLINE std::size_t placeOf(unsigned e, unsigned ld, bool isByRows) {
  const Cell cell = cellIn<Fragment>(laneOfCaller(), e % Fragment::cells);
  return isByRows ? std::size_t{cell.row} * ld + cell.column
                  : std::size_t{cell.column} * ld + cell.row;
}

/// Checks a load or a store before it begins.
template <class Fragment, class T>
NBODY_ALWAYS_INLINE void beginTransfer(const char* name, const T* address, unsigned ld,
                                       bool isByRows, const char* file, int line) {
  constexpr std::size_t rows = Fragment::rows, columns = Fragment::columns;
  const std::size_t last = isByRows ? (rows - 1) * ld + columns - 1 : (columns - 1) * ld + rows - 1;
  requireDevice({name, file, line}, name);
  requireMatrix({name, file, line}, address, sizeof(T), ld, last);
}

template <class Fragment, class From>
NBODY_ALWAYS_INLINE void loadFragment(Fragment& to, const From* from, unsigned ld, bool isByRows,
                                      const char* file, int line) {
  beginTransfer<Fragment>("load_matrix_sync()", from, ld, isByRows, file, line);
  for (unsigned e = 0; e < Fragment::num_elements; ++e)
    to.x[e] =
        e < Fragment::cells ? from[placeOf<Fragment>(e, ld, isByRows)] : to.x[e % Fragment::cells];
}

/// Puts the elements of all lanes into a matrix.
template <class Fragment, class Number, class Lanes, class Member, class Matrix>
void gatherFragment(Lanes& lanes, Member member, Matrix& matrix) {
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned e = 0; e < Fragment::cells; ++e) {
      const Cell cell = cellIn<Fragment>(lane, e);
      matrix[cell.row][cell.column] = Number::read((lanes[lane]->*member).x[e]);
    }
}

}  // namespace nbody::executor

namespace nvcuda::wmma {

template <class Use, int m, int n, int k, class T, class Layout, class From>
NBODY_ALWAYS_INLINE void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& to, const From* from,
                                          unsigned ld, NBODY_SITE) {
  nbody::executor::loadFragment(to, from, ld, std::is_same_v<Layout, row_major>, file, line);
}
template <int m, int n, int k, class T, class From>
NBODY_ALWAYS_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const From* from,
                                          unsigned ld, layout_t layout, NBODY_SITE) {
  nbody::executor::loadFragment(to, from, ld, layout == mem_row_major, file, line);
}
template <int m, int n, int k, class T>
NBODY_ALWAYS_INLINE void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from,
                                           unsigned ld, layout_t layout, NBODY_SITE) {
  using Fragment = fragment<accumulator, m, n, k, T>;
  const bool isByRows = layout == mem_row_major;
  nbody::executor::beginTransfer<Fragment>("store_matrix_sync()", to, ld, isByRows, file, line);
  nbody::executor::requireFilled({"store_matrix_sync()", file, line}, "the accumulator", from.x,
                                 sizeof from.x);
  for (unsigned e = 0; e < Fragment::num_elements; ++e)
    to[nbody::executor::placeOf<Fragment>(e, ld, isByRows)] = from.x[e];
}

/// Rounds a float to the part that tensor cores read.
inline float __float_to_tf32(float x) {
  return nbody::executor::bitCast<float>(nbody::executor::roundedToTf32(x));
}

/// Computes D = A B + C. Sums of integers stay at the ends of the range if \p isSaturated.
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class TD, class TC>
NBODY_ALWAYS_INLINE void mma_sync(fragment<accumulator, m, n, k, TD>& d,
                                  const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                                  const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                                  const fragment<accumulator, m, n, k, TC>& c,
                                  bool isSaturated = false, NBODY_SITE) {
  using namespace nbody::executor;
  using Number = MatrixNumber<T>;
  using A = fragment<matrix_a, m, n, k, T, LayoutA>;
  using B = fragment<matrix_b, m, n, k, T, LayoutB>;
  using C = fragment<accumulator, m, n, k, TC>;
  struct Fragments {
    A a;
    B b;
    C c;
    fragment<accumulator, m, n, k, TD> d;
  };
  const Site site = {"mma_sync()", file, line};
  requireDevice(site, Number::product);
  if constexpr (sizeof(typename A::element_type) > 1) {  // any bytes may be a program's own
    requireFilled(site, "the fragment of A", a.x, sizeof a.x);
    requireFilled(site, "the fragment of B", b.x, sizeof b.x);
  }
  requireFilled(site, "the accumulator", c.x, sizeof c.x);
  d = meetAsWarp(site, Fragments{a, b, c, {}}, [isSaturated](Fragments* const(&lanes)[32]) {
        double first[m][k], second[k][n], sums[m][n];
        gatherFragment<A, Number>(lanes, &Fragments::a, first);
        gatherFragment<B, Number>(lanes, &Fragments::b, second);
        gatherFragment<C, MatrixNumber<TC>>(lanes, &Fragments::c, sums);
        for (int row = 0; row < m; ++row)
          for (int i = 0; i < k; ++i)
            for (int column = 0; column < n; ++column)
              sums[row][column] += first[row][i] * second[i][column];
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned e = 0; e < C::cells; ++e) {
            const Cell cell = cellIn<C>(lane, e);
            const double sum = sums[cell.row][cell.column];
            auto& to = lanes[lane]->d.x[e];
            if constexpr (std::is_integral_v<TD>)
              to = isSaturated ? toInteger<TD>(sum) : static_cast<TD>(static_cast<long long>(sum));
            else if constexpr (std::is_same_v<TD, double>) to = sum;
            else to = TD(static_cast<float>(sum));
          }
      }).d;
}

}  // namespace nvcuda::wmma

using nvcuda::wmma::__float_to_tf32;
