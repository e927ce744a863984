/// \file
/// Reads a movie and a trajectory back, sharing no code with what wrote them.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "test_folder.hpp"

namespace nbody {

inline std::string decodedBase64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int filled = 0;
  for (char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    filled += 6;
    if (filled < 8) continue;
    filled -= 8;
    bytes += static_cast<char>(bits >> filled & 255);
  }
  return bytes;
}

/// What lies between \p start and \p end from \p place on, which moves behind it; empty where there
/// is none.
inline std::string between(const std::string& text,
                           const std::string& start,
                           const std::string& end,
                           std::size_t& place) {
  const std::size_t first = text.find(start, place);
  if (first == std::string::npos) return "";
  place = text.find(end, first + start.size());
  return text.substr(first + start.size(), place - first - start.size());
}

struct ReadMovie {
  nlohmann::json facts;
  std::vector<std::string> frames;  ///< bytes

  explicit ReadMovie(const std::string& file) {
    const std::string html = contentOf(file);
    std::size_t place = 0;
    for (;;) {
      const std::string frame = between(html, "class=\"frame\">", "</script>", place);
      if (frame.empty()) break;
      frames.push_back(decodedBase64(frame));
    }
    facts = nlohmann::json::parse(between(html, "id=\"facts\">", "</script>", place));
    REQUIRE(facts["frames"].size() == frames.size());
  }

  double step(std::size_t frame, int axis) const { return facts["frames"][frame]["step"][axis]; }

  double coordinate(std::size_t frame, int body, int axis) const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(frames[frame].data());
    const unsigned char* two = bytes + 2 * (3 * body + axis);
    return facts["frames"][frame]["low"][axis].get<double>() +
           (two[0] + 256 * two[1]) * step(frame, axis);
  }
};

/// On a machine of little-endian numbers, as all are that the suite runs on.
struct ReadTrajectory {
  std::int32_t count = 0, frames = 0;
  std::vector<float> positions;

  explicit ReadTrajectory(const std::string& file) {
    const std::string bytes = contentOf(file);
    REQUIRE(bytes.size() >= 8);
    std::memcpy(&count, bytes.data(), 4);
    std::memcpy(&frames, bytes.data() + 4, 4);
    REQUIRE(bytes.size() == 8 + 12ull * count * frames);
    positions.resize(3ull * count * frames);
    std::memcpy(positions.data(), bytes.data() + 8, bytes.size() - 8);
  }

  float coordinate(int frame, int body, int axis) const {
    return positions[3 * (1ull * frame * count + body) + axis];
  }
};

}  // namespace nbody
