// How much memory it takes to read and write a snapshot file.
#include "bodies/snapshot.hpp"
#include "child_process.hpp"
#include "many_bodies.hpp"
#include "test_folder.hpp"

using namespace nbody;

namespace {

constexpr int kCount = 2'000'000;
constexpr double kBodiesBytes = 64.0 * kCount;

/// The peak memory of \p work in a child process: this process's own peak would hide it.
double peakBytesOf(const std::function<void()>& work) {
  const ChildEnd end = inChild(work);
  INFO(end.text);
  REQUIRE(end.status == 0);
  return end.peakBytes;
}

}  // namespace

TEST_CASE("snapshots are read and written in little more memory than their bodies need") {
  TestFolder folder;
  for (const std::string format : {"tipsy", "csv"}) {
    const std::string file = folder / ("bodies." + format);
    const double writing =
        peakBytesOf([&] { writeSnapshot(file, manyBodies(kCount), 0, 0.01); });
    const double reading = peakBytesOf([&] { SnapshotFile(file).read(); });
    INFO(format << ": written in " << writing / kBodiesBytes << ", read in "
                << reading / kBodiesBytes << " times the bytes of the bodies");
    // Besides the bodies: 6 MiB of buffers and the child's share of this program.
    constexpr double kBesides = 24 << 20;
    CHECK(writing <= kBodiesBytes + kBesides);
    CHECK(reading <= kBodiesBytes + kBesides);
  }
}
