/// \file
/// A step's forces against FP64.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Shares of the bodies for which a report says what error they exceed: the 50%, 10% and 1% that
/// distributions of errors are read at, and enough others to draw one.
constexpr std::array<double, 13> kExceeding = {0.99, 0.95, 0.9, 0.8, 0.7,  0.6, 0.5,
                                               0.4,  0.3,  0.2, 0.1, 0.05, 0.01};

/// Errors of a step's method beyond rounding, in the unit of forceTolerance().
struct ErrorBound {
  double max = 0;  ///< bound for every body
  double median = 0;  ///< half of the bodies stay below
};

/// Relative errors |a - a_ref| / |a_ref| over a sample of bodies, and whether they are what
/// rounding explains.
struct ForceError {
  int evaluation = 1;  ///< number of the evaluation since the bodies were uploaded
  int sampled = 0;
  double median = 0;
  double p99 = 0;
  std::optional<double> p999;  ///< of more than 4,096 bodies
  double max = 0;
  std::vector<double> exceeded;  ///< error that each share of kExceeding exceeds; or empty
  bool passed = false;
  std::string failure;  ///< one line if the check failed; or empty
  std::string hint;  ///< description of the wrong forces in one line, from checkForces(); or empty
  double share = 0;  ///< of the work that is correct although the check failed; see Symptom

  std::string summary() const { return hint.empty() ? failure : hint; }
};

/// Returns the error of a plain FP32 sum over all bodies in their order, in units of S, at a place of
/// the sample. In some scenes, two clusters for example, many terms are alike, and the sum loses the
/// last bits of all of them in the same direction: N / 2 roundings at worst. The check asks only if a
/// body exceeds forceTolerance(), because each answer takes a sum over all bodies.
using PlainError = std::function<double(std::size_t place)>;

/// Empty for a step in FP64. The arguments must live as long as the result.
PlainError plainErrors(const Bodies& bodies, double softening, const std::vector<int>& sample,
                       const std::vector<Double4>& reference, double unitRoundoff);

/// Compares \p accelerations with the FP64 direct sum over \p bodies.
///
/// A body passes if |a - a_ref| <= tolerance * S with S the sum of the lengths of the terms of
/// its force: in a cluster's centre the terms cancel, so |a_ref| alone would blame rounding on the
/// step.
/// \param unitRoundoff   of the step's arithmetic: 2^-24 for FP32, 2^-53 for FP64
/// \param approximation  what the step's method allows beyond rounding
ForceError compareForces(const Bodies& bodies, const std::vector<Double4>& accelerations,
                         double softening, double unitRoundoff, ErrorBound approximation = {});

/// Compares with \p reference, of the bodies of \p sample, instead of the direct sum. Its w is the scale S of
/// each body.
/// \param rounding    forceTolerance()
/// \param plainError  plainErrors(), if there may be worse rounding
ForceError compareForces(const std::vector<Double4>& accelerations, const std::vector<int>& sample,
                         const std::vector<Double4>& reference, double rounding,
                         ErrorBound approximation = {}, const PlainError& plainError = {});

/// Says how many of the accelerations are not finite, and the likely reason; empty if all are finite.
std::string badAccelerations(const std::vector<Double4>& accelerations);

/// Sets the distribution of \p result from \p errors, which must not be empty.
void summarizeErrors(std::vector<double> errors, ForceError& result);

/// Returns the indices of the bodies that are compared: all up to 4,096, otherwise 1,000 of them, and of more than
/// 10^8 fewer, down to 100. If the reference is computed \p onDevice, all up to 16,384, otherwise so many, and of more
/// than 6 * 10^6 fewer.
std::vector<int> checkedBodies(int count, bool onDevice = false);

/// Returns the largest error, in units of S, that rounding explains for a sum of \p count terms.
double forceTolerance(int count, double unitRoundoff);

}  // namespace nbody
