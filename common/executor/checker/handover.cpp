#include "executor/checker/handover.hpp"

#include <unordered_map>
#include <vector>

namespace nbody::executor::checker {

namespace {

struct HandedOn {
  std::uint32_t epoch;  ///< of the fence
  int thread;
  std::uint32_t time;  ///< counts handovers
};

/// What has been handed on at one address, by block.
using ByBlock = std::unordered_map<std::uint32_t, std::vector<HandedOn>>;

struct TakenOver {
  const ByBlock* from;
  int thread;
  std::uint32_t epoch;
  std::uint32_t time;
};

struct Fence {
  std::uint32_t block;
  std::uint32_t epoch;
};

struct Handovers {
  std::unordered_map<const void*, ByBlock> handedOn;
  std::uint32_t time = 0;
  std::vector<TakenOver> takenOver;  ///< by the block takenOverBy
  std::uint32_t takenOverBy = 0;
};

Handovers handovers;
thread_local Fence fences[1024];  ///< the last of each thread

// More than a correct kernel needs: the first of each block and the last taken count most.
constexpr std::size_t kMostOfBlock = 64;
constexpr std::size_t kMostTaken = 4096;

/// Whether \p t, taken over by a thread of the running block, counts for the running thread.
bool isPast(const TakenOver& t) { return t.thread == running.thread || t.epoch < running.epoch; }

}  // namespace

void passFence() {
  if (running.kernel) fences[running.thread] = {running.block, running.epoch};
}

void handOn(const void* address) {
  const Fence& fence = fences[running.thread];
  if (fence.block != running.block) return;
  const Pause pause;
  std::vector<HandedOn>& list = handovers.handedOn[address][running.block];
  if (list.size() < kMostOfBlock) list.push_back({fence.epoch, running.thread, ++handovers.time});
}

void takeOver(const void* address) {
  if (handovers.handedOn.empty()) return;
  const Pause pause;
  const auto position = handovers.handedOn.find(address);
  if (position == handovers.handedOn.end()) return;
  if (handovers.takenOverBy != running.block) {
    handovers.takenOverBy = running.block;
    handovers.takenOver.clear();
  }
  const TakenOver now = {&position->second, running.thread, running.epoch, handovers.time};
  std::vector<TakenOver>& all = handovers.takenOver;
  const bool again = !all.empty() && all.back().from == now.from &&
                     all.back().thread == now.thread && all.back().epoch == now.epoch;
  if (again || all.size() == kMostTaken) all.back() = now;
  else all.push_back(now);
}

bool isHandedOver(const Access& earlier) {
  if (handovers.takenOverBy != running.block) return false;
  for (const TakenOver& taken : handovers.takenOver) {
    if (!isPast(taken)) continue;
    const auto position = taken.from->find(earlier.block);
    if (position == taken.from->end()) continue;
    for (const HandedOn& handed : position->second)
      if (handed.time <= taken.time &&
          (earlier.epoch < handed.epoch || earlier.thread() == handed.thread))
        return true;
  }
  return false;
}

void forgetHandovers() { handovers = {}; }

}  // namespace nbody::executor::checker
