// CUDA's special functions that C++ lacks. Functions of float are computed in double.
#include <cmath>

#include "executor/language/math.hpp"

namespace {

constexpr double kPi = 3.141592653589793238;

/// Returns the x in [-1/4, 1/4] and the quarter with angle = quarter / 2 + x, in turns of two: pi
/// times the angle has the period 2.
double reduced(double angle, int* quarter) {
  const double inTurn = std::fmod(angle, 2.0), half = std::nearbyint(2 * inTurn);
  *quarter = static_cast<int>(half) & 3;
  return inTurn - half / 2;
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

double normcdf(double x) noexcept { return std::erfc(-x / std::sqrt(2.0)) / 2; }

#define NBODY_OF_FLOAT(name) \
  float name##f(float x) noexcept { return static_cast<float>(name(static_cast<double>(x))); }
NBODY_SPECIAL_1(NBODY_OF_FLOAT)
