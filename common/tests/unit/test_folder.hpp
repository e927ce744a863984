/// \file
/// A folder for the files of a test, and snapshot files from an independent writer.
#pragma once

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "bodies/bodies.hpp"
#include "catch.hpp"

namespace nbody {

/// A separate folder for each test, removed after it.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "nbody-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  /// Returns the path of a file in the folder.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  int entries() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

/// Returns the contents of a file.
inline std::string contentOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

inline void writeContent(const std::string& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

/// Counts and layout of a file from madeUpTipsy().
struct Tipsy {
  int gas = 0, dark = 0, star = 0;
  bool isBig = true;  ///< the order of a number's bytes
  std::size_t header = 32;
  double time = 0;
};

/// Returns a tipsy file, from a writer that shares no code with the suite's. Body i, counted over all kinds, is that of
/// checkMadeUp(). Fields that readers of bodies ignore have other numbers.
inline std::string madeUpTipsy(const Tipsy& tipsy) {
  std::string bytes;
  const auto put = [&](auto number) {
    std::array<char, sizeof number> own;
    std::memcpy(own.data(), &number, sizeof number);
    if (tipsy.isBig) std::reverse(own.begin(), own.end());
    bytes.append(own.data(), own.size());
  };
  const int notStar = tipsy.gas + tipsy.dark, count = notStar + tipsy.star;
  put(tipsy.time);
  for (int number : {count, 3, tipsy.gas, tipsy.dark, tipsy.star}) put(number);
  bytes.resize(tipsy.header);
  const float junk = -7.5f, softening = 0.05f;
  for (int k = 0; k < count; ++k) {
    const float i = static_cast<float>(k);
    for (float number : {1 + i / 2, i + 0.25f, -i, 1 / (i + 1), i / 8, -1.0f / 3, 0.0f})
      put(number);
    const std::vector<float> rest = k < tipsy.gas ? std::vector<float>(5, junk)
                                    : k < notStar ? std::vector{softening, junk}
                                                  : std::vector{junk, junk, softening, junk};
    for (float number : rest) put(number);
  }
  return bytes;
}

/// Compares body \p i with that of madeUpTipsy().
inline void checkMadeUp(const Bodies& bodies, int i) {
  const auto single = [](double number) { return static_cast<double>(static_cast<float>(number)); };
  const Double4 &p = bodies.positions[i], &v = bodies.velocities[i];
  INFO("body " << i);
  CHECK(std::array{p.x, p.y, p.z, p.w} ==
        std::array{i + 0.25, -1.0 * i, single(1.0 / (i + 1)), 1 + i / 2.0});
  CHECK(std::array{v.x, v.y, v.z, v.w} == std::array{i / 8.0, single(-1.0 / 3), 0.0, 0.0});
}

}  // namespace nbody
