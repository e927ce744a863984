/// \file
/// Files by write_snapshot.py, which shares no code with the suite's readers and writers.
#pragma once

#include <cstdlib>
#include <string>

#include "bodies/bodies.hpp"
#include "catch.hpp"

namespace nbody {

inline void writeByScript(const std::string& file, const std::string& options) {
  const std::string command =
      "python3 " NBODY_TEST_DIR "/tools/write_snapshot.py " + file + " " + options;
  REQUIRE(std::system(command.c_str()) == 0);
}

/// What the script says of body \p i.
inline void checkScriptBody(const Bodies& bodies, int i) {
  const auto single = [](double number) { return static_cast<double>(static_cast<float>(number)); };
  const Double4& p = bodies.positions[i];
  const Double4& v = bodies.velocities[i];
  INFO("body " << i);
  CHECK(p.x == i + 0.25);
  CHECK(p.y == -i);
  CHECK(p.z == single(1.0 / (i + 1)));
  CHECK(p.w == 1 + i / 2.0);
  CHECK(v.x == i / 8.0);
  CHECK(v.y == single(-1.0 / 3));
  CHECK(v.z == 0);
  CHECK(v.w == 0);
}

}  // namespace nbody
