// The files that the fuzzers start from and those that they found: good ones are read, bad ones
// refused.
#include <filesystem>

#include "base/bad_input.hpp"
#include "bodies/snapshot.hpp"
#include "catch.hpp"
#include "test_folder.hpp"

using namespace nbody;

TEST_CASE("every file of the corpus is read or refused as its name says") {
  int files = 0;
  for (const std::string format : {"tipsy", "csv"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(NBODY_TEST_DIR "/corpus/" + format)) {
      const std::string name = entry.path().filename().string();
      const std::string content = contentOf(entry.path().string());
      const auto read = [&] { SnapshotFile("corpus." + format, content).read(); };
      INFO(format << "/" << name << ": " << messageOf(read));
      if (name.starts_with("good-")) CHECK_NOTHROW(read());
      else CHECK_THROWS_AS(read(), BadInput);
      ++files;
    }
  }
  CHECK(files >= 60);
}
