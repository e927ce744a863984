#include "physics/force_error.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "bodies/vectors.hpp"
#include "physics/reference.hpp"

namespace nbody {

namespace {

/// Value at \p fraction of the way through \p sorted.
double quantile(const std::vector<double>& sorted, double fraction) {
  return sorted[static_cast<std::size_t>(fraction * (sorted.size() - 1) + 0.5)];
}

/// Says in one line how the errors \p scaled exceed \p limits; empty if they do not. They are in
/// units of S, one for each body in \p sample.
std::string failureOf(std::vector<double> scaled, const std::vector<int>& sample,
                      const ErrorBound& limits, const char* explanation) {
  for (std::size_t k = 0; k < sample.size(); ++k)
    if (!(scaled[k] <= limits.max))
      return formatted("body %d has a relative error of %.2g; %s alone should cause at most %.2g",
                       sample[k], scaled[k], explanation, limits.max);
  std::sort(scaled.begin(), scaled.end());
  const double median = quantile(scaled, 0.5);
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
  result.max = errors.back();
  for (double share : kExceeding) result.exceeded.push_back(quantile(errors, 1 - share));
}

std::vector<int> checkedBodies(int count) {
  constexpr int kAll = 4096;
  if (count <= kAll) return sampleOf(count, kAll);
  // Takes fewer of more than 10^8 bodies, because 10^11 interactions take 32 cores half a minute.
  constexpr double kMostPairs = 1e11;
  return sampleOf(count, static_cast<int>(std::clamp(kMostPairs / count, 100.0, 1000.0)));
}

double forceTolerance(int count, double unitRoundoff) {
  // A term carries up to about 10 roundings (differences, square, 2 ulp of rsqrtf cubed, products).
  // A sum of N terms in a row adds N roundings of up to the running sum; at random they come to
  // sqrt(N / 12) on average, and 2 sqrt(N) is 7 times that. Behind a close neighbour's pull, far
  // terms fall below the sum's last bit and their loss adds up one way, to N / 2 at worst; one body
  // of 1,000 at N = 1,048,576 came to N / 260.
  const double n = count;
  return unitRoundoff * (16 + 2 * std::sqrt(n) + n / 64);
}

ForceError compareForces(const Bodies& bodies, const std::vector<Double4>& accelerations,
                         double softening, double unitRoundoff, ErrorBound approximation) {
  const std::vector<int> sample = checkedBodies(bodies.count());
  return compareForces(accelerations, sample, referenceAccelerations(bodies, softening, sample),
                       forceTolerance(bodies.count(), unitRoundoff), approximation);
}

ForceError compareForces(const std::vector<Double4>& accelerations, const std::vector<int>& sample,
                         const std::vector<Double4>& reference, double rounding,
                         ErrorBound approximation) {
  ForceError result;
  const auto wrong = std::find_if_not(accelerations.begin(), accelerations.end(), isFinite);
  if (wrong != accelerations.end()) {
    result.failure = formatted("the acceleration of body %td is not a finite number",
                               wrong - accelerations.begin());
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
      failureOf(scaled, sample, {rounding + approximation.max, rounding + approximation.median},
                approximation.max > 0 ? "the approximation" : "rounding");
  result.passed = result.failure.empty();
  return result;
}

}  // namespace nbody
