/// \file
/// A model that remembers all accesses of a random kernel and knows whether some race. The checker must report
/// a race if the model knows one, and otherwise none. The model has a vector clock for each thread. The program,
/// barriers, and fences around atomics order the accesses.
#pragma once

#include <random>

#include "checker_reports.hpp"

namespace nbody {

enum Step : int {
  nothing,
  readData,
  writeData,
  fence,
  fenceOfBlock,
  atomic,
  atomicOfBlock,
  kSteps
};

/// The work of a thread in a round. Places of memory have numbers below kPlaces.
struct Move {
  int step, place;
};
constexpr int kPlaces = 4;

struct RandomKernel {
  int blocks, threads;
  std::vector<int> waits =
      {};  ///< for each round: so many threads then wait for each other; 1: none
  bool isShared = false;  ///< each block has its own memory
  std::vector<Move> moves = {};  ///< of all threads in each round

  int rounds() const { return static_cast<int>(waits.size()); }
  int allThreads() const { return blocks * threads; }
  int blockOf(int thread) const { return thread / threads; }
  const Move& moveOf(int round, int thread) const { return moves[round * allThreads() + thread]; }
};

using Clock = std::vector<int>;

inline void join(Clock& into, const Clock& other) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
}

/// Runs the kernel as the executor does: block by block, in each its threads in turn from one wait to
/// the next. Either no round has a wait, or the order of threads between waits changes nothing.
class RaceModel {
 public:
  explicit RaceModel(const RandomKernel& kernel)
      : k_(kernel),
        none_(kernel.allThreads(), 0),
        now_(kernel.allThreads(), none_),
        fence_(now_),
        fenceOfBlock_(now_),
        forAll_(kPlaces, none_),
        forBlock_(kPlaces * kernel.blocks, none_),
        atomics_(kernel.allThreads(), std::vector<Clock>(kPlaces, none_)),
        atomicsForAll_(forAll_),
        atomicsForBlock_(forBlock_),
        accesses_(kPlaces * kernel.blocks) {}

  bool hasRace() {
    const bool waits = std::any_of(k_.waits.begin(), k_.waits.end(), [](int n) { return n > 1; });
    for (int block = 0; block < k_.blocks; ++block) {
      const int first = block * k_.threads, end = first + k_.threads;
      for (int thread = first; !waits && thread < end; ++thread)
        for (int round = 0; round < k_.rounds(); ++round) move(round, thread);
      for (int round = 0; waits && round < k_.rounds(); ++round) {
        for (int thread = first; thread < end; ++thread) move(round, thread);
        const int group = k_.waits[round];
        for (int one = first; group > 1 && one < end; one += group) meet(one, one + group);
      }
    }
    return race_;
  }

 private:
  struct Access {
    int thread, time;
    bool writes, atomic, ofBlock;
  };

  void meet(int first, int end) {
    Clock all = none_;
    for (int thread = first; thread < end; ++thread) join(all, now_[thread]);
    std::fill(now_.begin() + first, now_.begin() + end, all);
    for (int place = 0; place < kPlaces; ++place) {
      Clock atomics = none_;
      for (int thread = first; thread < end; ++thread) join(atomics, atomics_[thread][place]);
      for (int thread = first; thread < end; ++thread) atomics_[thread][place] = atomics;
    }
  }

  void access(int place, Access access) {
    const int block = k_.blockOf(access.thread);
    std::vector<Access>& others = accesses_[k_.isShared ? block * kPlaces + place : place];
    for (const Access& earlier : others) {
      const bool conflict = earlier.writes || access.writes, both = earlier.atomic && access.atomic;
      const bool narrow =
          (earlier.ofBlock || access.ofBlock) && k_.blockOf(earlier.thread) != block;
      if (earlier.thread == access.thread || !conflict || (both && !narrow)) continue;
      const bool isKnown = both && earlier.time <= atomics_[access.thread][place][earlier.thread];
      if (earlier.time > now_[access.thread][earlier.thread] && !isKnown) race_ = true;
    }
    others.push_back(access);
  }

  void move(int round, int thread) {
    const Move& m = k_.moveOf(round, thread);
    Clock& now = now_[thread];
    const int time = ++now[thread];
    const bool isAtomic = m.step == atomic || m.step == atomicOfBlock;
    if (m.step == readData || m.step == writeData)
      access(m.place, {thread, time, m.step == writeData, false, false});
    if (m.step == fence) fence_[thread] = now;
    if (m.step == fence || m.step == fenceOfBlock) fenceOfBlock_[thread] = now;
    if (!isAtomic) return;
    access(m.place, {thread, time, true, true, m.step == atomicOfBlock});
    const int inBlock = k_.blockOf(thread) * kPlaces + m.place;
    Clock& ofBlock = forBlock_[inBlock];
    join(ofBlock, fenceOfBlock_[thread]);
    if (m.step == atomic) join(forAll_[m.place], fence_[thread]);
    join(now, forAll_[m.place]);
    join(now, ofBlock);
    // An atomic that hands on is itself known to the atomics at that address that take over.
    if (fenceOfBlock_[thread] != none_) atomicsForBlock_[inBlock][thread] = time;
    if (m.step == atomic && fence_[thread] != none_) atomicsForAll_[m.place][thread] = time;
    join(atomics_[thread][m.place], atomicsForAll_[m.place]);
    join(atomics_[thread][m.place], atomicsForBlock_[inBlock]);
  }

  const RandomKernel& k_;
  Clock none_;
  std::vector<Clock> now_, fence_, fenceOfBlock_, forAll_, forBlock_;
  /// For each place: the atomics that a thread knows of, and that are handed on.
  std::vector<std::vector<Clock>> atomics_;
  std::vector<Clock> atomicsForAll_, atomicsForBlock_;
  std::vector<std::vector<Access>> accesses_;
  bool race_ = false;
};

/// Returns a line for each round: what each thread does, and how many then wait for each other.
inline std::string textOf(const RandomKernel& kernel) {
  static constexpr const char* kNames[] = {
      "-", "read", "write", "fence", "fence of block", "atomic", "atomic of block"};
  std::string text = kernel.isShared ? "shared memory" : "global memory";
  for (int round = 0; round < kernel.rounds(); ++round) {
    text += "\n";
    for (int thread = 0; thread < kernel.allThreads(); ++thread) {
      const Move& move = kernel.moveOf(round, thread);
      if (move.step != nothing)
        text += "block " + std::to_string(kernel.blockOf(thread)) + " thread " +
                std::to_string(thread % kernel.threads) + ": " + kNames[move.step] + " " +
                std::to_string(move.place) + ", ";
    }
    text += "then " + std::to_string(kernel.waits[round]) + " wait";
  }
  return text + "\n";
}

}  // namespace nbody
