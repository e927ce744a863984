#include <algorithm>
#include <cmath>
#include <map>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "diagnose/source_counts.hpp"
#include "diagnose/targets.hpp"

namespace nbody {

// Mistakes of several ranks that share the bodies: missing or repeated pulls, or pulls added to
// another rank's bodies.

namespace {

constexpr int kMostRanks = 6;  // with more ranks, too many mistakes fit
constexpr int kMostBodies = 32768;  // two seconds
constexpr std::size_t kOfShare = 48;  // bodies of a share to explain

/// Equal shares of the bodies: each rank has the same number, or one more.
struct EqualShares {
  long long bodies;
  int ranks;
  int begin(int rank) const { return static_cast<int>(bodies * rank / ranks); }
  int fewest() const { return static_cast<int>(bodies / ranks); }
};

/// Returns some of the targets in a rank's share, as places among the targets.
std::vector<int> placesIn(const Targets& targets, const EqualShares& shares, int rank) {
  std::vector<int> all, some;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const int inShare = targets.bodies[k] - shares.begin(rank);
    if (inShare >= 0 && inShare < shares.fewest()) all.push_back(static_cast<int>(k));
  }
  const std::size_t n = std::min(kOfShare, all.size());
  for (std::size_t k = 0; k < n; ++k) some.push_back(all[k * all.size() / n]);
  return some;
}

/// Counts of the pulls added to the forces on one rank's bodies. Element `on * ranks + of` counts
/// the pulls of the bodies of rank `of` on the bodies of rank `on` at the same places.
using Counts = std::vector<int>;

/// Returns the integers that explain the forces on a rank's bodies; empty if none do.
Counts countsOn(int rank, const Targets& targets, const EqualShares& shares) {
  const std::vector<int> places = placesIn(targets, shares, rank);
  const std::size_t unknowns = static_cast<std::size_t>(shares.ranks) * shares.ranks;
  if (3 * places.size() < 2 * unknowns) return {};  // so that nothing fits by chance
  const ForceLaw law = targets.forces.law();
  const std::vector<Double4>& bodies = targets.forces.bodies.positions;
  std::vector<std::vector<double>> columns(unknowns, std::vector<double>(3 * places.size()));
  std::vector<double> right(3 * places.size());
  parallelForEach(static_cast<int>(places.size()), 1, [&](int k) {
    const double scale = targets.reference[places[k]].w;
    const int inShare = targets.bodies[places[k]] - shares.begin(rank);
    const auto put = [&](std::vector<double>& column, const Double4& sum) {
      const double numbers[3] = {sum.x, sum.y, sum.z};
      for (int axis = 0; axis < 3; ++axis) column[3 * k + axis] = numbers[axis] / scale;
    };
    put(right, targets.computed[places[k]]);
    for (int on = 0; on < shares.ranks; ++on)
      for (int of = 0; of < shares.ranks; ++of) {
        Double4 sum = {0, 0, 0, 0};
        for (int j = shares.begin(of); j < shares.begin(of + 1); ++j)
          sum = plus(sum, pullBy(law, bodies[shares.begin(on) + inShare], bodies[j]));
        put(columns[on * shares.ranks + of], sum);
      }
  });
  // If there is almost no force, rounding would look like a share of it.
  const auto isSmall = [&](double x) { return std::abs(x) <= 100 * targets.forces.tolerance; };
  if (std::all_of(right.begin(), right.end(), isSmall)) return {};
  const Counts counts = leastSquares(columns, right, targets.forces.bodies.count() + 1);
  for (std::size_t row = 0; row < right.size() && !counts.empty(); ++row) {
    double sum = 0, size = 1;
    for (std::size_t u = 0; u < unknowns; ++u) {
      sum += counts[u] * columns[u][row];
      size += std::abs(counts[u] * columns[u][row]);
    }
    if (!(std::abs(right[row] - sum) <= 2 * targets.forces.tolerance * size)) return {};
  }
  return counts;
}

/// Returns a message: "some pulls are missing: those of the bodies of rank 1 on the bodies of rank
/// 0, of rank 0 on rank 1".
std::string wordsOf(const std::vector<Counts>& found, const EqualShares& shares) {
  constexpr int kMost = 3;  // per kind
  std::map<std::string, std::pair<std::string, int>> kinds;  // the list, and how long it is
  const auto name = [](const char* before, int rank) { return before + std::to_string(rank); };
  for (int rank = 0; rank < shares.ranks; ++rank)
    for (int on = 0; on < shares.ranks; ++on)
      for (int of = 0; of < shares.ranks; ++of) {
        const int count = found[rank][on * shares.ranks + of];
        if (count == (on == rank)) continue;
        const std::string kind = on != rank   ? "added to the sums of the wrong rank"
                                 : count == 0 ? "missing"
                                              : name("counted ", count) + " times";
        auto& [list, length] = kinds[kind];
        if (++length > kMost) continue;
        const bool isFirst = length == 1;
        list += name(isFirst ? "those of the bodies of rank " : ", of rank ", of) +
                name(isFirst ? " on the bodies of rank " : " on rank ", on) +
                (on != rank ? name(" (added to rank ", rank) + ")" : "");
      }
  std::string text;
  for (const auto& [kind, pulls] : kinds)
    text += (text.empty() ? "" : "; ") + ("some pulls are " + kind) + ": " + pulls.first +
            (pulls.second > kMost ? ", ... (" + std::to_string(pulls.second) + " in all)" : "");
  return text;
}

}  // namespace

std::string shareMistake(const Targets& targets) {
  const int bodies = targets.forces.bodies.count();
  for (int ranks = 2; ranks <= kMostRanks && bodies <= kMostBodies; ++ranks) {
    const EqualShares shares = {bodies, ranks};
    std::vector<Counts> found;
    for (int rank = 0; rank < ranks; ++rank) {
      found.push_back(countsOn(rank, targets, shares));
      if (found.back().empty()) break;
    }
    if (found.back().empty()) continue;
    const std::string text = wordsOf(found, shares);
    if (!text.empty()) return "with " + std::to_string(ranks) + " ranks, " + text;
  }
  return "";
}

Targets::Targets(const WrongForces& forces, const std::vector<int>& places, std::size_t most,
                 bool isChanged)
    : forces(forces), isChanged(isChanged) {
  const std::size_t n = std::min(most, places.size());
  for (std::size_t k = 0; k < n; ++k) {
    const int place = places[k * places.size() / n];
    bodies.push_back(forces.sample[place]);
    computed.push_back(forces.computed[place]);
    reference.push_back(forces.reference[place]);
  }
}

std::string rangesOf(const std::vector<int>& chosen, const std::vector<int>& numbers,
                     const std::string& noun) {
  constexpr int kMaxRanges = 3;
  const std::string count =
      " (" + std::to_string(chosen.size()) + " of " + std::to_string(numbers.size()) + ")";
  std::string text = noun;
  int ranges = 0;
  for (std::size_t first = 0; first < chosen.size();) {
    if (ranges == kMaxRanges) return text + ", ..." + count;
    std::size_t last = first;
    while (last + 1 < chosen.size() && chosen[last + 1] == chosen[last] + 1) ++last;
    text += (ranges++ == 0 ? " " : ", ") + std::to_string(numbers[chosen[first]]);
    const bool toTheEnd = chosen[last] + 1 == static_cast<int>(numbers.size());
    if (last > first && toTheEnd && chosen[first] > 0) text += " and up";
    else if (last > first) text += " to " + std::to_string(numbers[chosen[last]]);
    first = last + 1;
  }
  return text;
}

Double4 Change::of(const Double4& force) const {
  const double most = std::max({std::abs(factors[0]), std::abs(factors[1]), std::abs(factors[2])});
  return plus({factors[0] * force.x, factors[1] * force.y, factors[2] * force.z, most * force.w},
              offset);
}

bool Change::hidesAComponent() const {
  const Double4 size = of({1, 1, 1, 1});
  return std::any_of(factors, factors + 3,
                     [&](double f) { return f != 0 && std::abs(f) < 0.01 * (size.w - offset.w); });
}

Change Targets::changeOf(const std::vector<Double4>& predicted) const {
  Change change;
  double offset[3] = {};
  for (int axis = 0; isChanged && axis < 3; ++axis) {  // a straight line through the points
    double sum = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t k = 0; k < size(); ++k) {
      const double weight = 1 / (reference[k].w * reference[k].w),
                   from = component(predicted[k], axis), to = component(computed[k], axis);
      sum += weight, x += weight * from, y += weight * to;
      xx += weight * from * from, xy += weight * from * to;
    }
    change.factors[axis] = (sum * xy - x * y) / (sum * xx - x * x);
    offset[axis] = (y - change.factors[axis] * x) / sum;
  }
  change.offset = {offset[0], offset[1], offset[2], std::hypot(offset[0], offset[1], offset[2])};
  return change;
}

bool Targets::match(const std::vector<Double4>& predicted) const {
  const Change found = changeOf(predicted);
  if (isChanged && (size() < kFewest || found.hidesAComponent())) return false;
  std::size_t vary = 0;  // not only because of the vector
  for (std::size_t k = 0; k < size(); ++k) {
    const Double4 force = found.of(predicted[k]);
    if (!(distance(computed[k], force) <= 2 * forces.tolerance * force.w)) return false;
    vary += distance(force, found.offset) > 100 * forces.tolerance * force.w;
  }
  return !isChanged || 2 * vary > size();
}

bool Targets::areExplainedBy(const std::vector<Double4>& predicted) const {
  const Change found = changeOf(predicted);
  double most = 0;
  for (std::size_t k = 0; k < size(); ++k)
    most = std::max(most, distance(reference[k], found.of(predicted[k])) / reference[k].w);
  if (!(most > 10 * forces.tolerance && match(predicted))) return false;
  if (!change) change = found;
  return true;
}

namespace {

/// Returns "1.001": as many digits as show that it is not 1.
std::string factorText(double factor) {
  constexpr int kFew = 3, kMost = 7;
  for (int digits = kFew;; ++digits) {
    const std::string text = formatted("%.*g", digits, factor);
    const double shown = std::stod(text);
    if (digits == kMost || std::abs(shown - factor) <= 0.05 * std::abs(factor - 1)) return text;
  }
}

/// \param isAlone  there is no other mistake
std::string factorWords(double factor, double tolerance, bool isAlone) {
  if (factor == 0) return "zero";
  if (std::abs(factor + 1) <= 10 * tolerance) return "in the opposite direction (is a sign wrong?)";
  return isAlone ? factorText(factor) + " times the correct value"
                 : "multiplied by " + factorText(factor);
}

/// Returns "the x components of the forces are zero, and the z components ...".
std::string componentWords(const double* factors, double tolerance, bool isAlone) {
  std::string text;
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(factors[axis] - 1) > 10 * tolerance)
      text += std::string(text.empty() ? "the " : ", and the ") + "xyz"[axis] +
              " components of the forces are " + factorWords(factors[axis], tolerance, isAlone);
  return text;
}

std::string offsetWords(const Double4& offset) {
  return formatted(
      "every force is off by the same vector, (%.3g, %.3g, %.3g): does the sum start at 0?",
      offset.x, offset.y, offset.z);
}

/// Returns "all forces are ", or if only some bodies are wrong "their forces are ".
std::string forcesAre(const Targets& targets) {
  if (targets.size() == targets.forces.sample.size()) return "all forces are ";
  return targets.size() > 1 ? "their forces are " : "its force is ";
}

/// Recognizes the correct forces times a number, or times one number per component.
std::string factorMistake(const Targets& targets) {
  const double tolerance = targets.forces.tolerance;
  Change all;
  double *factors = all.factors, products[3] = {}, squares[3] = {};
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Double4 &a = targets.computed[k], &r = targets.reference[k];
    const double ar[3] = {a.x * r.x, a.y * r.y, a.z * r.z};
    const double rr[3] = {r.x * r.x, r.y * r.y, r.z * r.z};
    for (int axis = 0; axis < 3; ++axis) products[axis] += ar[axis], squares[axis] += rr[axis];
  }
  auto explained = [&] {
    std::vector<Double4> predicted;
    for (const Double4& r : targets.reference) predicted.push_back(all.of(r));
    return targets.areExplainedBy(predicted);
  };
  std::fill_n(factors, 3,
              (products[0] + products[1] + products[2]) / (squares[0] + squares[1] + squares[2]));
  if (explained()) return forcesAre(targets) + factorWords(factors[0], tolerance, true);
  if (targets.size() < kFewest) return "";
  for (int axis = 0; axis < 3; ++axis) factors[axis] = products[axis] / squares[axis];
  if (!explained()) return "";
  return componentWords(factors, tolerance, true);
}

/// Recognizes the correct forces plus one vector, the same for all bodies.
std::string offsetMistake(const Targets& targets) {
  if (targets.size() < kFewest) return "";
  const double n = static_cast<double>(targets.size());
  Double4 mean = {0, 0, 0, 0};
  for (std::size_t k = 0; k < targets.size(); ++k)
    mean = plus(mean, times(1 / n, minus(targets.computed[k], targets.reference[k])));
  mean.w = length(mean);
  std::vector<Double4> predicted;
  for (const Double4& r : targets.reference) predicted.push_back(plus(r, mean));
  if (!targets.areExplainedBy(predicted)) return "";
  return offsetWords(mean);
}

/// Recognizes that each body has the force of another one.
std::string placeMistake(const Targets& targets) {
  const WrongForces& forces = targets.forces;
  int first = 0;  // number of the body whose force the first target has
  bool shifted = true;  // all are shifted by the same number of bodies
  for (std::size_t k = 0; k < targets.size(); ++k) {
    auto isTheForceOf = [&](const Double4& other) {
      return distance(targets.computed[k], other) <= 2 * forces.tolerance * other.w;
    };
    auto other = std::find_if(forces.reference.begin(), forces.reference.end(), isTheForceOf);
    if (other == forces.reference.end()) return "";
    const int found = forces.sample[other - forces.reference.begin()];
    if (found == targets.bodies[k]) return "";
    if (k == 0) first = found;
    shifted = shifted && found - targets.bodies[k] == first - targets.bodies[0];
  }
  const char* others = shifted ? ", and the bodies after it are shifted in the same way"
                               : ", and the bodies after it have the forces of other bodies";
  return "body " + std::to_string(targets.bodies[0]) + " has the force of body " +
         std::to_string(first) + (targets.size() > 1 ? others : "") +
         ": does the kernel read or write with a wrong index?";
}

/// Recognizes that each body has the sum of the forces on a group of neighbours.
std::string groupMistake(const Targets& targets) {
  if (targets.size() != targets.forces.bodies.positions.size()) return "";  // only a sample
  const std::size_t count = targets.size();
  for (std::size_t side = 2; side <= kLanes && side < count; side *= 2) {
    std::vector<Double4> predicted;
    for (std::size_t k = 0; k < count; ++k) {
      // Lanes past the end may repeat the last body.
      const std::size_t first = k / side * side;
      Double4 sum = {0, 0, 0, 0};
      for (std::size_t other = first; other < first + side; ++other)
        sum = plus(sum, targets.reference[std::min(other, count - 1)]);
      predicted.push_back(sum);
    }
    if (targets.areExplainedBy(predicted))
      return "each body has the sum of the forces on its " + std::to_string(side) +
             " neighbours: does the reduction also add the lanes of other bodies?";
  }
  return "";
}

/// Recognizes forces that are correct only as a sum over each 32 bodies.
std::string laneMistake(const Targets& targets) {
  const double tolerance = targets.forces.tolerance;
  double wrong = 0, allowed = 0;
  for (std::size_t first = 0, next = 0; first < targets.size(); first = next) {
    Double4 computed = {0, 0, 0, 0}, right = computed;
    for (; next < targets.size() && targets.bodies[next] / kLanes == targets.bodies[first] / kLanes;
         ++next) {
      const Double4 &a = targets.computed[next], &r = targets.reference[next];
      computed = plus(computed, a);
      right = plus(right, r);
      wrong += distance(a, r);
    }
    if (distance(computed, right) > 2 * tolerance * right.w) return "";
    allowed += 2 * tolerance * right.w;
  }
  // Small errors may cancel in a sum by chance.
  if (wrong < 10 * allowed) return "";
  return "in each group of 32 bodies the sum of the forces is correct, but single forces are "
         "wrong: are they mixed up between the lanes of a warp, or added to the wrong body?";
}

constexpr std::size_t kSolved = 1024;  // bodies in a system of equations
constexpr std::size_t kFewSolved = 128;

/// Finds one mistake. \p isQuick: only those that take little time
Mistake oneMistake(const WrongForces& forces, const std::vector<int>& places, bool isQuick) {
  const Targets targets(forces, places, places.size());
  const Targets few(forces, places, kFewest);
  Causes causes = {factorMistake(targets), offsetMistake(targets)};
  if (!isQuick)
    causes.insert(causes.end(), {orderMistake(targets, few), precisionMistake(targets, few),
                                 centreOfMassMistake(targets), originMistake(targets)});
  for (const Causes& found : {lawMistakes(targets, few), pairMistakes(targets, few)})
    causes.insert(causes.end(), found.begin(), found.end());
  std::erase(causes, "");
  Mistake mistake = {causes.empty() ? "" : causes.front()};
  if (causes.size() > 1) mistake.text += ", or " + causes[1];
  const auto areZero = [](const Double4& a) { return a.x == 0 && a.y == 0 && a.z == 0; };
  if (std::all_of(targets.computed.begin(), targets.computed.end(), areZero)) mistake.share = 0;
  if (mistake.text.empty())
    mistake = sourceMistake(targets, Targets(forces, places, isQuick ? kFewSolved : kSolved));
  if (!mistake.text.empty() || isQuick) return mistake;
  mistake = {tileMistake(targets, few)};
  if (mistake.text.empty()) mistake = {placeMistake(targets)};
  if (mistake.text.empty()) mistake = {groupMistake(targets)};
  if (mistake.text.empty()) mistake = {laneMistake(targets)};
  if (mistake.text.empty()) mistake = {softeningMistake(targets, few)};
  return mistake;
}

/// Returns what a Change does, in words.
std::string wordsOf(const Change& change, const Targets& targets) {
  const double tolerance = targets.forces.tolerance, *factors = change.factors;
  const auto isFirst = [&](double f) {
    return std::abs(f - factors[0]) <= 10 * tolerance * std::abs(f);
  };
  std::string text = componentWords(factors, tolerance, false);
  if (!text.empty() && isFirst(factors[1]) && isFirst(factors[2]))
    text = "all forces are " + factorWords(factors[0], tolerance, false);
  double scale = 0;
  for (const Double4& r : targets.reference) scale += r.w / static_cast<double>(targets.size());
  const auto orZero = [&](double x) { return std::abs(x) > 10 * tolerance * scale ? x : 0; };
  const Double4 offset = {orZero(change.offset.x), orZero(change.offset.y), orZero(change.offset.z),
                          0};
  if (length(offset) > 0) text += (text.empty() ? "" : "; and ") + offsetWords(offset);
  return text;
}

/// Finds a mistake together with a Change of all forces, or with forces that other bodies have.
Mistake twoMistakes(const WrongForces& forces, const std::vector<int>& places) {
  const std::string both = "two mistakes together give these forces: ";
  const Targets targets(forces, places, places.size(), true);
  const Targets few(forces, places, 2 * kFewest, true);
  Mistake found;
  if (targets.areExplainedBy(targets.reference))
    return {both + wordsOf(*targets.change, targets), kShareOfTwo};
  const auto tryOne = [&](const Mistake& one) {
    if (!found.text.empty() || one.text.empty()) return;
    if (const std::string change = wordsOf(*targets.change, targets); !change.empty())
      found = {both + one.text + "; and " + change, kShareOfTwo * one.share};
    targets.change.reset();
  };
  const auto first = [](const Causes& causes) {
    return Mistake{causes.empty() ? "" : causes.front()};
  };
  tryOne(first(lawMistakes(targets, few)));
  if (found.text.empty()) tryOne(first(pairMistakes(targets, few)));
  if (found.text.empty()) tryOne(sourceMistake(targets, Targets(forces, places, kFewSolved)));
  if (found.text.empty()) tryOne({tileMistake(targets, few)});
  if (found.text.empty()) tryOne({softeningMistake(targets, few)});
  const int count = forces.bodies.count();
  if (places.size() != forces.bodies.positions.size() || places.size() > kSolved) return found;
  for (int shift : {1, 32, 64, 128, 256})
    for (int by : {shift, count - shift}) {
      if (!found.text.empty() || shift >= count) continue;
      WrongForces others = forces;
      for (int i = 0; i < count; ++i) {
        others.sample[i] = (i + by) % count;
        others.reference[i] = forces.reference[others.sample[i]];
      }
      const Mistake one = oneMistake(others, places, true);
      if (!one.text.empty())
        found = {both + one.text + "; and body 0 has the force of body " + std::to_string(by) +
                     ", and the bodies after it are shifted in the same way",
                 kShareOfTwo * one.share};
    }
  return found;
}

}  // namespace

Mistake mistakeIn(const WrongForces& forces, const std::vector<int>& places) {
  if (forces.sample.size() < kFewest) return {};
  Mistake mistake = oneMistake(forces, places, false);
  const Targets targets(forces, places, places.size());
  if (mistake.text.empty()) mistake = twoMistakes(forces, places);
  if (mistake.text.empty()) mistake = lawAndSourcesMistake(targets);
  if (mistake.text.empty()) mistake = {shareMistake(targets)};
  return mistake;
}

}  // namespace nbody
