#include "grader/judge/pipe_protocol.hpp"

#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace nbody {

namespace {

/// Calls write() or read() until \p bytes bytes are through. Returns false if the other end closed.
template <class Call, class Byte>
bool transfer(Call call, int file, Byte* next, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t done = call(file, next, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    next += done;
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

bool writeAll(int file, const void* data, std::size_t bytes) {
  return transfer(write, file, static_cast<const char*>(data), bytes);
}

bool readAll(int file, void* data, std::size_t bytes) {
  return transfer(read, file, static_cast<char*>(data), bytes);
}

/// Start of a request, followed by its options and bodies.
struct Header {
  double softening;
  std::uint64_t orderSeed;
  std::int32_t order;
  std::int32_t options;
  std::int64_t bodies;
};

struct SentOption {
  char name[32];
  char text[32];
};

SentOption sent(const std::string& name, const std::string& text) {
  SentOption option = {};
  if (name.size() >= sizeof option.name || text.size() >= sizeof option.text)
    throw std::length_error("option " + name + " " + text + " is too long");
  name.copy(option.name, name.size());
  text.copy(option.text, text.size());
  return option;
}

}  // namespace

void PipeProtocol::ask(const ForceRequest& request, const std::vector<real4>& bodies) {
  const Header header = {request.softening, request.orderSeed, request.order,
                         static_cast<std::int32_t>(request.options.size()),
                         static_cast<std::int64_t>(bodies.size())};
  std::vector<SentOption> options;
  for (const auto& [name, text] : request.options) options.push_back(sent(name, text));
  static_cast<void>(writeAll(out_, &header, sizeof header) &&
                    writeAll(out_, options.data(), options.size() * sizeof(SentOption)) &&
                    writeAll(out_, bodies.data(), bodies.size() * sizeof(real4)));
}

bool PipeProtocol::asked(ForceRequest& request, std::vector<real4>& bodies) {
  Header header;
  if (!readAll(in_, &header, sizeof header)) return false;
  std::vector<SentOption> options(header.options);
  request = {header.softening, header.order, header.orderSeed, {}};
  bodies.resize(header.bodies);
  if (!readAll(in_, options.data(), options.size() * sizeof(SentOption)) ||
      !readAll(in_, bodies.data(), bodies.size() * sizeof(real4)))
    return false;
  for (const SentOption& option : options) request.options.push_back({option.name, option.text});
  return true;
}

void PipeProtocol::answer(const std::vector<real4>& accelerations, std::uint64_t globalBytesRead) {
  static_cast<void>(writeAll(out_, &globalBytesRead, sizeof globalBytesRead) &&
                    writeAll(out_, accelerations.data(), accelerations.size() * sizeof(real4)));
}

bool PipeProtocol::answered(std::vector<real4>& accelerations, std::uint64_t& globalBytesRead) {
  return readAll(in_, &globalBytesRead, sizeof globalBytesRead) &&
         readAll(in_, accelerations.data(), accelerations.size() * sizeof(real4));
}

}  // namespace nbody
