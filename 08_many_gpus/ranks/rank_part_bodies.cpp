// How a rank comes by its bodies and gives them away.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/parallel.hpp"
#include "bodies/vectors.hpp"
#include "physics/leapfrog.hpp"
#include "ranks/rank_part.hpp"

namespace nbody {

namespace {

std::unique_ptr<RankForces> makeForces(const RankWork& work) {
  switch (work.options.exchange) {
    case Exchange::gather:
      return makeGather(work);
    case Exchange::ring:
      return makeRing(work);
    case Exchange::pairs:
      return makePairs(work);
    default:
      return makeTree(work);
  }
}

constexpr int kSmallestPiece = 1 << 16;  ///< bodies that are worth a thread

/// From some of \p array to the host, and from there.
std::vector<Double4> someOf(const DeviceArray<real4>& array, int first, int count) {
  std::vector<real4> some(count);
  copyToHost(some.data(), array.data() + first, count * sizeof(real4));
  return converted<Double4>(some);
}
void putSome(DeviceArray<real4>& array, int first, const std::vector<Double4>& bodies) {
  const auto some = converted<real4>(bodies);
  copyToDevice(array.data() + first, some.data(), some.size() * sizeof(real4));
}

}  // namespace

void RankPart::upload(const Bodies& bodies) {
  own_ = OwnBodies(shares_.count(ranks_.rank()));
  std::vector<real4> own;
  ranks_.scatter(converted<real4>(bodies.velocities), own, shares_);
  own_.velocities.upload(own);
  ranks_.scatter(converted<real4>(bodies.positions), own, shares_);
  own_.bodies.upload(own);
  start();
}

void RankPart::readSnapshot(const std::string& path) {
  own_ = OwnBodies(shares_.count(ranks_.rank()));
  const auto put = [&](int first, const Bodies& some) {
    putSome(own_.bodies, first, some.positions);
    putSome(own_.velocities, first, some.velocities);
  };
  if (readTogether(ranks_, path, shares_.bodies, filePart(), put)) start();
}

std::string RankPart::writeSnapshot(const std::string& path, double time, double softening) {
  settle();
  const SnapshotTarget target = {path, shares_.bodies, time, softening};
  return writeTogether(ranks_, target, filePart(), [&](int first, int count) -> Bodies {
    return {someOf(own_.bodies, first, count), someOf(own_.velocities, first, count)};
  });
}

/// Nothing is known of the bodies that there are now but where they are.
void RankPart::start() {
  real least = std::numeric_limits<real>::infinity(), greatest = -least;
  for (const real4& body : own_.bodies.download()) {
    least = std::min(least, body.w);
    greatest = std::max(greatest, body.w);
  }
  options_.equalMasses = ranks_.greatest(greatest) == -ranks_.greatest(-least);
  // What they keep is of other bodies.
  forces_ = makeForces({ranks_.rank(), shares_, options_, softeningSquared_, transport_});
  kickDue_ = 0;
  graph_.reset();
}

/// Velocities come to where the positions are.
void RankPart::settle() {
  const double due = std::exchange(kickDue_, 0);
  if (due != 0 && hasBodies()) kick(own_.velocities, own_.accelerations, due);
}

std::vector<Double4> RankPart::gathered(const DeviceArray<real4>& own) const {
  const std::vector<real4> all = ranks_.gathered(own.download());  // at rank 0
  std::vector<int> indices;  // none: in their order
  if (options_.isTree()) indices = ranks_.gathered(forces_->indices());
  // A body that no rank has feels nothing, which the check finds: it must not be missing there.
  std::vector<Double4> inOrder(all.empty() ? 0 : shares_.bodies);
  const int count = static_cast<int>(std::min(all.size(), inOrder.size()));
  parallelForEach(count, kSmallestPiece, [&](int k) {
    inOrder[indices.empty() ? k : indices[k]] = {all[k].x, all[k].y, all[k].z, all[k].w};
  });
  return inOrder;
}

Bodies RankPart::download() {
  settle();
  return {gathered(own_.bodies), gathered(own_.velocities)};
}

std::vector<Double4> RankPart::accelerations() const { return gathered(own_.accelerations); }

void RankPart::poisonAccelerations() { own_.accelerations.poison(); }

}  // namespace nbody
