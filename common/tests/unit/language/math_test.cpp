// CUDA's mathematics on the executor: special functions, min and max, directed rounding.
#include "executor/language/math.hpp"
#include "executor/language/fast_math.hpp"
#include "executor/language/min_max.hpp"
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

TEST_CASE("special functions have the values of tables") {
  // Source: mpmath with 40 digits.
  CHECK(erfinv(0.5) == Approx(0.47693627620446987338).epsilon(1e-15));
  CHECK(erfinv(-0.999999) == Approx(-3.4589107372754987775).epsilon(1e-12));  // ill-conditioned
  CHECK(erfinv(1e-5) == Approx(8.862269254759594528e-6).epsilon(1e-15));
  CHECK(erfcinv(1e-20) == Approx(6.6015806223551425656).epsilon(1e-14));
  CHECK(erfcinv(1e-300) == Approx(26.209469960516123886).epsilon(1e-14));
  CHECK(erfcinv(1.25) == Approx(-0.22531205501217810473).epsilon(1e-15));
  CHECK(normcdfinv(1e-10) == Approx(-6.3613409024040561991).epsilon(1e-14));
  CHECK(normcdf(-8.0) == Approx(6.2209605742717841235e-16).epsilon(1e-14));
  CHECK(erfcx(10.0) == Approx(0.056140992743822585858).epsilon(1e-14));
  CHECK(erfcx(24.9) == Approx(0.022639987776049506286).epsilon(1e-14));
  CHECK(erfcx(30.0) == Approx(0.018795888861416751497).epsilon(1e-14));
  CHECK(erfcx(-3.0) == Approx(16205.988853999586625).epsilon(1e-14));
  CHECK(cyl_bessel_i0(-3.0) == Approx(4.8807925858650240856).epsilon(1e-14));
  CHECK(cyl_bessel_i1(-2.0) == Approx(-1.5906368546373290634).epsilon(1e-14));
  CHECK(sinpi(0.1) == Approx(0.30901699437494744069).epsilon(1e-15));
  CHECK(cospi(100000.3) == Approx(0.58778525228507609425).epsilon(1e-14));
}

TEST_CASE("inverses of erf undo it, and their ends are infinite") {
  for (double x = -5.5; x < 5.6; x += 0.1) {
    if (std::fabs(x) < 3) CHECK(erfinv(std::erf(x)) == Approx(x).margin(1e-12));
    CHECK(erfcinv(std::erfc(x)) == Approx(x).margin(x > -3 ? 1e-12 : 0.2));  // 2 - tiny is coarse
  }
  CHECK(erfinv(1.0) == INFINITY);
  CHECK(erfinv(-1.0) == -INFINITY);
  CHECK(std::isnan(erfinv(1.5)));
  CHECK(std::isnan(erfinv(NAN)));
  CHECK(erfcinv(0.0) == INFINITY);
  CHECK(std::isnan(erfcinv(-1.0)));
  CHECK(std::isnan(normcdfinv(2.0)));
}

TEST_CASE("sines of half turns are exact at quarters") {
  const double sines[] = {0, 1, 0, -1};
  for (int quarter = -8; quarter <= 8; ++quarter) {
    CHECK(sinpi(quarter / 2.0) == sines[quarter & 3]);
    CHECK(cospif(static_cast<float>(quarter) / 2) == sines[(quarter + 1) & 3]);
  }
  CHECK(sinpi(1e300) == 0);
  CHECK(std::isnan(sinpi(static_cast<double>(INFINITY))));
  float sine, cosine;
  sincospi(0.25f, &sine, &cosine);
  CHECK(sine == Approx(std::sqrt(0.5f)));
  CHECK(cosine == sine);
}

TEST_CASE("norms neither overflow nor lose small values") {
  CHECK(norm3d(2e200, 3e200, 6e200) == Approx(7e200));
  CHECK(norm4d(1e-200, 1e-200, 1e-200, 1e-200) == Approx(2e-200));
  CHECK(rnorm3df(2, 3, 6) == Approx(1.0f / 7));
  CHECK(norm3d(double{NAN}, double{INFINITY}, 1.0) == INFINITY);
  CHECK(std::isnan(norm3d(double{NAN}, 1.0, 1.0)));
  const float values[] = {1, 2, 2, 4, 4, 8, 8, 8, 2, 4};
  CHECK(normf(10, values) == Approx(std::sqrt(253.0f)));
  CHECK(rhypotf(3, 4) == Approx(0.2f));
  CHECK(rcbrt(27.0) == Approx(1 / 3.0));
}

TEST_CASE("functions of float stay float") {
  STATIC_REQUIRE(std::is_same_v<decltype(rsqrt(1.0f)), float>);
  STATIC_REQUIRE(std::is_same_v<decltype(exp10(1.0f)), float>);
  STATIC_REQUIRE(std::is_same_v<decltype(sinpi(1.0f)), float>);
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
    checkDirected(
        __dadd_rn(a, b), __dadd_rz(a, b), __dadd_ru(a, b), __dadd_rd(a, b), errorOfSum(a, b));
    checkDirected(
        __dsub_rn(a, b), __dsub_rz(a, b), __dsub_ru(a, b), __dsub_rd(a, b), errorOfSum(a, -b));
    checkDirected(p, __dmul_rz(a, b), __dmul_ru(a, b), __dmul_rd(a, b), std::fma(a, b, -p));
    const double rest = std::fma(-q, b, a);
    checkDirected(q, __ddiv_rz(a, b), __ddiv_ru(a, b), __ddiv_rd(a, b), b > 0 ? rest : -rest);
    checkDirected(s, __dsqrt_rz(c), __dsqrt_ru(c), __dsqrt_rd(c), std::fma(-s, s, c));
    const double r = 1 / c;
    checkDirected(r, __drcp_rz(c), __drcp_ru(c), __drcp_rd(c), std::fma(-r, c, 1.0));
  }
}

TEST_CASE("directed rounding of float, and to float, lies on the named side") {
  const std::vector<double> x = numbers(2000, 10);  // so that sums and products are exact in double
  for (std::size_t i = 0; i + 2 < x.size(); ++i) {
    const float a = static_cast<float>(x[i]), b = static_cast<float>(x[i + 1]), c = std::fabs(a);
    const double sum = double{a} + b, product = double{a} * b;
    const float rsum = a + b, rproduct = a * b;
    checkDirected(rsum, __fadd_rz(a, b), __fadd_ru(a, b), __fadd_rd(a, b), sum - rsum);
    checkDirected(rproduct, __fmul_rz(a, b), __fmul_ru(a, b), __fmul_rd(a, b), product - rproduct);
    const float fused = __fmaf_rn(a, b, 1.5f);
    const double error = errorOfSum(product, 1.5) + (product + 1.5 - fused);
    checkDirected(
        fused, __fmaf_rz(a, b, 1.5f), __fmaf_ru(a, b, 1.5f), __fmaf_rd(a, b, 1.5f), error);
    const float root = __fsqrt_rn(c);
    checkDirected(root, __fsqrt_rz(c), __fsqrt_ru(c), __fsqrt_rd(c), c - double{root} * root);
    const float f = static_cast<float>(x[i]);
    checkDirected(
        f, __double2float_rz(x[i]), __double2float_ru(x[i]), __double2float_rd(x[i]), x[i] - f);
    const int n = static_cast<int>(x[i] * 1e6);
    const float whole = static_cast<float>(n);
    checkDirected(
        whole, __int2float_rz(n), __int2float_ru(n), __int2float_rd(n), n - double{whole});
  }
  CHECK(__fadd_rz(3e38f, 3e38f) == std::numeric_limits<float>::max());
  CHECK(__fadd_ru(3e38f, 3e38f) == INFINITY);
  CHECK(std::signbit(__fadd_rd(1, -1)));
  CHECK(__ull2double_ru(0xffffffffffffffff) == 0x1p64);
  CHECK(__ull2double_rd(0xffffffffffffffff) == 0x1.fffffffffffffp63);
}
