/// \file
/// A folder for the files of a test, and snapshots from an independent writer.
#pragma once

#include <array>
#include <cstdlib>
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

/// Writes a file with write_snapshot.py, which shares no code with the suite's readers and writers.
inline void writeByScript(const std::string& file, const std::string& options) {
  const std::string command =
      "python3 " NBODY_TEST_DIR "/tools/write_snapshot.py " + file + " " + options;
  REQUIRE(std::system(command.c_str()) == 0);
}

/// Compares body \p i with that of write_snapshot.py.
inline void checkScriptBody(const Bodies& bodies, int i) {
  const auto single = [](double number) { return static_cast<double>(static_cast<float>(number)); };
  const Double4 &p = bodies.positions[i], &v = bodies.velocities[i];
  INFO("body " << i);
  CHECK(std::array{p.x, p.y, p.z, p.w} ==
        std::array{i + 0.25, -1.0 * i, single(1.0 / (i + 1)), 1 + i / 2.0});
  CHECK(std::array{v.x, v.y, v.z, v.w} == std::array{i / 8.0, single(-1.0 / 3), 0.0, 0.0});
}

}  // namespace nbody
