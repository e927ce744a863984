#include "executor/checker/undefined.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "executor/checker/checker.hpp"

namespace nbody::executor::checker {

namespace {

struct Held {
  bool any = false;
  Undefined byThread[1024] = {};
};
Held& held() {
  static thread_local const auto own = std::make_unique<Held>();
  return *own;
}

}  // namespace

void passOnUndefined() {
  const Pause pause;
  setReached(std::exchange(running.undefined, 0));
}

void beginUndefined() {
  if (std::exchange(held().any, false)) std::fill_n(held().byThread, 1024, 0);
}

void loadUndefined(int thread) { running.undefined = held().any ? held().byThread[thread] : 0; }

void saveUndefined() {
  if (running.undefined == 0 && !held().any) return;
  held().any = true;
  held().byThread[running.thread] = std::exchange(running.undefined, 0);
}

void shareUndefined(int firstThread, unsigned lanes) {
  if (!held().any) return;
  Undefined all = 0;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
    all |= held().byThread[firstThread + std::countr_zero(rest)];
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
    held().byThread[firstThread + std::countr_zero(rest)] = all;
}

void shuffleUndefined(int firstThread, unsigned lanes, const int (&sources)[kLanes]) {
  if (!held().any) return;
  Undefined before[kLanes];
  std::copy_n(held().byThread + firstThread, kLanes, before);
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    held().byThread[firstThread + lane] |= before[sources[lane]];
  }
}

void readWrongLane(int thread, const std::string& text, const std::string& line) {
  held().any = true;
  held().byThread[thread] |= foundWrongLane(thread, text, line);
}

void leaveUndefined() {
  if (!std::exchange(held().any, false)) return;
  for (Undefined& findings : held().byThread) setReached(std::exchange(findings, 0));
}

}  // namespace nbody::executor::checker
