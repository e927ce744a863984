#include "grader/judge/pipe_protocol.hpp"

#include <unistd.h>

#include <cerrno>
#include <sstream>

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
  std::int32_t options;  ///< bytes of their text: "name=value\n" for each
  std::int64_t bodies;
};

}  // namespace

void PipeProtocol::ask(const ForceRequest& request, const std::vector<real4>& bodies) {
  std::string options;
  for (const auto& [name, text] : request.options) options += name + "=" + text + "\n";
  const Header header = {request.softening, request.orderSeed, request.order,
                         static_cast<std::int32_t>(options.size()),
                         static_cast<std::int64_t>(bodies.size())};
  static_cast<void>(writeAll(out_, &header, sizeof header) &&
                    writeAll(out_, options.data(), options.size()) &&
                    writeAll(out_, bodies.data(), bodies.size() * sizeof(real4)));
}

bool PipeProtocol::asked(ForceRequest& request, std::vector<real4>& bodies) {
  Header header;
  if (!readAll(in_, &header, sizeof header)) return false;
  std::string options(header.options, ' '), name, text;
  request = {header.softening, header.order, header.orderSeed, {}};
  bodies.resize(header.bodies);
  if (!readAll(in_, options.data(), options.size()) ||
      !readAll(in_, bodies.data(), bodies.size() * sizeof(real4)))
    return false;
  std::istringstream lines(options);
  while (std::getline(lines, name, '=') && std::getline(lines, text))
    request.options.push_back({name, text});
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
