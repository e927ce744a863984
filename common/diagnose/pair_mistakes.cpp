// Mistakes in which a pull depends on the places of the two bodies in the arrays: on the difference
// of their indices, on the places in block and tile, or on the order of the two tiles.
#include <algorithm>
#include <functional>

#include "base/parallel.hpp"
#include "diagnose/targets.hpp"

namespace nbody {

namespace {

/// Returns the mass with which body j pulls body i.
using MassOf = std::function<double(const std::vector<Double4>& bodies, int i, int j)>;

struct PairMistake {
  MassOf massOf;  ///< also for padding at the origin
  std::string words;
  int side = 1;  ///< size of the tiles that are filled up with padding
};

/// Adds mistakes in which a body's neighbour is left out or counted twice, with or without those at
/// the ends of the array.
void addNeighbours(std::vector<PairMistake>& mistakes) {
  for (int step : {1, -1})
    for (bool around : {false, true})
      for (int factor : {0, 2}) {
        const auto massOf = [=](const std::vector<Double4>& bodies, int i, int j) {
          const int n = static_cast<int>(bodies.size());
          const int neighbour = around ? (i + step + n) % n : i + step;
          return (j == neighbour ? factor : 1) * bodies[j].w;
        };
        const std::string which = step > 0 ? "next" : "previous";
        mistakes.push_back({massOf, "the pull of the " + which + " body on each body is " +
                                        (factor == 0 ? "missing" : "counted 2 times")});
      }
}

/// Adds the mistakes in which only one body of each pair is pulled.
void addHalves(std::vector<PairMistake>& mistakes) {
  for (bool after : {false, true}) {
    const auto massOf = [=](const std::vector<Double4>& bodies, int i, int j) {
      return (after ? j > i : j < i) ? bodies[j].w : 0;
    };
    mistakes.push_back({massOf, std::string("each body is pulled only by the bodies ") +
                                    (after ? "after" : "before") + " it, and not by the bodies " +
                                    (after ? "before" : "after") + " it"});
  }
}

void addOtherMasses(std::vector<PairMistake>& mistakes) {
  for (int step : {1, -1})
    for (bool around : {false, true}) {
      const auto massOf = [=](const std::vector<Double4>& bodies, int, int j) {
        const int n = static_cast<int>(bodies.size());
        const int other = j + step;
        if (other >= 0 && other < n) return bodies[other].w;
        return around ? bodies[(other + n) % n].w : bodies[j].w;
      };
      mistakes.push_back({massOf, std::string("each source has the mass of the ") +
                                      (step > 0 ? "next" : "previous") + " source"});
    }
  const auto first = [](const std::vector<Double4>& bodies, int, int) { return bodies[0].w; };
  const auto last = [](const std::vector<Double4>& bodies, int, int) { return bodies.back().w; };
  mistakes.push_back({first, "each source has the mass of the first source"});
  mistakes.push_back({last, "each source has the mass of the last source"});
}

/// Adds mistakes with tiles of \p side sources, most of them at the body's own place in the tile.
void addPlaces(std::vector<PairMistake>& mistakes, int side) {
  const std::string tile = "tile of " + std::to_string(side);
  for (int factor : {0, 2}) {
    const auto massOf = [=](const std::vector<Double4>& bodies, int i, int j) {
      return (j % side == i % side ? factor : 1) * bodies[j].w;
    };
    mistakes.push_back(
        {massOf, factor == 0 ? "the k-th body of a block leaves out the k-th source of each " +
                                   tile + ": does the loop skip k == threadIdx.x instead of i == j?"
                             : "the k-th body of a block counts the k-th source of each " + tile +
                                   " 2 times"});
  }
  const auto own = [=](const std::vector<Double4>& bodies, int i, int j) {
    const std::size_t at = j / side * side + i % side;
    return at < bodies.size() ? bodies[at].w : 0;
  };
  const auto first = [=](const std::vector<Double4>& bodies, int, int j) {
    return bodies[j / side * side].w;
  };
  for (int filledUpTo : {1, side})
    mistakes.push_back({own,
                        "the k-th body of a block uses the mass of the k-th source of each " +
                            tile + " for all sources of the tile",
                        filledUpTo});
  mistakes.push_back({first, "each source has the mass of the first source in its " + tile});
  // Threads past the end may repeat the last body.
  for (bool lastRepeated : {false, true}) {
    const auto ownTile = [=](const std::vector<Double4>& bodies, int i, int j) {
      const int count = static_cast<int>(bodies.size());
      if (j >= count || j / side != i / side) return 0.0;
      const int end = lastRepeated && j == count - 1 ? side : j % side + 1;
      double times = 0;
      for (int place = j % side; place < end; ++place)
        times += count / side + (place < count % side);
      return times * bodies[j].w;
    };
    mistakes.push_back(
        {ownTile,
         "every " + tile +
             " contains the bodies of the block itself: does the kernel fill it with index i "
             "instead of j?"});
  }
}

/// Place of a source relative to a body: in an earlier tile, in the same one, in a later one.
enum class Part { earlier, own, later };

/// A mistake in the pulls of one part, with the words before and after the name of the part.
struct Variant {
  int factor;
  enum { source, target, none } mass;  ///< the mass in the pull
  const char* before;
  const char* after;
};
constexpr Variant kVariants[] = {
    {0, Variant::source, "each body gets no pull from ", ""},
    {2, Variant::source, "each body gets twice the pull of ", ""},
    {-1, Variant::source, "each body gets the pull of ", " in the opposite direction"},
    {1, Variant::target, "each body gets the pull of ",
     ", but scaled by the mass of i instead of j"},
    {1, Variant::none, "each body gets the pull of ", ", but without their masses"}};

std::string wordsOf(Part part, const Variant& variant, int side) {
  const std::string size = std::to_string(side) + " bodies";
  if (part == Part::own)
    return variant.before + ("the bodies in its own tile (" + size) + ")" + variant.after +
           ": is the diagonal wrong?";
  const std::string tiles = part == Part::later ? "later tiles" : "earlier tiles";
  return variant.before + ("the bodies in " + tiles) + " (" + size + " each)" + variant.after +
         ": is the opposite force (the reaction) " + (variant.factor == 0 ? "added?" : "correct?");
}

/// Adds mistakes of a kernel that sums each pair of tiles of \p side bodies once.
void addParts(std::vector<PairMistake>& mistakes, int side) {
  for (Part part : {Part::own, Part::later, Part::earlier})
    for (const Variant& variant : kVariants) {
      const auto massOf = [=](const std::vector<Double4>& bodies, int i, int j) {
        const int tile = j / side, own = i / side;
        const Part of = tile < own ? Part::earlier : tile == own ? Part::own : Part::later;
        const double mass = j < static_cast<int>(bodies.size()) ? bodies[j].w : 0;
        if (of != part) return mass;
        return variant.mass == Variant::none
                   ? 1
                   : variant.factor * (variant.mass == Variant::target ? bodies[i].w : mass);
      };
      mistakes.push_back(
          {massOf, wordsOf(part, variant, side), variant.mass == Variant::none ? side : 1});
    }
}

std::vector<Double4> accelerationsBy(const PairMistake& mistake, const Targets& on) {
  const std::vector<Double4>& bodies = on.forces.bodies.positions;
  const ForceLaw law = on.forces.law();
  std::vector<Double4> accelerations(on.size());
  parallelForEach(static_cast<int>(on.size()), 1, [&](int k) {
    Double4 sum = {0, 0, 0, 0};
    const int count = static_cast<int>(bodies.size());
    for (int j = 0; j < (count + mistake.side - 1) / mistake.side * mistake.side; ++j) {
      Double4 source = j < count ? bodies[j] : Double4{0, 0, 0, 0};
      source.w = mistake.massOf(bodies, on.bodies[k], j);
      sum = plus(sum, pullBy(law, on.place(k), source));
    }
    accelerations[k] = sum;
  });
  return accelerations;
}

/// Returns the \p mistakes that give the forces, each once.
Causes explained(const std::vector<PairMistake>& mistakes, const Targets& targets,
                 const Targets& few) {
  Causes causes;
  for (const PairMistake& mistake : mistakes) {
    const auto byIt = [&](const Targets& on) { return accelerationsBy(mistake, on); };
    if (explains(byIt, targets, few) &&
        std::find(causes.begin(), causes.end(), mistake.words) == causes.end())
      causes.push_back(mistake.words);
  }
  return causes;
}

}  // namespace

Causes pairMistakes(const Targets& targets, const Targets& few) {
  std::vector<PairMistake> mistakes;
  addNeighbours(mistakes);
  addHalves(mistakes);
  addOtherMasses(mistakes);
  const int count = targets.forces.bodies.count();
  for (int side = kLanes; side < count && side <= static_cast<int>(kLargestTile); side *= 2)
    addPlaces(mistakes, side);
  return explained(mistakes, targets, few);
}

std::string tileMistake(const Targets& targets, const Targets& few) {
  std::vector<PairMistake> mistakes;
  for (int side = kLanes; side <= static_cast<int>(kLargestTile); side *= 2)
    addParts(mistakes, side);
  const Causes causes = explained(mistakes, targets, few);
  return causes.empty() ? "" : causes.front();
}

}  // namespace nbody
