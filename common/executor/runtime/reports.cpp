#include "executor/runtime/reports.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <set>

#include "executor/messages.hpp"
#include "executor/runtime/host_places.hpp"
#include "executor/runtime/settings.hpp"

namespace nbody::executor::runtime {

namespace {

std::mutex mutex;
std::set<std::string>& printed() {
  static auto& keys = *new std::set<std::string>;  // asked at the very end of the program too
  return keys;
}
int mistakes = 0;

void print(const std::string& text) {
  std::fflush(stdout);
  std::fputs((text + "\n").c_str(), stderr);
}

}  // namespace

std::string place(const Caller& caller) {
  if (caller.file != nullptr) return executor::place(caller.file, caller.line);
  return hostPlace({caller.address});
}

std::string atKnown(const char* before, const std::string& place, const char* otherwise) {
  return place == kUnknownLine ? otherwise : before + place;
}

void report(const std::string& text, const std::string& key) {
  const std::lock_guard lock(mutex);
  if (!printed().insert(key.empty() ? text : key).second) return;
  ++mistakes;
  print(text);
}

void note(const std::string& text, const std::string& key) {
  if (!runtimeSettings().notes) return;
  const std::lock_guard lock(mutex);
  if (printed().insert(key.empty() ? text : key).second) print(text);
}

int reportCount() { return mistakes; }

std::string withoutNumbers(const std::string& text) {
  std::string out = text;
  out.erase(std::remove_if(out.begin(), out.end(), [](char c) { return c >= '0' && c <= '9'; }),
            out.end());
  return out;
}

void refuse(const std::string& text) {
  std::fflush(stdout);
  std::fprintf(stderr, "executor: %s\n", text.c_str());
  _exit(2);
}

}  // namespace nbody::executor::runtime
