// Mistakes of several ranks that share the bodies: pulls that are missing, come twice or were
// added elsewhere.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/parallel.hpp"
#include "diagnose/force_laws.hpp"
#include "diagnose/source_counts.hpp"
#include "diagnose/targets.hpp"

namespace nbody {

namespace {

constexpr int kMostRanks = 6;  // with more, too many mistakes fit
constexpr int kMostBodies = 32768;  // two seconds
constexpr std::size_t kOfShare = 48;  // bodies of a share that are explained
constexpr double kFarFromWhole = 0.05;

/// Shares of the bodies: each rank has the same number, or one more.
struct EqualShares {
  long long bodies;
  int ranks;
  int begin(int rank) const { return static_cast<int>(bodies * rank / ranks); }
  int fewest() const { return static_cast<int>(bodies / ranks); }
};

/// Some of the targets that are in a rank's share, by their places among the targets.
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

/// Counts of what is added to the forces on one rank's bodies. Element `on * ranks + of` is for the
/// pull of the bodies of rank `of` on those of rank `on` that have the same places in its share.
using Counts = std::vector<int>;

/// The whole numbers that explain the forces on a rank's bodies; empty where none do.
Counts countsOn(int rank, const Targets& targets, const EqualShares& shares) {
  const std::vector<int> places = placesIn(targets, shares, rank);
  const std::size_t unknowns = static_cast<std::size_t>(shares.ranks) * shares.ranks;
  if (3 * places.size() < 2 * unknowns) return {};  // nothing is to fit by chance
  const double softening = targets.forces.softening;
  const ForceLaw law = {.softeningSquared = softening * softening};
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
  Counts counts;
  for (const double number : leastSquares(columns, right)) {
    if (!(std::abs(number - std::round(number)) <= kFarFromWhole)) return {};
    counts.push_back(static_cast<int>(std::round(number)));
  }
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

/// "some pulls are missing: those of the bodies of rank 1 on the bodies of rank 0, of rank 0 on rank
/// 1"
std::string wordsOf(const std::vector<Counts>& found, const EqualShares& shares) {
  constexpr int kMost = 3;  // of a kind
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

}  // namespace nbody
