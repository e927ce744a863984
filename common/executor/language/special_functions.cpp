// CUDA's special functions that C++ lacks. Functions of float are computed in double.
#include <cmath>
#include <limits>

#include "executor/language/math.hpp"

namespace {

constexpr double kPi = 3.141592653589793238;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Returns the x in [-1/4, 1/4] and the quarter with angle = quarter / 2 + x, in turns of two: pi
/// times the angle has the period 2.
double reduced(double angle, int* quarter) {
  const double inTurn = std::fmod(angle, 2.0), half = std::nearbyint(2 * inTurn);
  *quarter = static_cast<int>(half) & 3;
  return inTurn - half / 2;
}

/// Improves \p x, where f(x) is \p y, by Halley's method. step(x) is (f(x) - y) / f'(x), and f'' is
/// -2 x f', as for erf() and erfc().
template <class Step>
double solved(double x, Step step) {
  for (int i = 0; i < 4; ++i) {
    const double u = step(x);
    if (!std::isfinite(u)) break;
    x -= u / (1 + x * u);
  }
  return x;
}

}  // namespace

double sinpi(double x) noexcept {
  int quarter;
  const double rest = kPi * reduced(x, &quarter);
  if (rest == 0 && quarter % 2 == 0) return std::copysign(0.0, x);
  const double value = quarter % 2 == 0 ? std::sin(rest) : std::cos(rest);
  return quarter < 2 ? value : -value;
}

double cospi(double x) noexcept {
  int quarter;
  const double rest = kPi * reduced(x, &quarter);
  if (rest == 0 && quarter % 2 == 1) return 0;
  const double value = quarter % 2 == 0 ? std::cos(rest) : std::sin(rest);
  return quarter == 0 || quarter == 3 ? value : -value;
}

double tanpi(double x) noexcept { return sinpi(x) / cospi(x); }

double rcbrt(double x) noexcept { return 1 / std::cbrt(x); }

double erfcinv(double y) noexcept {
  if (!(y >= 0 && y <= 2)) return std::nan("");
  if (y == 0 || y == 2) return y == 0 ? kInfinity : -kInfinity;
  if (y > 1) return -erfcinv(2 - y);
  // The tail of erfc() is exp(-x^2) / (x sqrt(pi)).
  const double length = -std::log(y * std::sqrt(kPi));
  const double tail = length > 1 ? std::sqrt(length - std::log(length) / 2) : 0;
  const double begin = y > 0.1 ? std::sqrt(kPi) / 2 * (1 - y) : tail;
  return solved(begin, [y](double x) {
    return (std::erfc(x) - y) / (-2 / std::sqrt(kPi) * std::exp(-x * x));
  });
}

double erfinv(double y) noexcept {
  if (std::fabs(y) > 0.9) return y > 0 ? erfcinv(1 - y) : -erfcinv(1 + y);
  return solved(std::sqrt(kPi) / 2 * y, [y](double x) {
    return (std::erf(x) - y) / (2 / std::sqrt(kPi) * std::exp(-x * x));
  });
}

double erfcx(double x) noexcept {
  if (x < 25)
    return static_cast<double>(std::exp(static_cast<long double>(x) * x) *
                               std::erfc(static_cast<long double>(x)));
  double term = 1, sum = 1;  // of the asymptotic series
  for (int i = 1; i < 8; ++i) sum += term *= -(2 * i - 1) / (2 * x * x);
  return sum / (x * std::sqrt(kPi));
}

double normcdf(double x) noexcept { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double normcdfinv(double y) noexcept { return 0 - std::sqrt(2.0) * erfcinv(2 * y); }
double cyl_bessel_i0(double x) noexcept { return std::cyl_bessel_i(0, std::fabs(x)); }
double cyl_bessel_i1(double x) noexcept {
  return std::copysign(std::cyl_bessel_i(1, std::fabs(x)), x);
}

#define NBODY_OF_FLOAT(name) \
  float name##f(float x) noexcept { return static_cast<float>(name(static_cast<double>(x))); }
NBODY_SPECIAL_1(NBODY_OF_FLOAT)
