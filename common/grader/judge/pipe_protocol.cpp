#include "grader/judge/pipe_protocol.hpp"

#include <algorithm>
#include <sstream>

namespace nbody {

namespace {

constexpr std::size_t kMostOfReports = 16 * 1024;  // bytes

/// Returns false if the other end has closed.
bool readAll(std::FILE* file, void* data, std::size_t bytes) {
  return std::fread(data, 1, bytes, file) == bytes;
}

/// Start of a request, followed by its options and bodies.
struct Header {
  double softening;
  std::uint64_t orderSeed;
  std::int32_t order;
  std::int32_t options;  ///< bytes of their text: "name=value\n" for each
  std::int64_t bodies;
  std::int32_t goesOn;
  std::int32_t inTurns;
};

}  // namespace

void PipeProtocol::ask(const ForceRequest& request, const std::vector<real4>& bodies) {
  std::string options;
  for (const auto& [name, text] : request.options) options += name + "=" + text + "\n";
  const Header header = {request.softening,
                         request.orderSeed,
                         request.order,
                         static_cast<std::int32_t>(options.size()),
                         static_cast<std::int64_t>(bodies.size()),
                         request.goesOn,
                         request.inTurns};
  std::fwrite(&header, sizeof header, 1, out_);
  std::fwrite(options.data(), 1, options.size(), out_);
  std::fwrite(bodies.data(), sizeof(real4), bodies.size(), out_);
  std::fflush(out_);
}

bool PipeProtocol::asked(ForceRequest& request, std::vector<real4>& bodies) {
  Header header;
  if (!readAll(in_, &header, sizeof header)) return false;
  std::string options(header.options, ' '), name, text;
  request = {header.softening,   header.order,        header.orderSeed,
             header.goesOn != 0, header.inTurns != 0, {}};
  bodies.resize(header.bodies);
  if (!readAll(in_, options.data(), options.size()) ||
      !readAll(in_, bodies.data(), bodies.size() * sizeof(real4)))
    return false;
  std::istringstream lines(options);
  while (std::getline(lines, name, '=') && std::getline(lines, text))
    request.options.push_back({name, text});
  return true;
}

void PipeProtocol::answer(const std::vector<real4>& accelerations, std::uint64_t globalBytesRead,
                          const std::string& reports) {
  const std::uint64_t sizes[] = {globalBytesRead, std::min(reports.size(), kMostOfReports)};
  std::fwrite(sizes, sizeof sizes, 1, out_);
  std::fwrite(reports.data(), 1, sizes[1], out_);
  std::fwrite(accelerations.data(), sizeof(real4), accelerations.size(), out_);
  std::fflush(out_);
}

bool PipeProtocol::answered(std::vector<real4>& accelerations, std::uint64_t& globalBytesRead,
                            std::string& reports) {
  std::uint64_t sizes[2];
  if (!readAll(in_, sizes, sizeof sizes) || sizes[1] > kMostOfReports) return false;
  globalBytesRead = sizes[0];
  reports.resize(sizes[1]);
  return readAll(in_, reports.data(), reports.size()) &&
         readAll(in_, accelerations.data(), accelerations.size() * sizeof(real4));
}

}  // namespace nbody
