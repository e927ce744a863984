// Special functions that neither C nor C++ has.
#include <limits>

#include "executor/language/math.hpp"

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kTwoOverSqrtPi = 1.12837916709551257390;
constexpr double kSqrtHalf = 0.70710678118654752440;

/// sin(pi x), or cos(pi x) with \p quarter 1: x is reduced by quarter turns without an error.
double sinOfHalfTurns(double x, int quarter) {
  const double turn = std::fmod(x, 2.0);
  const double quarters = std::rint(2 * turn);
  const double rest = kPi * (turn - quarters / 2);
  switch ((static_cast<int>(quarters) + quarter) & 3) {
    case 0:
      return std::sin(rest);
    case 1:
      return std::cos(rest);
    case 2:
      return -std::sin(rest);
    default:
      return -std::cos(rest);
  }
}

/// The root y of erfc(y) = \p complement, where erf(y) = \p value, both given since one of them
/// may have lost its digits; 0 <= value < 1. Halley's method from the tail's asymptote.
double inverseOfErf(double value, double complement) {
  double y = value < 0.9 ? value / kTwoOverSqrtPi * (1 + 0.26 * value * value)
                         : std::sqrt(-std::log(complement) - 0.6);
  for (int i = 0; i < 8; ++i) {
    const double slope = kTwoOverSqrtPi * std::exp(-y * y);
    const double newton = (value < 0.5 ? std::erf(y) - value : complement - std::erfc(y)) / slope;
    const double change = newton / (1 + y * newton);
    y -= change;
    if (std::fabs(change) < 1e-17 * y) break;
  }
  return y;
}

/// exp(x^2) of |x| < 27, with the rounding of x^2 made good.
double expOfSquare(double x) {
  const double square = x * x;
  return std::exp(square) * (1 + std::fma(x, x, -square));
}

template <class T>
T scaledNorm(int count, const T* values) {
  double largest = 0;
  bool nan = false;
  for (int i = 0; i < count; ++i) {
    const double size = std::fabs(static_cast<double>(values[i]));
    if (std::isinf(size)) return std::numeric_limits<T>::infinity();
    nan = nan || std::isnan(size);
    largest = std::fmax(largest, size);
  }
  if (nan) return std::numeric_limits<T>::quiet_NaN();
  if (largest == 0) return 0;
  int exponent;
  std::frexp(largest, &exponent);
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const double scaled = std::ldexp(static_cast<double>(values[i]), -exponent);
    sum = std::fma(scaled, scaled, sum);
  }
  return static_cast<T>(std::ldexp(std::sqrt(sum), exponent));
}

}  // namespace

double sinpi(double x) noexcept { return x == 0 ? x : sinOfHalfTurns(x, 0); }
double cospi(double x) noexcept { return sinOfHalfTurns(x, 1); }

double erfinv(double x) noexcept {
  const double size = std::fabs(x);
  if (x == 0) return x;
  if (!(size < 1)) return size == 1 ? std::copysign(INFINITY, x) : NAN;
  return std::copysign(inverseOfErf(size, 1 - size), x);
}

double erfcinv(double x) noexcept {
  if (x == 0) return INFINITY;
  if (x == 2) return -INFINITY;
  if (!(x > 0 && x < 2)) return NAN;
  return x <= 1 ? inverseOfErf(1 - x, x) : -inverseOfErf(x - 1, 2 - x);
}

double erfcx(double x) noexcept {
  if (x < 25) return x < -27 ? INFINITY : expOfSquare(x) * std::erfc(x);
  const double t = 1 / (x * x);  // the asymptotic series: its sixth term is below 1e-15
  return kTwoOverSqrtPi / 2 / x *
         (1 - t / 2 * (1 - 3 * t / 2 * (1 - 5 * t / 2 * (1 - 7 * t / 2 * (1 - 9 * t / 2)))));
}

double normcdf(double x) noexcept { return std::erfc(-x * kSqrtHalf) / 2; }
double normcdfinv(double p) noexcept { return -erfcinv(2 * p) / kSqrtHalf; }
double cyl_bessel_i0(double x) noexcept { return std::cyl_bessel_i(0.0, std::fabs(x)); }
double cyl_bessel_i1(double x) noexcept {
  return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x);
}

#define NBODY_OF_FLOAT(name) \
  float name##f(float x) noexcept { return static_cast<float>(name(static_cast<double>(x))); }
NBODY_OF_FLOAT(sinpi)
NBODY_OF_FLOAT(cospi)
NBODY_OF_FLOAT(erfinv)
NBODY_OF_FLOAT(erfcinv)
NBODY_OF_FLOAT(erfcx)
NBODY_OF_FLOAT(normcdf)
NBODY_OF_FLOAT(normcdfinv)
NBODY_OF_FLOAT(cyl_bessel_i0)
NBODY_OF_FLOAT(cyl_bessel_i1)

double norm(int count, const double* values) noexcept { return scaledNorm(count, values); }
float normf(int count, const float* values) noexcept { return scaledNorm(count, values); }
