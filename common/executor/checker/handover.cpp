#include "executor/checker/handover.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "executor/checker/running.hpp"
#include "executor/checker/slices.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

namespace {

using Time = std::uint32_t;  ///< number of handovers in a launch so far

/// The extent of a handover: slices up to \p before, from that time on.
struct HandedOn {
  Time time;
  Slice before;
};
/// Handovers in ascending order of both members.
class History {
 public:
  void add(HandedOn handed) {
    if (all_.empty() || all_.back().before < handed.before) all_.push_back(handed);
  }
  /// Returns how far at \p time; 0: not at all.
  Slice at(Time time) const {
    const auto after = std::upper_bound(all_.begin(), all_.end(), time,
                                        [](Time t, HandedOn h) { return t < h.time; });
    return after == all_.begin() ? 0 : after[-1].before;
  }

 private:
  std::vector<HandedOn> all_;
};

/// Memory that a block has handed over at one address.
struct OfBlock {
  History all;  ///< accesses of all its threads, up to the last barrier before a fence
  std::unordered_map<int, History> byThread;  ///< accesses of one thread, up to its fence
  std::unordered_map<int, History> atomics;  ///< the same, and the atomic that hands them over
};
struct AtAddress;
/// The handovers that a thread knows: the time of the last one per address. The second half of the
/// key is the block that took it over, because fences of block scope count only for that block.
using Taken = std::map<std::pair<const AtAddress*, Slice>, Time>;

struct AtAddress {
  const char* address = nullptr;
  std::unordered_map<Slice, OfBlock> forAll, forBlock;  ///< handovers by the first slice of a block
  Taken carried;  ///< handovers to the threads that handed over
  Time time = 0;  ///< time of the last handover
};

void merge(Taken& into, const Taken& more) {
  for (const auto& [key, time] : more) into[key] = std::max(into[key], time);
}

/// Handovers that a thread of the running block knows, now and before its last new epoch.
struct TakenOver {
  Taken all, before;
  Slice epochFirst = 0;

  /// Keeps what was known before the block's last barrier, because more follows.
  void enterEpoch() {
    if (std::exchange(epochFirst, running.epochFirst) != running.epochFirst) before = all;
  }
};

struct Fence {
  Slice blockName;
  Slice before;  ///< its own earlier accesses have smaller slices
  Slice epochFirst;
  std::array<Slice, kLanes> lanes;  ///< the same for each lane of its warp, before they met
  Taken taken = {};  ///< taken over by its thread until then
};

/// Handovers of all blocks of the launch.
struct Handovers {
  std::mutex mutex;
  std::atomic<bool> any = false;
  std::unordered_map<const void*, AtAddress> at;
  Time time = 0;
};
/// Returns them. Never destroyed; see slices.cpp.
Handovers& handovers() {
  static auto& all = *new Handovers;
  return all;
}

/// Handovers of the OS thread's block.
struct OwnHandovers {
  Slice block = 0;  ///< first slice of the block
  std::map<int, TakenOver> takenOver;  ///< handovers by thread
  Fence fences[1024] = {};  ///< last fence of each thread
  /// Addresses that a thread has loaded last without an order.
  struct Later {
    struct Load {
      const void* address = nullptr;
      Slice epochFirst = 0;  ///< epoch of the last load
      bool hasFence = false;  ///< the thread has passed a fence since
    };
    Slice blockName = 0;
    std::array<Load, 4> loads = {};
    std::size_t next = 0;
  };
  Later later[1024] = {};
  Fence fencesOfBlock[1024] = {};  ///< last fence or __threadfence_block() of each thread
};
OwnHandovers& own() {
  static thread_local const auto state = makeState<OwnHandovers>();
  return *state;
}

/// Returns the slice up to which a fence hands over the whole block's accesses. One thread's fence
/// covers them up to the previous barrier. After fences of all threads, so does the next one.
Slice handedOnOfAll(const Fence& fence, const Fence* fences) {
  if (fence.epochFirst >= running.epochFirst) return fence.epochFirst;
  const unsigned threads = ::blockDim.x * ::blockDim.y * ::blockDim.z;
  const bool byAll = std::all_of(fences, fences + threads, [&](const Fence& other) {
    return other.blockName == fence.blockName && other.epochFirst >= fence.epochFirst;
  });
  return byAll ? running.epochFirst : fence.epochFirst;
}

void handOn(std::unordered_map<Slice, OfBlock>& to, const Fence* fences) {
  const Fence& fence = fences[running.thread];
  if (fence.blockName != running.blockName) return;
  const Time time = ++handovers().time;
  OfBlock& ofBlock = to[running.blockName];
  ofBlock.all.add({time, handedOnOfAll(fence, fences)});
  const int firstLane = running.thread / kLanes * kLanes;
  for (int lane = 0; lane < kLanes; ++lane)
    if (fence.lanes[lane] > fence.epochFirst)
      ofBlock.byThread[firstLane + lane].add({time, fence.lanes[lane]});
  ofBlock.byThread[running.thread].add({time, fence.before});
  ofBlock.atomics[running.thread].add({time, running.slice + 1});
}

/// Visits the handovers that count for the running thread: those that it took over itself, and
/// those that other threads of its block took over before the last barrier.
template <class Visit>
void forEachTaken(const Visit& visit) {
  if (own().block != running.blockName) return;
  for (const auto& [thread, taken] : own().takenOver)
    visit(thread == running.thread || taken.epochFirst < running.epochFirst ? taken.all
                                                                            : taken.before);
}

/// Returns whether a block had handed over \p earlier by \p time. \p isSame: it is an access to the
/// address of the atomics, which are ordered among themselves.
bool holds(const std::unordered_map<Slice, OfBlock>& blocks, Slice block, Record earlier,
           bool isSame, Time time) {
  const auto position = blocks.find(block);
  if (position == blocks.end()) return false;
  const OfBlock& of = position->second;
  if (earlier.slice() < of.all.at(time)) return true;
  const auto& byThread = isSame && earlier.isAtomic() ? of.atomics : of.byThread;
  const auto ofThread = byThread.find(earlier.thread());
  return ofThread != byThread.end() && earlier.slice() < ofThread->second.at(time);
}

}  // namespace

/// Takes over what the thread has loaded before its fence.
static void takeOverLoaded() {
  OwnHandovers::Later& later = own().later[running.thread];
  if (later.blockName != running.blockName) return;
  for (auto& load : later.loads)
    if (load.address != nullptr && !std::exchange(load.hasFence, true)) takeOver(load.address);
}

/// Hands on what flags said that the block's threads had loaded before its last barrier. PTX's
/// model asks for a fence after the barrier too, but barriers of a grid are published without it
/// (Xiao and Feng 2010), and GPUs order their accesses.
static void carryLoaded(AtAddress& to) {
  const unsigned threads = ::blockDim.x * ::blockDim.y * ::blockDim.z;
  for (unsigned thread = 0; thread < threads; ++thread) {
    const OwnHandovers::Later& later = own().later[thread];
    if (later.blockName != running.blockName) continue;
    for (const auto& load : later.loads) {
      if (load.address == nullptr || load.epochFirst == running.epochFirst) continue;
      const auto position = handovers().at.find(load.address);
      if (position == handovers().at.end()) continue;
      const AtAddress& loaded = position->second;
      if (&loaded != &to) merge(to.carried, loaded.carried);
      to.carried[{&loaded, running.blockName}] = loaded.time;
    }
  }
}

void passFence() {
  const Pause pause;
  if (handovers().any) takeOverLoaded();
  Fence fence = {running.blockName, beginSlice(), running.epochFirst, {}};
  const auto& lanes = running.laneSlices[running.thread];
  std::transform(lanes, lanes + kLanes, fence.lanes.begin(), [](Slice last) { return last + 1; });
  if (handovers().any) forEachTaken([&](const Taken& taken) { merge(fence.taken, taken); });
  own().fencesOfBlock[running.thread] = fence;
  if (!running.scopeIsBlock) own().fences[running.thread] = fence;
}

void handOn(const void* address) {
  const Pause pause;
  if (own().fencesOfBlock[running.thread].blockName != running.blockName) return;
  const std::lock_guard lock(handovers().mutex);
  handovers().any = true;
  AtAddress& at = handovers().at[address];
  at.address = static_cast<const char*>(address);
  handOn(at.forBlock, own().fencesOfBlock);
  at.time = handovers().time;
  if (running.scopeIsBlock || own().fences[running.thread].blockName != running.blockName) return;
  handOn(at.forAll, own().fences);
  at.time = handovers().time;
  merge(at.carried, own().fences[running.thread].taken);
  carryLoaded(at);
}

void takeOver(const void* address) {
  if (!handovers().any) return;
  const Pause pause;
  const std::lock_guard lock(handovers().mutex);
  const auto position = handovers().at.find(address);
  if (position == handovers().at.end()) return;
  if (own().block != running.blockName) {
    own().block = running.blockName;
    own().takenOver.clear();
  }
  const AtAddress& at = position->second;
  TakenOver& taken = own().takenOver[running.thread];
  const std::pair key(&at, running.blockName);
  const auto known = taken.all.find(key);
  if (known != taken.all.end() && known->second >= at.time) return;  // it spins
  taken.enterEpoch();
  merge(taken.all, at.carried);
  taken.all[key] = at.time;
}

/// A spinning thread loads the same few flags again and again, so only the last ones count.
void takeOverLater(const void* address) {
  if (!handovers().any) return;
  const Pause pause;
  OwnHandovers::Later& later = own().later[running.thread];
  if (later.blockName != running.blockName) later = {running.blockName, {}, 0};
  for (auto& known : later.loads)
    if (known.address == address) {
      known = {address, running.epochFirst};
      return;
    }
  later.loads[later.next++ % later.loads.size()] = {address, running.epochFirst};
}

bool isHandingOver(const void* address) {
  if (!handovers().any) return false;
  const std::lock_guard lock(handovers().mutex);
  return handovers().at.count(address) != 0;
}

void shareTakenOver(int first, unsigned lanes) {
  if (!handovers().any || own().block != running.blockName) return;
  const Pause pause;
  Taken all;
  const auto forEachLane = [&](const auto& visit) {
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) visit(first + std::countr_zero(rest));
  };
  forEachLane([&](int thread) {
    const auto taken = own().takenOver.find(thread);
    if (taken != own().takenOver.end()) merge(all, taken->second.all);
  });
  if (all.empty()) return;
  forEachLane([&](int thread) {
    TakenOver& taken = own().takenOver[thread];
    taken.enterEpoch();
    taken.all = all;
  });
}

bool isHandedOver(Record earlier, const char* word) {
  if (!handovers().any || own().block != running.blockName) return false;
  const std::optional<SliceOwner> owner = ownerOf(earlier.slice());
  if (!owner) return false;
  const std::lock_guard lock(handovers().mutex);
  bool isHanded = false;
  forEachTaken([&](const Taken& taken) {
    for (auto known = taken.begin(); known != taken.end() && !isHanded; ++known) {
      const auto& [key, time] = *known;
      const auto& [at, block] = key;
      const bool isSame = at->address <= word && word < at->address + sizeof(std::uint64_t);
      isHanded = holds(at->forAll, owner->blockFirst, earlier, isSame, time) ||
                 (owner->blockFirst == block &&
                  holds(at->forBlock, owner->blockFirst, earlier, isSame, time));
    }
  });
  return isHanded;
}

void forgetHandovers() {
  if (!handovers().any.exchange(false)) return;
  handovers().at.clear();
  handovers().time = 0;
  own().block = 0;
}

}  // namespace nbody::executor::checker
