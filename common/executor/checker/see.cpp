#include "executor/checker/see.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "executor/block_scheduler.hpp"
#include "executor/checker/arrays.hpp"
#include "executor/checker/counts.hpp"
#include "executor/checker/locate.hpp"
#include "executor/checker/operations.hpp"
#include "executor/checker/program.hpp"
#include "executor/checker/source.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

namespace {

constexpr std::size_t kMostEvents = 60000;  ///< of the program
constexpr std::size_t kMostOfBlock = 8000;
constexpr std::size_t kMostBytes = 16384;  ///< of an array whose contents are shown
constexpr std::size_t kMostRaces = 64;

struct Event {
  char kind;  ///< r, w, a: load, store, atomic; or that of seeWait()
  bool isUnwritten;  ///< reads bytes that were never written
  std::uint8_t bytes;  ///< of the value
  int thread, array;
  std::int64_t offset;  ///< in the array; for a shuffle the source lane
  std::size_t size;
  std::uint32_t code;  ///< for a wait: index in Block::waits
  std::array<std::uint8_t, 16> value, after;  ///< what it reads, what it writes
};

struct Block {
  std::string head, arrays, races, stop;
  std::vector<Event> events;
  std::vector<Site> waits;
  std::map<const Array*, int> numbers;
  std::size_t raceCount = 0;
  bool isCut = false;
};

struct Seen {
  std::mutex mutex;
  std::set<std::string> lines;  ///< launches whose line has been seen
  Slice launch = 0;  ///< first slice of the last one
  bool isLaunchSeen = false;
  std::size_t launches = 0, events = 0;
  std::string heads;
  std::deque<Block> blocks;
};
Seen& seen() {
  static auto& all = *new Seen;
  return all;
}

struct Own {
  Block* block = nullptr;
  const std::uint8_t* written =
      nullptr;  ///< address of the last event's write, which comes after its record
};
thread_local Own own;

const char* fileName() {
  static const char* const name = std::getenv("NBODY_EXECUTOR_SEE");
  return name;
}
bool takesTurns() {
  static const char* const turns = std::getenv("NBODY_EXECUTOR_SEE_TURNS");
  return turns == nullptr || *turns != '0';
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}
std::string triple(const dim3& d) {
  return "[" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + "]";
}
std::string hexOf(const std::uint8_t* bytes, std::size_t count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    out += kDigits[bytes[i] >> 4];
    out += kDigits[bytes[i] & 15];
  }
  return out;
}

bool isWritten(const Array& array, std::size_t first, std::size_t end) {
  for (std::size_t word = first / kWordBytes; word * kWordBytes < end; ++word) {
    const unsigned bits = bytesOfWord(word, first, end);
    if ((array.written[word] & bits) != bits) return false;
  }
  return true;
}

/// Returns the number of \p array in the block. Describes it and its contents when it is first used.
int numberOf(Array& array, std::uint32_t code) {
  Block& block = *own.block;
  const auto [position, isNew] =
      block.numbers.try_emplace(&array, static_cast<int>(block.numbers.size()));
  if (!isNew) return position->second;
  array.askSource(code);
  std::string inner, contents, unwritten;
  for (const std::size_t extent : array.innerExtents)
    inner += (inner.empty() ? "" : ",") + std::to_string(extent);
  const std::size_t shown = std::min(array.bytes, kMostBytes);
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(array.begin);
  contents = hexOf(begin, shown);
  for (std::size_t byte = 0; byte < shown; ++byte)
    if ((array.written[byte / kWordBytes] >> byte % kWordBytes & 1) == 0) {
      contents[2 * byte] = contents[2 * byte + 1] = '-';
    }
  block.arrays +=
      (block.arrays.empty() ? "" : ",") + std::string("{\"name\":") + quoted(array.name) +
      ",\"space\":\"" +
      (array.space == Space::shared ? "shared"
       : array.isConstant           ? "constant"
                                    : "global") +
      "\",\"bytes\":" + std::to_string(array.bytes) +
      ",\"element\":" + std::to_string(array.elementBytes) + ",\"inner\":[" + inner +
      "],\"skew\":" + std::to_string(reinterpret_cast<std::uintptr_t>(array.begin) % 128) +
      ",\"allocated\":" +
      quoted(array.allocatedIn ? place(array.allocatedIn, array.allocatedLine) : "") +
      ",\"contents\":\"" + contents + "\"}";
  return position->second;
}

/// Returns a new event of the block; null if it has too many.
Event* addEvent() {
  Block& block = *own.block;
  if (block.events.size() >= kMostOfBlock || seen().events >= kMostEvents) {
    block.isCut = true;
    return nullptr;
  }
  block.events.emplace_back();
  return &block.events.back();
}

bool isChosen(std::uint64_t block, std::uint64_t blocks) {
  static const char* const wanted = std::getenv("NBODY_EXECUTOR_SEE_BLOCK");
  if (wanted != nullptr) return block == std::strtoull(wanted, nullptr, 10);
  return block < 2 || block + 1 == blocks;
}

void writeSeen() {
  Seen& all = seen();
  std::set<std::uint32_t> codes;
  for (const Block& block : all.blocks)
    for (const Event& event : block.events)
      if (event.kind == 'r' || event.kind == 'w' || event.kind == 'a') codes.insert(event.code);
  FILE* const file = std::fopen(fileName(), "w");
  if (file == nullptr) {
    std::fprintf(stderr, "executor: NBODY_EXECUTOR_SEE: cannot write '%s'\n", fileName());
    return;
  }
  std::fputs(all.heads.c_str(), file);
  for (const Block& block : all.blocks) {
    std::string text = "{" + block.head + ",\"cut\":" + (block.isCut ? "true" : "false") +
                       ",\"arrays\":[" + block.arrays + "],\"races\":[" + block.races +
                       "],\"stop\":" + (block.stop.empty() ? "null" : block.stop) + ",\"waits\":[";
    for (const Site& site : block.waits)
      text += std::string(text.back() == '[' ? "" : ",") + "[" + quoted(site.function) + "," +
              quoted(site.file) + "," + std::to_string(site.line) + "]";
    text += "],\"events\":[";
    for (const Event& e : block.events) {
      text +=
          std::string(text.back() == '[' ? "" : ",") + "[\"" + e.kind + "\"," +
          std::to_string(e.thread) + "," + std::to_string(e.array) + "," +
          std::to_string(e.offset) + "," + std::to_string(e.size) + "," + std::to_string(e.code) +
          "," + (e.isUnwritten ? "1" : "0") + ",\"" +
          (e.kind == 'w' ? "" : hexOf(e.value.data(), e.bytes)) + "\"" +
          (e.kind == 'w' || e.kind == 'a' ? ",\"" + hexOf(e.after.data(), e.bytes) + "\"" : "") +
          "]";
    }
    std::fputs((text + "]}\n").c_str(), file);
  }
  std::string text = "{\"code\":{";
  for (const auto& [code, line] : sourceLines(codes)) {
    text += std::string(text.back() == '{' ? "" : ",") + "\"" + std::to_string(code) + "\":[";
    for (const Frame& frame : line.frames)
      text += std::string(text.back() == '[' ? "" : ",") + "[" + quoted(frame.file) + "," +
              std::to_string(frame.line) + "," + quoted(frame.function) + "]";
    text += "]";
  }
  std::fputs((text + "}}\n").c_str(), file);
  std::fclose(file);
}

}  // namespace

bool beginSeeing(std::uint64_t number, std::uint64_t blocks, bool isResumed) {
  own.block = nullptr;
  if (fileName() == nullptr) return false;
  static const bool isRegistered = std::atexit(writeSeen) == 0;
  (void)isRegistered;
  Seen& all = seen();
  const std::lock_guard lock(all.mutex);
  const OperationInfo& launch = *currentOperation();
  if (all.launch != launch.first) {
    all.launch = launch.first;
    const std::string line = place(launch.operation.file.c_str(), launch.operation.line);
    all.isLaunchSeen = all.lines.insert(line + launch.operation.what).second;
    if (all.isLaunchSeen) {
      ++all.launches;
      const std::string& what = launch.operation.what;
      all.heads += "{\"launch\":" + std::to_string(all.launches - 1) +
                   ",\"kernel\":" + quoted(what.substr(what.starts_with("kernel ") ? 7 : 0)) +
                   ",\"file\":" + quoted(launch.operation.file) +
                   ",\"line\":" + std::to_string(launch.operation.line) +
                   ",\"grid\":" + triple(launch.blocks) + ",\"threads\":" + triple(launch.threads) +
                   "}\n";
    }
  }
  if (!all.isLaunchSeen || isResumed || !isChosen(number, blocks) || all.events >= kMostEvents)
    return false;
  all.blocks.emplace_back();
  own.block = &all.blocks.back();
  own.block->head = "\"of\":" + std::to_string(all.launches - 1) + ",\"block\":[" +
                    std::to_string(::blockIdx.x) + "," + std::to_string(::blockIdx.y) + "," +
                    std::to_string(::blockIdx.z) + "]";
  own.written = nullptr;
  return true;
}

void endSeeing() {
  if (own.block == nullptr) return;
  finishSeenWrite();
  const std::lock_guard lock(seen().mutex);
  seen().events += own.block->events.size();
  own.block = nullptr;
}

void finishSeenWrite() {
  if (own.written == nullptr) return;
  Event& event = own.block->events.back();
  std::memcpy(event.after.data(), own.written, event.bytes);
  own.written = nullptr;
}

/// Returns whether the thread's last event is an atomic of this instruction that changed nothing. Then it waits for
/// another thread, perhaps for a lock. Other atomics come at once: a turn between an update's load and its swap would
/// make it try again.
static bool hasJustFailed(const void* code) {
  finishSeenWrite();
  if (own.block->events.empty()) return false;
  const Event& last = own.block->events.back();
  return last.kind == 'a' && last.thread == running.thread && last.code == offsetInProgram(code) &&
         last.value == last.after;
}

void seeTurn() {
  if (own.block == nullptr || own.block->isCut || !takesTurns()) return;
  const std::uint8_t piece = running.mostPiece;
  const bool scope = running.scopeIsBlock;
  thisScheduler().takeTurn();
  running.mostPiece = piece;
  running.scopeIsBlock = scope;
}

void seeAccess(const void* address, std::size_t bytes, Access access, const void* code) {
  if (own.block == nullptr || access == Access::branch || launchArguments.holds(address)) return;
  if (access != Access::atomic || hasJustFailed(code)) seeTurn();
  const Pause pause;
  finishSeenWrite();
  Array* const array = arrayThatHolds(address, bytes);
  Event* const event = array == nullptr ? nullptr : addEvent();
  if (event == nullptr) return;
  const std::size_t first = array->offsetOf(address);
  event->kind = access == Access::load ? 'r' : access == Access::store ? 'w' : 'a';
  event->isUnwritten = access != Access::store && !isWritten(*array, first, first + bytes);
  event->bytes = static_cast<std::uint8_t>(std::min(bytes, event->value.size()));
  event->thread = running.thread;
  event->array = numberOf(*array, offsetInProgram(code));
  event->offset = static_cast<std::int64_t>(first);
  event->size = bytes;
  event->code = offsetInProgram(code);
  std::memcpy(event->value.data(), address, event->bytes);
  if (access != Access::load) own.written = static_cast<const std::uint8_t*>(address);
}

void seeArray(Array& array, std::uint32_t code) {
  if (own.block != nullptr) numberOf(array, code);
}

void seeWait(char kind, int thread, Site site, unsigned mask, int source, std::uint64_t value) {
  if (own.block == nullptr) return;
  finishSeenWrite();
  Event* const event = addEvent();
  if (event == nullptr) return;
  std::vector<Site>& waits = own.block->waits;
  const auto same = std::find_if(waits.begin(), waits.end(), [&](const Site& other) {
    return sameLine(other, site) && std::strcmp(other.function, site.function) == 0;
  });
  event->code = static_cast<std::uint32_t>(same - waits.begin());
  if (same == waits.end()) waits.push_back(site);
  event->kind = kind;
  event->thread = thread;
  event->array = -1;
  event->offset = source;
  event->size = mask;
  event->bytes = kind == 'S' ? 8 : 0;
  std::memcpy(event->value.data(), &value, sizeof value);
}

void seeRace(const Array& array, std::size_t word, std::uint32_t code, int thread, bool writes,
             std::uint32_t otherCode, int otherThread, bool otherWrites,
             const std::string& otherPlace) {
  if (own.block == nullptr || own.block->numbers.count(&array) == 0) return;
  if (++own.block->raceCount > kMostRaces) return;
  own.block->races +=
      (own.block->races.empty() ? "[" : ",[") + std::to_string(own.block->events.size()) + "," +
      std::to_string(own.block->numbers[&array]) + "," + std::to_string(word * kWordBytes) + "," +
      std::to_string(code) + "," + std::to_string(thread) + "," + (writes ? "1" : "0") + "," +
      std::to_string(otherCode) + "," + std::to_string(otherThread) + "," +
      (otherWrites ? "1" : "0") + "," + quoted(otherPlace) + "]";
}

void seeStop(const std::string& what, std::uint32_t code, bool writes, std::size_t bytes,
             const std::string& where) {
  if (own.block == nullptr || !own.block->stop.empty()) return;
  const Frame frame = code == 0 ? Frame{} : sourceFrame(code);
  own.block->stop = "[" + std::to_string(own.block->events.size()) + "," +
                    std::to_string(running.thread) + "," + quoted(what) + "," +
                    (writes ? "1" : "0") + "," + std::to_string(bytes) + "," + quoted(frame.file) +
                    "," + std::to_string(frame.line) + "," + quoted(where) + "]";
}

}  // namespace nbody::executor::checker
