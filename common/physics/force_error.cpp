#include "physics/force_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bodies/units.hpp"
#include "bodies/vectors.hpp"
#include "physics/gravity.hpp"
#include "physics/reference.hpp"

namespace nbody {

namespace {

/// Value at \p fraction of the way through \p sorted.
double quantile(const std::vector<double>& sorted, double fraction) {
  return sorted[static_cast<std::size_t>(fraction * (sorted.size() - 1) + 0.5)];
}

/// Sorted errors, one for each place: bodies in one place have one force, and count once.
std::vector<double> errorsOfPlaces(const std::vector<double>& errors,
                                   const std::vector<Double4>& reference) {
  std::map<std::array<double, 3>, double> places;
  for (std::size_t k = 0; k < errors.size(); ++k) {
    double& largest = places[{reference[k].x, reference[k].y, reference[k].z}];
    largest = std::max(largest, errors[k]);
  }
  std::vector<double> sorted;
  for (const auto& [force, error] : places) sorted.push_back(error);
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

/// A body may have so many times the error of a plain sum, because the step sums in another order.
constexpr double kOtherOrders = 4;

/// Says in one line how the errors \p scaled exceed \p limits; empty if they do not. They are in
/// units of S, one for each body in \p sample.
std::string failureOf(const std::vector<double>& scaled, const std::vector<int>& sample,
                      const std::vector<Double4>& reference, const ErrorBound& limits,
                      const char* explanation, const PlainError& plainError) {
  const auto more = [&](std::size_t k) { return plainError ? kOtherOrders * plainError(k) : 0; };
  for (std::size_t k = 0; k < sample.size(); ++k)
    if (!(scaled[k] <= limits.max) && !(scaled[k] <= limits.max + more(k)))
      return formatted("body %d has a relative error of %.2g; %s alone should cause at most %.2g",
                       sample[k], scaled[k], explanation, limits.max);
  const double median = quantile(errorsOfPlaces(scaled, reference), 0.5);
  if (median <= limits.median) return "";
  return formatted("the median relative error is %.2g; %s alone should cause at most %.2g", median,
                   explanation, limits.median);
}

}  // namespace

void summarizeErrors(std::vector<double> errors, ForceError& result) {
  // NaN last, so that it is never hidden.
  std::sort(errors.begin(), errors.end(),
            [](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
  result.sampled = static_cast<int>(errors.size());
  result.median = quantile(errors, 0.5);
  result.p99 = quantile(errors, 0.99);
  if (errors.size() > 4096) result.p999 = quantile(errors, 0.999);
  result.max = errors.back();
  for (double share : kExceeding) result.exceeded.push_back(quantile(errors, 1 - share));
}

std::string badAccelerations(const std::vector<Double4>& accelerations) {
  if (parallelAllOf(static_cast<int>(accelerations.size()),
                    [&](int i) { return isFinite(accelerations[i]); }))
    return "";
  const auto first = std::find_if_not(accelerations.begin(), accelerations.end(), isFinite);
  const auto good = std::count_if(accelerations.begin(), accelerations.end(), isFinite);
  const bool infinite = std::isinf(first->x) || std::isinf(first->y) || std::isinf(first->z);
  return formatted(
      "the accelerations of %td of %zu bodies are not finite, the first that of body "
      "%td: (%g, %g, %g). %s",
      static_cast<std::ptrdiff_t>(accelerations.size()) - good, accelerations.size(),
      first - accelerations.begin(), first->x, first->y, first->z,
      infinite ? "A sum or a product is too large for the precision"
               : "They were not written, or 0 was divided by 0");
}

std::vector<int> checkedBodies(int count, bool onDevice) {
  const int all = onDevice ? 16384 : 4096;
  if (count <= all) return sampleOf(count, all);
  // 10^11 interactions take 32 cores half a minute, and an H200 a third of a second.
  constexpr double kMostPairs = 1e11;
  return sampleOf(count,
                  static_cast<int>(std::clamp(kMostPairs / count, 100.0, onDevice ? all : 1000.0)));
}

double forceTolerance(int count, double unitRoundoff) {
  // A term carries up to about 10 roundings (differences, square, 2 ulp of rsqrtf cubed, products).
  // A sum of N terms in a row adds N roundings of up to the running sum; at random they come to
  // sqrt(N / 12) on average, and 2 sqrt(N) is 7 times that. Behind a close neighbour's pull, far
  // terms fall below the sum's last bit and their loss adds up one way; one body of 1,000 at
  // N = 1,048,576 came to N / 260. For worse cases see PlainError.
  const double n = count;
  return unitRoundoff * (16 + 2 * std::sqrt(n) + n / 64);
}

PlainError plainErrors(const Bodies& bodies, double softening, const std::vector<int>& sample,
                       const std::vector<Double4>& reference, double unitRoundoff) {
  if (unitRoundoff < 0x1p-24) return {};
  if (const Units units = unitsFor(bodies, softening, false); units != Units()) {
    const int change = -units.acceleration();
    const auto own = std::make_shared<Bodies>(inUnits(bodies, units));
    const auto forces = std::make_shared<std::vector<Double4>>(scaled(reference, change, change));
    const double inTheseUnits = std::ldexp(softening, -units.length);
    return [=, &sample](std::size_t k) {
      return plainErrors(*own, inTheseUnits, sample, *forces, unitRoundoff)(k);
    };
  }
  return [&, softening](std::size_t k) {
    const Double4& at = bodies.positions[sample[k]];
    const float squared = static_cast<float>(softening * softening);
    float sum[3] = {};
    for (const Double4& b : bodies.positions) {
      const float r[3] = {float(b.x) - float(at.x), float(b.y) - float(at.y),
                          float(b.z) - float(at.z)};
      const float pull = pullFactor(float(b.w), r[0], r[1], r[2], squared);
      for (int axis : {0, 1, 2}) sum[axis] += pull * r[axis];
    }
    const double error = distance({sum[0], sum[1], sum[2], 0}, reference[k]) / reference[k].w;
    return std::isfinite(error) ? error : 0;  // an overflow excuses nothing
  };
}

ForceError compareForces(const Bodies& bodies, const std::vector<Double4>& accelerations,
                         double softening, double unitRoundoff, ErrorBound approximation) {
  const std::vector<int> sample = checkedBodies(bodies.count());
  const std::vector<Double4> reference = referenceAccelerations(bodies, softening, sample);
  return compareForces(accelerations, sample, reference,
                       forceTolerance(bodies.count(), unitRoundoff), approximation,
                       plainErrors(bodies, softening, sample, reference, unitRoundoff));
}

ForceError compareForces(const std::vector<Double4>& accelerations, const std::vector<int>& sample,
                         const std::vector<Double4>& reference, double rounding,
                         ErrorBound approximation, const PlainError& plainError) {
  ForceError result;
  result.failure = badAccelerations(accelerations);
  if (!result.failure.empty()) {
    result.median = result.p99 = result.max = std::nan("");
    return result;
  }
  std::vector<double> errors;
  std::vector<double> scaled;  // in units of S
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const Double4& r = reference[k];
    const double error = distance(accelerations[sample[k]], r);
    errors.push_back(error == 0 ? 0 : error / length(r));
    scaled.push_back(error == 0 ? 0 : error / r.w);
  }
  summarizeErrors(std::move(errors), result);
  result.failure =
      failureOf(scaled, sample, reference,
                {rounding + approximation.max, rounding + approximation.median},
                approximation.max > 0 ? "the approximation" : "rounding", plainError);
  result.passed = result.failure.empty();
  return result;
}

}  // namespace nbody
