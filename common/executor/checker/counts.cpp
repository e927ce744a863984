// Turns the accesses of a warp into requests, sectors and wavefronts.
//
// An access is one request of all lanes that make it: those that have reached the instruction
// equally often since the block's last barrier. The rules of sectors, wavefronts and atomics are
// those of an H100, as counted by Nsight Compute.
#include "executor/checker/counts.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "executor/checker/operations.hpp"
#include "executor/checker/program.hpp"
#include "executor/checker/see.hpp"
#include "executor/checker/source.hpp"
#include "executor/messages.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

namespace {

constexpr std::uint64_t kSectorBytes = 32;
constexpr std::uint64_t kMostBlocks = 64;  ///< blocks of a launch that are counted
constexpr std::size_t kMostAccesses = std::size_t{1} << 25;  ///< per block between two barriers

/// Addresses of one kind of access by one instruction, from the threads of a block since its last
/// barrier. For a branch, the ways that the threads take.
struct Instruction {
  std::uint8_t bytes = 0, piece = 0;
  std::array<std::vector<std::uint64_t>, 1024> byThread;
};

/// Address and kind of access, because an instruction may both read and write.
using Place = std::pair<std::uint32_t, Access>;

/// Sums for one place in one kernel.
struct Sums {
  Memory memory = Memory::global;
  std::size_t bytes = 0;
  std::uint64_t requests = 0, lanes = 0;
  std::uint64_t distinctBytes = 0;  ///< those of several lanes once per request
  std::uint64_t sectors = 0, leastSectors = 0;  ///< in global memory
  std::uint64_t wavefronts = 0, leastWavefronts = 0;  ///< in shared memory
  std::int64_t stride = 0;  ///< bytes from a lane's address to the next one's, in the first request
  Lanes worst;  ///< lanes of the request that wastes most
  std::int64_t waste = -1;  ///< excess of that request; -1: none yet
};

/// Sums for one branch in one kernel.
struct Branch {
  std::uint64_t requests = 0, lanes = 0;
  std::uint64_t parted = 0;  ///< requests whose lanes take different ways
};

struct Kernel {
  std::uint64_t blocks = 0, blocksSeen = 0;
  std::uint64_t warps = 0;  ///< in the counted blocks
  std::uint64_t barriers = 0;  ///< in the counted blocks
  bool isCut = false;  ///< a block had more accesses than are kept
  std::map<std::pair<Place, std::size_t>, Sums> sums;  ///< sums by place and by part of the access
  std::map<std::uint32_t, Branch> branches;
};

struct Block {
  std::map<Place, Instruction> instructions;
  Place lastPlace;
  Instruction* last = nullptr;
  std::size_t accesses = 0;
  bool isCut = false;
};
Block& ownBlock() {
  static thread_local Block block;
  return block;
}

std::mutex mutex;  // of the kernels
/// Returns the kernels, by their names and by the lines that launch them.
std::map<std::pair<std::string, std::string>, Kernel>& kernels() {
  static auto& all = *new std::map<std::pair<std::string, std::string>, Kernel>;
  return all;
}

std::uint64_t operations = 0, operationsInARow = 0;

const char* fileName() {
  static const char* const name = std::getenv("NBODY_EXECUTOR_COUNTS");
  return name;
}

Kernel& currentKernel() {
  const Operation& launch = currentOperation()->operation;
  const std::string name = launch.what.substr(launch.what.starts_with("kernel ") ? 7 : 0);
  return kernels()[{name, place(launch.file.c_str(), launch.line)}];
}

std::uint64_t sectorsOf(const Addresses& lanes, std::size_t bytes, bool isAtomic) {
  std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> wordsOfSector;
  for (const std::uint64_t address : lanes)
    for (std::uint64_t at = address; at < address + bytes; at += kWordBytes)
      ++wordsOfSector[at / kSectorBytes][at / kWordBytes];
  if (!isAtomic) return wordsOfSector.size();
  std::uint64_t sum = 0;  // lanes that update one word take turns
  for (const auto& [sector, words] : wordsOfSector) {
    std::uint64_t most = 0;
    for (const auto& [word, times] : words) most = std::max(most, times);
    sum += most;
  }
  return sum;
}

std::uint64_t distinctBytes(const Addresses& lanes, std::size_t bytes) {
  const std::size_t step = std::min<std::size_t>(bytes, kWordBytes);
  std::set<std::uint64_t> places;
  for (const std::uint64_t address : lanes)
    for (std::uint64_t at = address; at < address + bytes; at += step) places.insert(at / step);
  return places.size() * step;
}

/// Lanes with their addresses; a lane that does not take part has none.
using LaneAddresses = std::array<std::optional<std::uint64_t>, kLanes>;

LaneAddresses byLane(const Lanes& lanes) {
  LaneAddresses all;
  auto next = lanes.addresses.begin();
  for (int lane = 0; lane < kLanes; ++lane)
    if ((lanes.mask >> lane & 1) != 0) all[lane] = *next++;
  return all;
}

/// Returns how many words of shared memory each bank has to deliver.
BankWords bankWords(std::span<const std::optional<std::uint64_t>> lanes, std::size_t bytes) {
  std::array<std::set<std::uint64_t>, kBanks> words;
  for (const auto& address : lanes)
    for (std::uint64_t word = address.value_or(0) / kWordBytes;
         address && word * kWordBytes < *address + bytes; ++word)
      words[word % kBanks].insert(word);
  BankWords counts;
  std::transform(words.begin(), words.end(), counts.begin(), [](auto& one) { return one.size(); });
  return counts;
}
std::uint64_t most(const BankWords& words) { return *std::max_element(words.begin(), words.end()); }

/// Returns whether each lane and its partner (lane ^ distance) have equal addresses, if both take part.
bool pairsAreEqual(std::span<const std::optional<std::uint64_t>> lanes, std::size_t distance) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const auto &own = lanes[lane], &other = lanes[lane ^ distance];
    if (own && other && *own != *other) return false;
  }
  return true;
}

/// A GPU serves all lanes together if they access up to 4 bytes each, halves of a warp with 8 bytes,
/// and quarters with 16. A load joins two neighbouring parts if in both of them every lane reads
/// the address of its neighbour (lane ^ 1), or of the next but one (lane ^ 2). ncu's conflicts are
/// the wavefronts beyond one per part.
Cost wavefrontsOf(const LaneAddresses& lanes, std::size_t bytes, Access access) {
  const std::size_t joined = bytes <= kWordBytes ? kLanes : 2 * kBanks * kWordBytes / bytes;
  Cost sum;
  const auto add = [&](std::span<const std::optional<std::uint64_t>> part) {
    const BankWords words = bankWords(part, bytes);
    sum.needed += most(words);
    sum.least += most(words) > 0;
    if (most(words) > most(sum.words)) sum.words = words;
  };
  for (std::size_t first = 0; first < kLanes; first += joined) {
    const auto part = std::span(lanes).subspan(first, joined);
    const bool isWhole =
        bytes <= kWordBytes ||
        (access == Access::load && (pairsAreEqual(part, 1) || pairsAreEqual(part, 2)));
    if (isWhole) {
      add(part);
    } else {
      add(part.first(joined / 2));
      add(part.subspan(joined / 2));
    }
  }
  return sum;
}

/// Lanes that update one word take turns.
Cost wavefrontsOfAtomic(const Addresses& lanes, std::size_t bytes) {
  BankWords updates = {};
  for (const std::uint64_t address : lanes)
    for (std::uint64_t at = address; at < address + bytes; at += kWordBytes)
      ++updates[at / kWordBytes % kBanks];
  return {most(updates), 1, updates};
}

std::uint64_t piecesOf(std::uint64_t bytes, std::uint64_t size) {
  return (bytes + size - 1) / size;
}

void addBranch(Branch& branch, const Addresses& ways) {
  ++branch.requests;
  branch.lanes += ways.size();
  branch.parted +=
      std::any_of(ways.begin(), ways.end(), [&](std::uint64_t way) { return way != ways[0]; });
}

void addRequest(Kernel& kernel, Place place, const Instruction& instruction, const Lanes& lanes) {
  if (place.second == Access::branch)
    return addBranch(kernel.branches[place.first], lanes.addresses);
  const Array* const array = arrayAround(reinterpret_cast<const char*>(lanes.addresses[0]));
  if (array == nullptr) return;  // local memory, or the launch's arguments
  const Memory memory = memoryOf(*array);
  const std::size_t piece = instruction.piece;
  for (std::size_t at = 0; at < instruction.bytes; at += piece) {
    Lanes part = lanes;
    for (std::uint64_t& address : part.addresses) address += at;
    const Addresses& places = part.addresses;
    Sums& sums = kernel.sums[{place, at}];
    if (sums.requests == 0 && places.size() > 1)
      sums.stride = static_cast<std::int64_t>(places[1] - places[0]);
    sums.memory = memory;
    sums.bytes = piece;
    ++sums.requests;
    sums.lanes += places.size();
    sums.distinctBytes += distinctBytes(places, piece);
    const Cost cost = costOf(memory, part, piece, place.second);
    (memory == Memory::shared ? sums.wavefronts : sums.sectors) += cost.needed;
    (memory == Memory::shared ? sums.leastWavefronts : sums.leastSectors) += cost.least;
    const auto waste = static_cast<std::int64_t>(cost.needed - cost.least);
    if (waste <= sums.waste) continue;
    sums.waste = waste;
    sums.worst = part;
  }
}

/// Groups accesses by warp and by how often a lane has reached the instruction.
void addInstruction(Kernel& kernel, Place place, Instruction& instruction) {
  for (int warp = 0; warp < 1024 / kLanes; ++warp) {
    std::size_t most = 0;
    for (int lane = 0; lane < kLanes; ++lane)
      most = std::max(most, instruction.byThread[warp * kLanes + lane].size());
    for (std::size_t k = 0; k < most; ++k) {
      Lanes lanes;
      for (int lane = 0; lane < kLanes; ++lane)
        if (const auto& own = instruction.byThread[warp * kLanes + lane]; k < own.size()) {
          lanes.mask |= 1u << lane;
          lanes.addresses.push_back(own[k]);
        }
      addRequest(kernel, place, instruction, lanes);
    }
    for (int lane = 0; lane < kLanes; ++lane) instruction.byThread[warp * kLanes + lane].clear();
  }
}

/// Returns the addresses relative to a multiple of 128 bytes, which keeps sectors and banks.
std::string relative(const Addresses& addresses) {
  const std::uint64_t least = *std::min_element(addresses.begin(), addresses.end());
  std::string out;
  for (const std::uint64_t address : addresses)
    out += (out.empty() ? "[" : ", ") + std::to_string(address - least / 128 * 128);
  return out + "]";
}

void writeCounts() {
  constexpr const char* kAccesses[] = {"load", "store", "atomic"};
  std::set<std::uint32_t> codes;
  for (const auto& [name, kernel] : kernels()) {
    for (const auto& [piece, sums] : kernel.sums) codes.insert(piece.first.first);
    for (const auto& [code, branch] : kernel.branches) codes.insert(code);
  }
  const auto lines = sourceLines(codes);
  const bool isPrinted = std::strcmp(fileName(), "-") == 0;
  FILE* const file = isPrinted ? stdout : std::fopen(fileName(), "w");
  if (file == nullptr) {
    std::fprintf(stderr, "executor: NBODY_EXECUTOR_COUNTS: cannot write '%s'\n", fileName());
    return;
  }
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  std::string text = "{\"kernels\": [";
  for (const auto& [name, kernel] : kernels()) {
    text += std::string(text.back() == '[' ? "" : ",") + "\n {\"kernel\": " + inJson(name.first) +
            ", \"launched\": " + inJson(name.second) + ", \"blocks\": " + number(kernel.blocks) +
            ", \"blocks_seen\": " + number(kernel.blocksSeen) +
            ", \"warps\": " + number(kernel.warps) + ", \"barriers\": " + number(kernel.barriers) +
            ", \"is_cut\": " + (kernel.isCut ? "true" : "false") + ", \"accesses\": [";
    for (const auto& [piece, s] : kernel.sums)
      text += std::string(text.back() == '[' ? "" : ",") +
              "\n  {\"line\": " + inJson(lines.at(piece.first.first).text) + ", \"memory\": \"" +
              kMemories[static_cast<int>(s.memory)] + "\", \"access\": \"" +
              kAccesses[static_cast<int>(piece.first.second)] +
              "\", \"bytes\": " + number(s.bytes) + ", \"requests\": " + number(s.requests) +
              ", \"lanes\": " + number(s.lanes) +
              ", \"distinct_bytes\": " + number(s.distinctBytes) +
              ", \"stride\": " + std::to_string(s.stride) + ", \"sectors\": " + number(s.sectors) +
              ", \"least_sectors\": " + number(s.leastSectors) +
              ", \"wavefronts\": " + number(s.wavefronts) +
              ", \"least_wavefronts\": " + number(s.leastWavefronts) +
              ", \"worst_lanes\": " + number(s.worst.mask) +
              ", \"worst_addresses\": " + relative(s.worst.addresses) + "}";
    text += "], \"branches\": [";
    for (const auto& [code, branch] : kernel.branches)
      text += std::string(text.back() == '[' ? "" : ",") +
              "\n  {\"line\": " + inJson(lines.at(code).text) +
              ", \"requests\": " + number(branch.requests) +
              ", \"lanes\": " + number(branch.lanes) + ", \"parted\": " + number(branch.parted) +
              "}";
    text += "]}";
  }
  text += "],\n \"operations\": " + number(operations) +
          ", \"operations_in_a_row\": " + number(operationsInARow) + "}\n";
  std::fputs(text.c_str(), file);
  if (!isPrinted) std::fclose(file);
}

/// Stores the value for the running thread. Returns null if the block has had too many accesses.
Instruction* keep(Access access, const void* code, std::uint64_t value) {
  Block& block = ownBlock();
  const Place place = {offsetInProgram(code), access};
  if (block.last == nullptr || block.lastPlace != place) {
    block.last = &block.instructions[place];
    block.lastPlace = place;
  }
  if (++block.accesses > kMostAccesses) {
    block.isCut = true;
    return nullptr;
  }
  block.last->byThread[running.thread].push_back(value);
  return block.last;
}

}  // namespace

Cost costOf(Memory memory, const Lanes& lanes, std::size_t bytes, Access access) {
  const bool isAtomic = access == Access::atomic;
  if (memory == Memory::shared)
    return isAtomic ? wavefrontsOfAtomic(lanes.addresses, bytes)
                    : wavefrontsOf(byLane(lanes), bytes, access);
  if (memory == Memory::constant) return {};
  return {sectorsOf(lanes.addresses, bytes, isAtomic),
          piecesOf(distinctBytes(lanes.addresses, bytes), kSectorBytes)};
}

void writeRecords() {
  if (fileName() != nullptr) writeCounts();
  writeSeen();
}

void recordAccess(const void* address, std::size_t bytes, Access access, const void* code) {
  if (running.watch == Watch::nothing || running.stack.holds(address) || bytes == 0 || bytes > 255)
    return;
  if (running.mostPiece == 0) return;
  const bool isOfFour = running.mostPiece == 2 * kLargestPiece;
  seeAccess(address, isOfFour ? kLargestPiece : bytes, access, code);
  if (fileName() == nullptr || access == Access::atomicLoad) return;
  const Pause pause;
  Instruction* const instruction = keep(access, code, reinterpret_cast<std::uint64_t>(address));
  if (instruction == nullptr) return;
  instruction->bytes = static_cast<std::uint8_t>(isOfFour ? kLargestPiece : bytes);
  instruction->piece = pieceOf(instruction->bytes);
}

void recordBranch(std::uint64_t way, const void* code) {
  if (running.watch == Watch::nothing || fileName() == nullptr) return;
  const Pause pause;
  keep(Access::branch, code, way);
}

void countOperation(std::uint32_t inARow) {
  operations += inARow > 0;
  operationsInARow = std::max<std::uint64_t>(operationsInARow, inARow);
}

void beginCounting(std::uint64_t block, std::uint64_t blocks, bool isResumed) {
  if (fileName() == nullptr) return;
  static const bool isRegistered = std::atexit(writeCounts) == 0;
  (void)isRegistered;
  const std::uint64_t apart = (blocks + kMostBlocks - 1) / kMostBlocks;
  running.counts = block % apart == 0 || block == blocks - 1;
  if (isResumed) return;
  const std::lock_guard lock(mutex);
  Kernel& kernel = currentKernel();
  ++kernel.blocks;
  if (!running.counts) return;
  ++kernel.blocksSeen;
  kernel.warps += (::blockDim.x * ::blockDim.y * ::blockDim.z + kLanes - 1) / kLanes;
}

void flushCounts(bool isBarrier) {
  if (!running.counts || fileName() == nullptr) return;
  const Pause pause;
  Block& block = ownBlock();
  const std::lock_guard lock(mutex);
  Kernel& kernel = currentKernel();
  for (auto& [place, instruction] : block.instructions) addInstruction(kernel, place, instruction);
  kernel.barriers += isBarrier;
  kernel.isCut = kernel.isCut || block.isCut;
  block.accesses = 0;
}

}  // namespace nbody::executor::checker
