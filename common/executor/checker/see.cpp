#include "executor/checker/see.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "executor/block_scheduler.hpp"
#include "executor/checker/checker.hpp"
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
constexpr std::size_t kMostBehind = 60000;  ///< writes of a block's warps that are left out
constexpr std::size_t kMostBytes = 16384;  ///< of an array whose contents are shown
constexpr std::size_t kMostRaces = 64;  ///< of a block
constexpr std::size_t kMostBlocks = 8;  ///< of a launch
constexpr int kMostLaunches = 16;  ///< of a line, until one has a finding

struct Event {
  /// r, w, a, l: load, store, atomic, atomic load, which may be part of the atomic that follows. x: a store or an atomic of a warp that is left out. B, G: waits
  /// for the block, for the grid. W, S, V: __syncwarp(), a shuffle, another warp function.
  /// C: waits for a condition, such as that of a cuda::barrier.
  char kind;
  bool isUnwritten = false;  ///< reads bytes that were never written
  bool isAsynchronous = false;
  bool isRepeated = false;  ///< an atomic that is left out if it has no effect
  bool hasSpun = false;  ///< an atomic that has waited for another thread's write
  std::uint8_t bytes = 0;
  std::uint8_t piece = 0;  ///< number of the part of an access that a GPU makes in parts
  int thread = 0, array = -1;
  std::int64_t offset = 0;  ///< in the array; for a shuffle the source lane
  std::uint32_t code = 0;  ///< for a wait: index in Block::waits
  std::uint32_t number = 0;  ///< in the block, in the order in which events happened
  std::array<std::uint8_t, kLargestPiece> value = {}, after = {};  ///< what it reads, writes
};

/// An atomic or atomic load of a thread, which may spin.
struct Spin {
  std::uint32_t code = 0;
  const void* address = nullptr;
  std::uint64_t value = 0;
};
struct Spins {
  std::array<Spin, 2> last = {};  ///< without another access since
  bool hasWaited = false;  ///< at least one of them had no effect
};

/// An array that the block uses. When the program ends, it may be gone.
struct Known {
  Array* array;
  std::size_t from;  ///< the first byte that is shown
  Memory memory;
  std::uint64_t begin;  ///< its address; in shared memory, one in bank 0
};

struct Block {
  std::string arrays, contents, races, stop;
  std::uint64_t number = 0;
  dim3 index;
  std::vector<Event> events;
  std::vector<Site> waits;
  std::vector<Known> known;
  std::vector<Spins> spins;  ///< by thread
  std::uint32_t nextNumber = 0, kept = 1, leftOut = 0;  ///< warps, a bit each
  std::vector<bool> isNamed;  ///< by thread: a report names it
  std::size_t recorded = 0, behind = 0;  ///< events of warps that are kept, and left out
  std::size_t raceCount = 0;
  bool isCut = false;
};

struct Launch {
  std::string line, head;
  std::uint32_t number = 0;
  bool hasFindings = false;
  std::list<Block> blocks = {};
};

struct Seen {
  std::list<Launch> launches;  ///< the last one is that of \p current if that is recorded
  const OperationInfo* current = nullptr;
  bool isRecorded = false;
  std::uint32_t count = 0;  ///< launches so far
  std::map<std::string, int> launchesOfLine;  ///< those that were recorded, if then kept or not
  std::size_t events = 0;  ///< of blocks that have ended
};
/// Returns the records. Never destroyed, because they are written at the program's end. The
/// checker's runs have one OS thread unless the user wants several, which are not recorded.
Seen& seen() {
  static auto& all = *new Seen;
  return all;
}

Block* own = nullptr;  // the running block, if it is recorded
/// Parts of a write, the last of the block's events, whose values come after their records.
std::size_t unfinished = 0;
std::vector<Parameter> parameters;

const char* setting(const char* name) {
  const char* const text = std::getenv(name);
  return text != nullptr ? text : "";
}
const char* fileName() {
  static const char* const name = std::getenv("NBODY_EXECUTOR_SEE");
  return name;
}
bool reportsName(const std::string& text) {
  static const std::string reports = setting("NBODY_EXECUTOR_SEE_REPORTS");
  return reports.find(text) != std::string::npos;
}
/// Returns whether \p number is the chosen one, or \p otherwise if none is chosen.
bool isChosen(const char* choice, std::uint64_t number, bool otherwise) {
  return *choice == '\0' ? otherwise : number == std::strtoull(choice, nullptr, 10);
}

void addTo(std::string& list, const std::string& item) { list += (list.empty() ? "" : ",") + item; }
std::string json(const std::string& value) { return value; }
std::string json(std::int64_t number) { return std::to_string(number); }
template <class... Parts>
std::string listOf(const Parts&... parts) {
  std::string text;
  (addTo(text, json(parts)), ...);
  return "[" + text + "]";
}
std::string listOf(const dim3& d) { return listOf(d.x, d.y, d.z); }
using Fields = std::initializer_list<std::pair<const char*, std::string>>;
/// Returns an object of JSON, whose values are JSON.
std::string object(Fields fields) {
  std::string text;
  for (const auto& [name, value] : fields) addTo(text, inJson(name) + ":" + value);
  return "{" + text + "}";
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

/// Adds what array \p number holds now. Bytes that were never written are "--".
void addContents(int number) {
  const Array* const array = own->known[number].array;
  const std::size_t from = own->known[number].from;
  const std::size_t shown = std::min(array->bytes - from, kMostBytes);
  std::string text = hexOf(reinterpret_cast<const std::uint8_t*>(array->begin) + from, shown);
  for (std::size_t i = 0; i < shown; ++i)
    if ((array->written[(from + i) / kWordBytes] >> (from + i) % kWordBytes & 1) == 0)
      text[2 * i] = text[2 * i + 1] = '-';
  addTo(own->contents, listOf(own->nextNumber, number, "\"" + text + "\""));
}

/// Returns the kernel's names of the array: those of the parameters that point to it. Sets \p type to
/// the first of them.
std::string namesInKernel(const Array& array, const Parameter*& type) {
  std::string names;
  for (const Parameter& parameter : parameters) {
    if (!array.holds(static_cast<const char*>(parameter.value), 0)) continue;
    names += (names.empty() ? "" : "/") + std::string(parameter.name);
    if (type == nullptr) type = &parameter;
  }
  return names;
}

/// Returns the number of \p array in the block. Describes it and its contents when it is first
/// used, at \p offset.
int numberOf(Array& array, std::uint32_t code, std::size_t offset) {
  for (std::size_t i = 0; i < own->known.size(); ++i)
    if (own->known[i].array == &array) return static_cast<int>(i);
  array.askSource(code);
  constexpr std::size_t kBefore = kMostBytes / 4;
  const std::size_t from =
      array.bytes <= kMostBytes || offset < kBefore ? 0 : (offset - kBefore) / kBefore * kBefore;
  const auto begin = reinterpret_cast<std::uintptr_t>(array.begin);
  own->known.push_back(
      {&array, from, memoryOf(array), array.space == Space::shared ? begin % kWordBytes : begin});
  const Parameter* type = nullptr;
  const std::string names = array.space == Space::global ? namesInKernel(array, type) : "";
  const bool hasSize = type != nullptr && type->bytes > 0;
  const std::string kind = hasSize ? std::string(1, type->kind) : "";
  addTo(
      own->arrays,
      object({{"name", inJson(names.empty() ? array.name : names)},
              {"host", inJson(array.name)},
              {"space", inJson(memoryName(array))},
              {"bytes", json(array.bytes)},
              {"element", json(hasSize ? type->bytes : array.elementBytes)},
              {"row", json(array.innerExtents.empty() ? 0 : array.innerExtents.back())},
              {"from", json(from)},
              {"skew", json(begin % 128)},
              {"type", hasSize ? listOf(inJson(kind), inJson(demangledType(type->type))) : "null"},
              {"order", json(type == nullptr ? parameters.size() : type - parameters.data())}}));
  addContents(static_cast<int>(own->known.size()) - 1);
  return static_cast<int>(own->known.size()) - 1;
}

/// Leaves out the last warp that may be, which makes room. Returns false if there is none.
bool leaveOutWarp() {
  for (int warp = kMaxThreads / kLanes - 1; warp > 0; --warp) {
    const auto isOfWarp = [warp](const Event& e) { return e.thread / kLanes == warp; };
    if (((own->kept | own->leftOut) >> warp & 1) != 0 ||
        std::none_of(own->events.begin(), own->events.end(), isOfWarp))
      continue;
    own->leftOut |= 1u << warp;
    own->recorded -= std::count_if(own->events.begin(), own->events.end(), isOfWarp);
    std::erase_if(own->events,
                  [&](const Event& e) { return isOfWarp(e) && e.kind != 'w' && e.kind != 'a'; });
    for (Event& e : own->events)
      if (isOfWarp(e)) e.kind = 'x', ++own->behind;
    return true;
  }
  return false;
}

/// Adds an event and returns it; null if it is left out, or if the block has too many.
Event* addEvent(Event event) {
  Block& block = *own;
  if (block.isCut) return nullptr;
  while (block.recorded >= kMostOfBlock && leaveOutWarp()) {
  }
  if (block.recorded >= kMostOfBlock || block.behind >= kMostBehind) {
    block.isCut = true;
    return nullptr;
  }
  event.number = block.nextNumber++;
  if ((block.leftOut >> event.thread / kLanes & 1) != 0) {
    if (event.kind != 'w' && event.kind != 'a') return nullptr;
    event.kind = 'x';
  }
  ++(event.kind == 'x' ? block.behind : block.recorded);
  block.events.push_back(event);
  return &block.events.back();
}

Access accessOf(const Event& e) {
  return e.kind == 'a' ? Access::atomic : e.kind == 'w' ? Access::store : Access::load;
}

/// Returns the number of each event's request. Adds what each request costs, in its order. A lane that has spun, perhaps for a
/// lock, is alone until lanes meet again.
std::vector<std::size_t> requestsOf(const Block& block, std::string& costs) {
  using Key = std::tuple<int, int, std::uint32_t, std::uint32_t, char, int, int>;
  std::map<std::pair<Key, int>, std::size_t> numbers;  // by key and by the lanes' number of visits
  std::map<std::pair<int, Key>, int> visits;  // of a thread
  std::map<int, int> barriers;  // of a thread, so far
  std::map<int, std::uint32_t> spun;  // of a thread: the number of its event
  std::vector<std::size_t> requests;
  std::vector<std::pair<const Event*, Lanes>> made;  // with its first event
  for (const Event& e : block.events) {
    if (e.array < 0 || e.hasSpun) spun[e.thread] = e.hasSpun ? e.number : 0;
    const Key key = {
        e.thread / kLanes, barriers[e.thread], spun[e.thread], e.code, e.kind, e.array, e.piece};
    barriers[e.thread] += e.kind == 'B' || e.kind == 'G';
    const auto [known, isNew] = numbers.try_emplace({key, visits[{e.thread, key}]++}, made.size());
    requests.push_back(known->second);
    if (isNew) made.push_back({&e, {}});
    if (e.array < 0) continue;
    Lanes& lanes = made[known->second].second;
    lanes.mask |= 1u << e.thread % kLanes;
    lanes.addresses.push_back(block.known[e.array].begin + e.offset);
  }
  for (const auto& [first, lanes] : made) {
    const Event& e = *first;
    if (e.array < 0 || e.kind == 'x') {
      addTo(costs, "null");
      continue;
    }
    const Memory memory = block.known[e.array].memory;
    const Cost cost = costOf(memory, lanes, e.bytes, accessOf(e));
    std::string words;
    for (const std::uint64_t n : cost.words) addTo(words, std::to_string(n));
    addTo(costs, memory == Memory::shared ? listOf(cost.needed, cost.least, "[" + words + "]")
                                          : listOf(cost.needed, cost.least));
  }
  return requests;
}

std::string textOf(const Event& e, std::size_t request) {
  const bool reads = e.kind == 'r' || e.kind == 'l' || e.kind == 'a';
  const bool writes = e.kind == 'w' || e.kind == 'a' || e.kind == 'x';
  return listOf(inJson(std::string(1, e.kind)), e.number, e.thread, e.array, e.offset, e.bytes,
                e.code, request, e.isUnwritten + 2 * e.isAsynchronous,
                inJson(reads ? hexOf(e.value.data(), e.bytes) : ""),
                inJson(writes ? hexOf(e.after.data(), e.bytes) : ""));
}

void writeBlock(FILE* file, std::uint32_t launch, const Block& block) {
  std::string waits, events, costs;
  const std::vector<std::size_t> requests = requestsOf(block, costs);
  for (const Site& site : block.waits)
    addTo(waits, listOf(inJson(site.function), inJson(site.file), site.line));
  for (std::size_t k = 0; k < block.events.size(); ++k)
    addTo(events, textOf(block.events[k], requests[k]));
  const std::string text = object({{"of", json(launch)},
                                   {"block", listOf(block.index)},
                                   {"cut", block.isCut ? "true" : "false"},
                                   {"left_out", json(block.leftOut)},
                                   {"arrays", "[" + block.arrays + "]"},
                                   {"contents", "[" + block.contents + "]"},
                                   {"races", "[" + block.races + "]"},
                                   {"stop", block.stop.empty() ? "null" : block.stop},
                                   {"waits", "[" + waits + "]"},
                                   {"costs", "[" + costs + "]"},
                                   {"events", "[" + events + "]"}});
  std::fputs((text + "\n").c_str(), file);
}

}  // namespace

void writeSeen() {
  if (fileName() == nullptr || seen().count == 0) return;
  FILE* const file = std::fopen(fileName(), "w");
  if (file == nullptr) {
    std::fprintf(stderr, "executor: NBODY_EXECUTOR_SEE: cannot write '%s'\n", fileName());
    return;
  }
  std::set<std::uint32_t> codes;
  for (const Launch& launch : seen().launches) {
    std::fputs((launch.head + "\n").c_str(), file);
    for (const Block& block : launch.blocks) {
      writeBlock(file, launch.number, block);
      for (const Event& event : block.events)
        if (event.array >= 0) codes.insert(event.code);
    }
  }
  std::string lines;
  for (const auto& [code, line] : sourceLines(codes)) {
    std::string frames;
    for (const Frame& frame : line.frames) addTo(frames, listOf(inJson(frame.file), frame.line));
    addTo(lines, inJson(std::to_string(code)) + ":[" + frames + "]");
  }
  std::fputs(("{\"code\":{" + lines + "}}\n").c_str(), file);
  std::fclose(file);
}

namespace {

/// Decides whether the launch that begins is recorded.
void beginLaunchOf(const OperationInfo& info) {
  static const char* const choice = setting("NBODY_EXECUTOR_SEE_LAUNCH");
  Seen& all = seen();
  all.current = &info;
  const std::uint32_t number = all.count++;
  const Operation& operation = info.operation;
  const std::string line = place(operation.file.c_str(), operation.line) + operation.what;
  const bool isNew = std::none_of(all.launches.begin(), all.launches.end(),
                                  [&](const Launch& l) { return l.line == line && l.hasFindings; });
  const bool isReported =
      reportsName("launched at " + place(operation.file.c_str(), operation.line));
  const bool hasRoom = all.events < kMostEvents || isReported;
  all.isRecorded =
      isChosen(choice, number, isNew && hasRoom && ++all.launchesOfLine[line] <= kMostLaunches);
  if (!all.isRecorded) return;
  const std::string& what = operation.what;
  all.launches.push_back(
      {.line = line,
       .head = object({{"launch", json(number)},
                       {"kernel", inJson(what.substr(what.starts_with("kernel ") ? 7 : 0))},
                       {"file", inJson(operation.file)},
                       {"line", json(operation.line)},
                       {"grid", listOf(info.blocks)},
                       {"threads", listOf(info.threads)},
                       {"shared", json(info.sharedBytes)},
                       {"stream", json(operation.stream)}}),
       .number = number});
}

}  // namespace

void setParameters(const std::vector<Parameter>& ofKernel) {
  if (fileName() != nullptr) parameters = ofKernel;
}

bool beginSeeing(std::uint64_t number, std::uint64_t blocks, bool isResumed) {
  static const char* const choice = setting("NBODY_EXECUTOR_SEE_BLOCK");
  own = nullptr;
  if (fileName() == nullptr || severalThreads) return false;
  static const bool isRegistered = std::atexit(writeSeen) == 0;
  (void)isRegistered;
  Seen& all = seen();
  if (all.current != currentOperation().get()) beginLaunchOf(*currentOperation());
  if (!all.isRecorded) return false;
  std::list<Block>& recorded = all.launches.back().blocks;
  const std::string ofBlock = " of block " + triple(::blockIdx);
  if (isResumed) {  // other blocks have run since
    for (Block& block : recorded)
      if (block.number == number) own = &block;
    for (std::size_t i = 0; own != nullptr && i < own->known.size(); ++i)
      if (own->known[i].array->space == Space::global) addContents(static_cast<int>(i));
  } else if (isChosen(choice, number, number < 2 || number + 1 == blocks || reportsName(ofBlock)) &&
             recorded.size() < kMostBlocks) {
    recorded.emplace_back();
    own = &recorded.back();
    own->number = number;
    own->index = {::blockIdx.x, ::blockIdx.y, ::blockIdx.z};
    const dim3& size = ::blockDim;
    own->spins.resize(std::size_t{size.x} * size.y * size.z);
    for (unsigned rank = 0; rank < own->spins.size(); ++rank) {
      const uint3 index = {rank % size.x, rank / size.x % size.y, rank / size.x / size.y};
      own->isNamed.push_back(reportsName("thread " + triple(index) + ofBlock));
      if (own->isNamed[rank]) own->kept |= 1u << rank / kLanes;
    }
  }
  return own != nullptr;
}

void endSeeing() {
  if (own == nullptr) return;
  finishSeenWrite();
  own = nullptr;
}

void endSeenLaunch(bool hasFindings) {
  Seen& all = seen();
  all.current = nullptr;
  if (!std::exchange(all.isRecorded, false)) return;
  Launch& launch = all.launches.back();
  launch.hasFindings = hasFindings;
  const auto isSame = [&](const Launch& l) { return &l != &launch && l.line == launch.line; };
  const bool isFirst = std::none_of(all.launches.begin(), all.launches.end(), isSame);
  if (hasFindings) std::erase_if(all.launches, isSame);
  else if (!isFirst && *setting("NBODY_EXECUTOR_SEE_LAUNCH") == '\0') all.launches.pop_back();
  all.events = 0;
  for (const Launch& l : all.launches)
    for (const Block& block : l.blocks) all.events += block.recorded;
}

void finishSeenWrite() {
  if (unfinished == 0) return;
  for (; unfinished > 0; --unfinished) {
    Event& event = own->events[own->events.size() - unfinished];
    std::memcpy(event.after.data(), own->known[event.array].array->begin + event.offset,
                event.bytes);
  }
  const Event& last = own->events.back();
  if (!last.isRepeated || last.after != last.value) return;
  own->spins[last.thread].hasWaited = true;
  --(last.kind == 'x' ? own->behind : own->recorded);
  own->events.pop_back();
}

void seeTurn() {
  if ((own == nullptr || own->isCut) && !options().inTurns) return;
  const std::uint8_t piece = running.mostPiece;
  const bool scope = running.scopeIsBlock;
  const StructCopy copy = running.copy;
  thisScheduler().takeTurn();
  running.mostPiece = piece;
  running.scopeIsBlock = scope;
  running.copy = copy;
}

/// Returns whether the running thread repeats an atomic or its two steps without a change, because
/// it waits for another thread, perhaps for a lock.
static bool spins(const void* address, std::size_t bytes, std::uint32_t code) {
  Spin now = {.code = code, .address = address};
  std::memcpy(&now.value, address, std::min(bytes, sizeof now.value));
  std::array<Spin, 2>& last = own->spins[running.thread].last;
  const std::array<Spin, 2> before = std::exchange(last, {last[1], now});
  return std::any_of(before.begin(), before.end(), [&](const Spin& b) {
    return b.code == code && b.address == address && b.value == now.value;
  });
}

/// Records a part of an access.
static void addAccess(Event event, const char* address) {
  Array* const array = arrayThatHolds(address, event.bytes);
  if (array == nullptr) return;
  const std::size_t first = array->offsetOf(address);
  event.array = numberOf(*array, event.code, first);
  event.offset = static_cast<std::int64_t>(first);
  event.isUnwritten = event.kind != 'w' && !isWritten(*array, first, first + event.bytes);
  std::memcpy(event.value.data(), address, event.bytes);
  if (addEvent(event) == nullptr) return;
  if (event.kind == 'w' || event.kind == 'a') ++unfinished;
  else std::rotate(own->events.end() - 1 - unfinished, own->events.end() - 1, own->events.end());
}

void seeAccess(const void* address, std::size_t bytes, Access access, const void* code) {
  if (access == Access::branch || launchArguments.holds(address)) return;
  const bool isAtomic = access == Access::atomic || access == Access::atomicLoad;
  if (own == nullptr) {
    if (!isAtomic) seeTurn();
    return;
  }
  const std::uint32_t offset = offsetInProgram(code);
  // When a struct is copied, g++ announces the write before the read.
  const bool isOfCopy =
      access == Access::load && unfinished > 0 && running.copy.from.holds(address);
  if (!isOfCopy) finishSeenWrite();
  Spins& mine = own->spins[running.thread];
  // A turn between an update's load and its swap would make it try again, so an update has only one before it.
  if (isAtomic && mine.last[1].address == nullptr) seeTurn();
  bool isRepeated = isAtomic && spins(address, bytes, offset), hasSpun = false;
  if (!isAtomic) mine = {};
  if (isRepeated || !(isAtomic || isOfCopy)) seeTurn();
  const Pause pause;
  if (isRepeated) {
    isRepeated = spins(address, bytes, offset);
    hasSpun = !isRepeated && std::exchange(mine.hasWaited, false);
    if (isRepeated && access == Access::atomicLoad) {
      mine.hasWaited = true;
      return;
    }
  }
  Event part = {.kind = access == Access::store        ? 'w'
                        : access == Access::atomic     ? 'a'
                        : access == Access::atomicLoad ? 'l'
                                                       : 'r',
                .isRepeated = isRepeated,
                .hasSpun = hasSpun,
                .bytes = pieceOf(bytes),
                .thread = running.thread,
                .code = offset};
  for (std::size_t at = 0; at < bytes; at += part.bytes, ++part.piece)
    addAccess(part, static_cast<const char*>(address) + at);
}

void seeCopy(const void* to, std::size_t bytes) {
  if (own == nullptr) return;
  Array* const array = arrayThatHolds(to, bytes);
  if (array == nullptr) return;
  const auto first = static_cast<std::int64_t>(array->offsetOf(to));
  for (auto event = own->events.rbegin(); event != own->events.rend(); ++event) {
    if (event->thread != running.thread) continue;
    if (event->array < 0) return;
    const bool isOfCopy = event->kind == 'w' && event->offset >= first &&
                          event->offset < first + static_cast<std::int64_t>(bytes) &&
                          own->known[event->array].array == array;
    if (isOfCopy) event->isAsynchronous = true;
    else if (event->kind != 'r') return;
  }
}

void seeWait(const BlockThread& thread, Site site, ThreadState state) {
  if (own == nullptr || state == ThreadState::ready) return;
  const char kind = state == ThreadState::atBarrier              ? 'B'
                    : state == ThreadState::atGrid               ? 'G'
                    : state == ThreadState::atCondition          ? 'C'
                    : state == ThreadState::atConverge           ? 'V'
                    : thread.operation == WarpOperation::shuffle ? 'S'
                    : thread.operation == WarpOperation::sync    ? 'W'
                                                                 : 'V';
  finishSeenWrite();
  Event* const event = addEvent({.kind = kind, .thread = thread.rank});
  if (event == nullptr) return;
  std::vector<Site>& waits = own->waits;
  const auto same = std::find_if(waits.begin(), waits.end(), [&](const Site& other) {
    return sameLine(other, site) && std::strcmp(other.function, site.function) == 0;
  });
  event->code = static_cast<std::uint32_t>(same - waits.begin());
  if (same == waits.end()) waits.push_back(site);
  if (kind == 'S') event->offset = thread.source;
}

void seeRace(const Array& array, std::size_t word, const SeenSide& earlier, const SeenSide& later,
             const std::string& place) {
  if (own == nullptr) return;
  const bool isOfReport =
      place.empty() && own->isNamed[earlier.thread] && own->isNamed[later.thread];
  if (own->raceCount >= (isOfReport ? 2 : 1) * kMostRaces) return;
  const auto known = std::find_if(own->known.begin(), own->known.end(),
                                  [&](const Known& one) { return one.array == &array; });
  if (known == own->known.end()) return;
  ++own->raceCount;
  addTo(own->races, listOf(own->nextNumber, known - own->known.begin(), word * kWordBytes,
                           later.code, later.thread, later.writes, earlier.code, earlier.thread,
                           earlier.writes, inJson(place)));
}

void seeStop(const std::string& what, Array* array, std::uint32_t code, bool writes,
             const std::string& where) {
  if (own == nullptr || !own->stop.empty()) return;
  const Frame frame = code == 0 ? Frame{} : sourceFrame(code);
  own->stop = listOf(own->nextNumber, running.thread, inJson(what), writes, inJson(frame.file),
                     frame.line, inJson(where), array == nullptr ? -1 : numberOf(*array, code, 0));
}

}  // namespace nbody::executor::checker
