// CUDA's mathematics on the executor: names of float, min and max, directed rounding. That of float arithmetic is in
// programs/kernel_language.cu, as a GPU has it.
#include "executor/language/math.hpp"
#include "executor/language/rounding.hpp"

#include <random>
#include <type_traits>

using namespace nbody;

namespace {

/// Random doubles of any sign, their exponents within \p range of 0.
std::vector<double> numbers(int count, int range) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> fraction(1, 2);
  std::uniform_int_distribution<int> exponent(-range, range), sign(0, 1);
  std::vector<double> result(count);
  for (double& x : result)
    x = (sign(random) != 0 ? 1 : -1) * std::ldexp(fraction(random), exponent(random));
  return result;
}

/// The four results of one operation and the sign of exact minus nearest. Down is below, up above,
/// they are neighbours or equal, and the one towards zero is the smaller in size.
template <class T>
void checkDirected(T nearest, T zero, T up, T down, double error) {
  const T infinity = std::numeric_limits<T>::infinity();
  CHECK(down == (error < 0 ? std::nextafter(nearest, -infinity) : nearest));
  CHECK(up == (error > 0 ? std::nextafter(nearest, infinity) : nearest));
  CHECK(zero == (nearest > 0 ? down : up));
}

double errorOfSum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return (a - (sum - part)) + (b - part);
}

}  // namespace

TEST_CASE("functions of float stay float") {
  STATIC_REQUIRE(std::is_same_v<decltype(rsqrt(1.0f)), float>);
  STATIC_REQUIRE(std::is_same_v<decltype(exp10(1.0f)), float>);
  STATIC_REQUIRE(std::is_same_v<decltype(sqrt(1.0f)), float>);
  STATIC_REQUIRE(std::is_same_v<decltype(::fabs(1.0f)), float>);
  STATIC_REQUIRE(std::is_same_v<decltype(max(1, 2u)), unsigned>);
  STATIC_REQUIRE(std::is_same_v<decltype(min(1.0f, 2.0)), double>);
}

TEST_CASE("min and max take every pair of types, and numbers before NaN") {
  CHECK(max(-1, 1u) == 0xffffffffu);
  CHECK(min(-1L, 5UL) == 5);
  CHECK(min(3LL, -4LL) == -4);
  CHECK(max(NAN, 1.0f) == 1);
  CHECK(min(2.0, static_cast<double>(NAN)) == 2);
  CHECK(umax(3, 0xfffffffeu) == 0xfffffffeu);
}

TEST_CASE("fast functions end where a GPU's do") {
  CHECK(__fdividef(1, 0x1p127f) == 0);
  CHECK(__fdividef(1, 4) == 0.25f);
  CHECK(std::isnan(__fdividef(INFINITY, 0x1p127f)));
  CHECK(std::isnan(__powf(-2, 2)));
  CHECK(__powf(2, 10) == 1024);
  CHECK(__saturatef(NAN) == 0);
  CHECK(__saturatef(-3) == 0);
  CHECK(__saturatef(0.25f) == 0.25f);
  CHECK(__saturatef(7) == 1);
}

TEST_CASE("directed rounding of double lies on the named side of the exact result") {
  const std::vector<double> x = numbers(2000, 30);
  for (std::size_t i = 0; i + 2 < x.size(); ++i) {
    const double a = x[i], b = x[i + 1], c = std::fabs(a), p = a * b, q = a / b, s = std::sqrt(c);
    checkDirected(__dadd_rn(a, b), __dadd_rz(a, b), __dadd_ru(a, b), __dadd_rd(a, b),
                  errorOfSum(a, b));
    checkDirected(__dsub_rn(a, b), __dsub_rz(a, b), __dsub_ru(a, b), __dsub_rd(a, b),
                  errorOfSum(a, -b));
    checkDirected(p, __dmul_rz(a, b), __dmul_ru(a, b), __dmul_rd(a, b), std::fma(a, b, -p));
    const double rest = std::fma(-q, b, a);
    checkDirected(q, __ddiv_rz(a, b), __ddiv_ru(a, b), __ddiv_rd(a, b), b > 0 ? rest : -rest);
    checkDirected(s, __dsqrt_rz(c), __dsqrt_ru(c), __dsqrt_rd(c), std::fma(-s, s, c));
    const double r = 1 / c;
    checkDirected(r, __drcp_rz(c), __drcp_ru(c), __drcp_rd(c), std::fma(-r, c, 1.0));
  }
}

TEST_CASE("directed rounding to float lies on the named side") {
  for (double x : numbers(2000, 10)) {
    const float f = static_cast<float>(x);
    checkDirected(f, __double2float_rz(x), __double2float_ru(x), __double2float_rd(x), x - f);
    const int n = static_cast<int>(x * 1e6);
    const float whole = static_cast<float>(n);
    checkDirected(whole, __int2float_rz(n), __int2float_ru(n), __int2float_rd(n),
                  n - double{whole});
  }
  CHECK(__fadd_rz(3e38f, 3e38f) == std::numeric_limits<float>::max());
  CHECK(__fadd_ru(3e38f, 3e38f) == INFINITY);
  CHECK(std::signbit(__fadd_rd(1, -1)));
  CHECK(__ull2double_ru(0xffffffffffffffff) == 0x1p64);
  CHECK(__ull2double_rd(0xffffffffffffffff) == 0x1.fffffffffffffp63);
}
