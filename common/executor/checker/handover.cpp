#include "executor/checker/handover.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "executor/checker/running.hpp"
#include "executor/checker/slices.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

namespace {

struct HandedOn {
  Slice epochFirst;  ///< what came before it is handed on
  int thread;
  std::uint32_t time;  ///< counts handovers
};

/// What has been handed on at one address, by the first slice of a block.
using ByBlock = std::unordered_map<Slice, std::vector<HandedOn>>;

struct TakenOver {
  const ByBlock* from;
  int thread;
  Slice epochFirst;
  std::uint32_t time;
};

struct Fence {
  Slice blockName;
  Slice epochFirst;
};

/// By all blocks of the launch.
struct Handovers {
  std::mutex mutex;
  std::atomic<bool> any = false;
  std::unordered_map<const void*, ByBlock> handedOn;
  std::uint32_t time = 0;
};
/// Never destroyed, as in slices.cpp.
Handovers& handovers() {
  static auto& all = *new Handovers;
  return all;
}

/// Of the OS thread's block.
struct OwnHandovers {
  Slice block = 0;  ///< its first slice
  std::vector<TakenOver> takenOver;
  Fence fences[1024] = {};  ///< the last of each thread
};
OwnHandovers& own() {
  static thread_local const auto state = std::make_unique<OwnHandovers>();
  return *state;
}

// More than a correct kernel needs: the first of each block and the last taken count most.
constexpr std::size_t kMostOfBlock = 64;
constexpr std::size_t kMostTaken = 4096;

/// Whether what \p t's thread has taken over counts for the running thread too.
bool isPast(const TakenOver& t) {
  return t.thread == running.thread || t.epochFirst < running.epochFirst;
}

/// Up to where the running thread's last fence hands on what its block has done: to the fence, by
/// itself; with those of all threads of the block, to the barrier that has come between.
Slice handedOnTo(const Fence& fence) {
  if (fence.epochFirst >= running.epochFirst) return fence.epochFirst;
  const unsigned threads = ::blockDim.x * ::blockDim.y * ::blockDim.z;
  const bool byAll = std::all_of(own().fences, own().fences + threads, [&](const Fence& other) {
    return other.blockName == fence.blockName && other.epochFirst >= fence.epochFirst;
  });
  return byAll ? running.epochFirst : fence.epochFirst;
}

}  // namespace

void passFence() {
  const Pause pause;
  own().fences[running.thread] = {running.blockName, running.epochFirst};
}

void handOn(const void* address) {
  const Pause pause;
  const Fence& fence = own().fences[running.thread];
  if (fence.blockName != running.blockName) return;
  const std::lock_guard lock(handovers().mutex);
  handovers().any = true;
  std::vector<HandedOn>& list = handovers().handedOn[address][running.blockName];
  if (list.size() < kMostOfBlock)
    list.push_back({handedOnTo(fence), running.thread, ++handovers().time});
}

void takeOver(const void* address) {
  if (!handovers().any) return;
  const Pause pause;
  const std::lock_guard lock(handovers().mutex);
  const auto position = handovers().handedOn.find(address);
  if (position == handovers().handedOn.end()) return;
  if (own().block != running.blockName) {
    own().block = running.blockName;
    own().takenOver.clear();
  }
  const TakenOver now = {&position->second, running.thread, running.epochFirst, handovers().time};
  std::vector<TakenOver>& all = own().takenOver;
  const bool again = !all.empty() && all.back().from == now.from &&
                     all.back().thread == now.thread && all.back().epochFirst == now.epochFirst;
  if (again || all.size() == kMostTaken) all.back() = now;
  else all.push_back(now);
}

bool isHandedOver(Record earlier) {
  if (!handovers().any || own().block != running.blockName) return false;
  const std::optional<SliceOwner> owner = ownerOf(earlier.slice());
  const std::lock_guard lock(handovers().mutex);
  for (const TakenOver& taken : own().takenOver) {
    if (!owner || !isPast(taken)) continue;
    const auto position = taken.from->find(owner->blockFirst);
    if (position == taken.from->end()) continue;
    for (const HandedOn& handed : position->second)
      if (handed.time <= taken.time &&
          (earlier.slice() < handed.epochFirst || earlier.thread() == handed.thread))
        return true;
  }
  return false;
}

void forgetHandovers() {
  if (!handovers().any.exchange(false)) return;
  handovers().handedOn.clear();
  handovers().time = 0;
  own().block = 0;
}

}  // namespace nbody::executor::checker
