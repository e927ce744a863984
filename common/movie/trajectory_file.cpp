#include "movie/trajectory_file.hpp"

#include <vector>

#include "bodies/byte_order.hpp"

namespace nbody {

TrajectoryFile::TrajectoryFile(const std::string& path, int count, int frames) : file_(path) {
  unsigned char header[8];
  storeWord<ByteOrder::little>(header, static_cast<std::uint32_t>(count));
  storeWord<ByteOrder::little>(header + 4, static_cast<std::uint32_t>(frames));
  file_.write(header, sizeof header);
}

void TrajectoryFile::add(const Bodies& bodies) {
  std::vector<unsigned char> bytes(12 * bodies.positions.size());
  unsigned char* out = bytes.data();
  for (const Double4& p : bodies.positions) {
    for (double coordinate : {p.x, p.y, p.z}) {
      storeFloat<ByteOrder::little>(out, static_cast<float>(coordinate));
      out += 4;
    }
  }
  file_.write(bytes.data(), bytes.size());
}

double trajectoryBytes(int count, int frames) { return 8 + 12.0 * count * frames; }

}  // namespace nbody
