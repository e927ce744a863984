// How a rank comes by its bodies and gives them away.
#include <limits>
#include <utility>

#include "bodies/vectors.hpp"
#include "physics/leapfrog.hpp"
#include "ranks/rank_part.hpp"

namespace nbody {

namespace {

std::unique_ptr<RankForces> makeForces(Exchange exchange, const RankWork& work) {
  if (exchange == Exchange::gather) return makeGather(work);
  return exchange == Exchange::ring ? makeRing(work) : makePairs(work);
}

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
  std::vector<real4> own;
  ranks_.scatter(converted<real4>(bodies.velocities), own, shares_);
  velocities_.upload(own);
  ranks_.scatter(converted<real4>(bodies.positions), own, shares_);
  bodies_.upload(own);
  start();
}

void RankPart::readSnapshot(const std::string& path) {
  const auto put = [&](int first, const Bodies& some) {
    putSome(bodies_, first, some.positions);
    putSome(velocities_, first, some.velocities);
  };
  if (readTogether(ranks_, path, shares_.bodies, filePart(), put)) start();
}

std::string RankPart::writeSnapshot(const std::string& path, double time, double softening) {
  settle();
  const SnapshotTarget target = {path, shares_.bodies, time, softening};
  return writeTogether(ranks_, target, filePart(), [&](int first, int count) -> Bodies {
    return {someOf(bodies_, first, count), someOf(velocities_, first, count)};
  });
}

/// Nothing is known of the bodies that there are now but where they are.
void RankPart::start() {
  real least = std::numeric_limits<real>::infinity(), greatest = -least;
  for (const real4& body : bodies_.download()) {
    least = std::min(least, body.w);
    greatest = std::max(greatest, body.w);
  }
  options_.equalMasses = ranks_.greatest(greatest) == -ranks_.greatest(-least);
  forces_ = makeForces(options_.exchange,
                       {ranks_.rank(), shares_, options_, softeningSquared_, transport_});
  kickDue_ = 0;
#ifdef NBODY_GPU
  graph_.reset();
#endif
}

/// Velocities come to where the positions are.
void RankPart::settle() {
  const double due = std::exchange(kickDue_, 0);
  if (due != 0 && hasBodies()) kick(velocities_, accelerations_, due);
}

std::vector<Double4> RankPart::gathered(const DeviceArray<real4>& own) const {
  std::vector<real4> all;
  ranks_.gather(own.download(), all, shares_);
  return converted<Double4>(all);
}

Bodies RankPart::download() {
  settle();
  return {gathered(bodies_), gathered(velocities_)};
}

std::vector<Double4> RankPart::accelerations() const { return gathered(accelerations_); }

void RankPart::poisonAccelerations() { accelerations_.poison(); }

}  // namespace nbody
