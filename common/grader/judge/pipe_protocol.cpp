#include "grader/judge/pipe_protocol.hpp"

#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace nbody {

namespace {

/// Writes all of \p bytes bytes; false where nobody reads them.
bool writeAll(int file, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = write(file, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

bool readAll(int file, void* data, std::size_t bytes) {
  char* next = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = read(file, next, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

/// What a request begins with; its parameters and bodies follow.
struct Header {
  double softening;
  std::uint64_t orderSeed;
  std::int32_t order;
  std::int32_t parameters;
  std::int64_t bodies;
};

struct SentParameter {
  char name[60];
  std::int32_t value;
};

SentParameter sent(const std::string& name, int value) {
  SentParameter parameter = {};
  if (name.size() >= sizeof parameter.name)
    throw std::length_error("parameter " + name + " has too long a name");
  name.copy(parameter.name, name.size());
  parameter.value = value;
  return parameter;
}

}  // namespace

void PipeProtocol::ask(const ForceRequest& request, const std::vector<real4>& bodies) {
  const Header header = {request.softening,
                         request.orderSeed,
                         request.order,
                         static_cast<std::int32_t>(request.parameters.size()),
                         static_cast<std::int64_t>(bodies.size())};
  std::vector<SentParameter> parameters;
  for (const auto& [name, value] : request.parameters) parameters.push_back(sent(name, value));
  static_cast<void>(writeAll(out_, &header, sizeof header) &&
                    writeAll(out_, parameters.data(), parameters.size() * sizeof(SentParameter)) &&
                    writeAll(out_, bodies.data(), bodies.size() * sizeof(real4)));
}

bool PipeProtocol::asked(ForceRequest& request, std::vector<real4>& bodies) {
  Header header;
  if (!readAll(in_, &header, sizeof header)) return false;
  std::vector<SentParameter> parameters(header.parameters);
  request = {header.softening, header.order, header.orderSeed, {}};
  bodies.resize(header.bodies);
  if (!readAll(in_, parameters.data(), parameters.size() * sizeof(SentParameter)) ||
      !readAll(in_, bodies.data(), bodies.size() * sizeof(real4)))
    return false;
  for (const SentParameter& p : parameters) request.parameters.push_back({p.name, p.value});
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
