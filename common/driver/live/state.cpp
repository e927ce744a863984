#include "driver/live/state.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "base/bad_input.hpp"

namespace nbody {

namespace {

constexpr int kSeals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

/// What the file starts with; then the text and the bodies.
struct Header {
  char magic[8];
  std::uint64_t textBytes;
  std::uint64_t bodies;
};
constexpr char kMagic[] = "NBLIVE1";  // with its 0 eight bytes

Json jsonOf(const LiveState& state) {
  const Conserved& c = state.conserved;
  Json potential = nullptr;
  if (!std::isnan(c.potential)) potential = c.potential;
  return {{"settings", json(state.settings)},
          {"time", state.moment.time},
          {"steps", state.moment.steps},
          {"kinetic", c.kinetic},
          {"potential", potential},
          {"momentum", {c.momentum.x, c.momentum.y, c.momentum.z}},
          {"playing", state.playing},
          {"graph", state.graph},
          {"control", state.tokens.control},
          {"watch", state.tokens.watch},
          {"ladder", state.ladder},
          {"gpu", state.gpu.name},
          {"tflops", state.gpu.fma.tflops}};
}

LiveState stateOf(const Json& text, Bodies bodies) {
  LiveState state = {.settings = settingsOf(text.at("settings")),
                     .moment = {text.at("time"), text.at("steps")},
                     .bodies = std::move(bodies),
                     .conserved = {},
                     .playing = text.at("playing"),
                     .graph = text.at("graph"),
                     .tokens = {text.at("control"), text.at("watch")},
                     .ladder = text.at("ladder"),
                     .gpu = {}};
  const Json &potential = text.at("potential"), &momentum = text.at("momentum");
  state.conserved.kinetic = text.at("kinetic");
  state.conserved.potential = potential.is_null() ? std::nan("") : potential.get<double>();
  state.conserved.momentum = {momentum.at(0), momentum.at(1), momentum.at(2), 0};
  state.gpu.name = text.at("gpu");
  state.gpu.fma.tflops = text.at("tflops");
  return state;
}

void writeAll(int descriptor, const void* bytes, std::size_t count) {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = write(descriptor, next, count);
    if (written <= 0) throw std::runtime_error("no memory for the state of the run");
    next += written;
    count -= written;
  }
}

void readAll(int descriptor, std::size_t offset, void* bytes, std::size_t count) {
  char* next = static_cast<char*>(bytes);
  for (ssize_t got; count > 0; count -= got, offset += got, next += got)
    if ((got = pread(descriptor, next, count, offset)) <= 0)
      throw std::runtime_error("the state of the run cannot be read");
}

}  // namespace

int sealedFile(const LiveState& state) {
  const int descriptor = memfd_create("nbody-live", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) throw std::runtime_error("no memory file for the state of the run");
  try {
    const std::string text = jsonOf(state).dump();
    Header header = {{}, text.size(), state.bodies.positions.size()};
    std::memcpy(header.magic, kMagic, sizeof header.magic);
    writeAll(descriptor, &header, sizeof header);
    writeAll(descriptor, text.data(), text.size());
    for (const auto* vectors : {&state.bodies.positions, &state.bodies.velocities})
      writeAll(descriptor, vectors->data(), vectors->size() * sizeof(Double4));
    if (fcntl(descriptor, F_ADD_SEALS, kSeals) != 0)
      throw std::runtime_error("the state of the run cannot be sealed");
  } catch (...) {
    close(descriptor);
    throw;
  }
  return descriptor;
}

LiveState readSealedFile(int descriptor) {
  const auto refuse = [=] {
    throw BadInput("--live-guard: descriptor " + std::to_string(descriptor) +
                   " is not the state that a live run left");
  };
  struct stat file = {};
  if (fcntl(descriptor, F_GET_SEALS) != kSeals || fstat(descriptor, &file) != 0) refuse();
  const std::uint64_t size = file.st_size;
  Header header = {};
  if (size < sizeof header) refuse();
  readAll(descriptor, 0, &header, sizeof header);
  const bool whole = std::memcmp(header.magic, kMagic, sizeof header.magic) == 0 &&
                     header.textBytes <= size - sizeof header && header.bodies > 0 &&
                     header.bodies <= static_cast<std::uint64_t>(kMaxBodies) &&
                     size - sizeof header - header.textBytes == header.bodies * 2 * sizeof(Double4);
  if (!whole) refuse();
  std::string text(header.textBytes, '\0');
  Bodies bodies = {std::vector<Double4>(header.bodies), std::vector<Double4>(header.bodies)};
  std::size_t offset = sizeof header;
  readAll(descriptor, offset, text.data(), text.size());
  offset += text.size();
  for (auto* vectors : {&bodies.positions, &bodies.velocities}) {
    readAll(descriptor, offset, vectors->data(), vectors->size() * sizeof(Double4));
    offset += vectors->size() * sizeof(Double4);
  }
  close(descriptor);
  try {
    LiveState state = stateOf(Json::parse(text), std::move(bodies));
    if (state.settings.count() == state.bodies.count()) return state;
  } catch (const Json::exception&) {
  }
  throw BadInput("--live-guard: the state that a live run left is not complete");
}

}  // namespace nbody
