#include "executor/runtime/stream_table.hpp"

#include <algorithm>
#include <atomic>
#include <set>
#include <tuple>

#include "executor/runtime/settings.hpp"

namespace nbody::executor::runtime {

namespace {

std::atomic<std::uint64_t> waits = 0;  ///< of the host

struct Table {
  Stream legacy;
  std::set<Stream*> streams;
  VectorClock host;  ///< what host code has waited for
  std::uint32_t numbers = kInARow;  ///< given so far; the legacy stream has 0
  std::vector<std::pair<std::uint32_t, std::uint32_t>> freeNumbers;  ///< and their counts
};
Table& table() {
  static auto& theTable = *new Table;
  return theTable;
}

void merge(VectorClock& clock, const VectorClock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

}  // namespace

/// Whether the device has something to do.
static bool isWork(const std::string& what) {
  const auto none = {"cudaEventRecord", "cudaStreamWaitEvent", "cudaGraphLaunch", kMallocAsync,
                     kFreeAsync};
  return std::find(none.begin(), none.end(), what) == none.end();
}

Stream& legacyStream() { return table().legacy; }

Stream* streamOf(cudaStream_t handle) {
  const bool isLegacy =
      handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
  return isLegacy ? &table().legacy : handle;
}

bool isStream(cudaStream_t handle) {
  return streamOf(handle) == &table().legacy || table().streams.count(handle) != 0;
}

void forEachBlocking(const std::function<void(Stream&)>& visit) {
  for (Stream* stream : table().streams)
    if (!stream->isNonBlocking) visit(*stream);
}

Stream* addStream(bool isNonBlocking) {
  auto* stream = new Stream;
  if (table().freeNumbers.empty()) {
    stream->number = ++table().numbers;
  } else {
    std::tie(stream->number, stream->count) = table().freeNumbers.back();
    table().freeNumbers.pop_back();
  }
  stream->isNonBlocking = isNonBlocking;
  table().streams.insert(stream);
  return stream;
}

void removeStream(Stream* stream) {
  // Its work goes on, and the legacy stream waits for it as before.
  if (!stream->isNonBlocking) {
    merge(table().legacy.clock, stream->clock);
    if (stream->last && !stream->last->isDone) table().legacy.orphans.push_back(stream->last);
  }
  table().streams.erase(stream);
  table().freeNumbers.emplace_back(stream->number, stream->count);
  delete stream;
}

void setOrder(Operation& operation, Stream& stream) {
  merge(stream.clock, table().host);
  if (&stream == &table().legacy)
    forEachBlocking([&](Stream& other) { merge(stream.clock, other.clock); });
  else if (!stream.isNonBlocking) merge(stream.clock, table().legacy.clock);
  operation.stream = stream.number;
  operation.number = ++stream.count;
  operation.before = stream.clock;
  if (stream.clock.size() <= std::max(stream.number, kInARow))
    stream.clock.resize(std::max(stream.number, kInARow) + 1);
  stream.clock[stream.number] = operation.number;
  if (isWork(operation.what)) operation.inARow = ++stream.clock[kInARow];
}

void addToClock(Stream& stream, const VectorClock& clock) { merge(stream.clock, clock); }

void hostWaited(const VectorClock& clock) {
  ++waits;
  merge(table().host, clock);
}
void hostWaitedFor(const Stream& stream) { hostWaited(stream.clock); }
void hostWaitedForAll() {
  hostWaitedFor(table().legacy);
  for (const Stream* stream : table().streams) hostWaitedFor(*stream);
}

}  // namespace nbody::executor::runtime

std::uint64_t nbody::executor::hostWaits() { return runtime::waits; }
