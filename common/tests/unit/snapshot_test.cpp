// Snapshot files: what is written and read back, what others wrote, and how much memory that takes.
#include "bodies/snapshot.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "bodies/random.hpp"
#include "made_bodies.hpp"
#include "test_folder.hpp"

using namespace nbody;

namespace {

void requireSame(const Bodies& a, const Bodies& b) {
  CHECK(sameBits(a.positions, b.positions));
  CHECK(sameBits(a.velocities, b.velocities));
}

/// Numbers of every size that \p Number holds, those next to zero, one and infinity among them.
template <class Number>
Bodies awkwardBodies(int count) {
  using Limits = std::numeric_limits<Number>;
  const double special[] = {0.0,
                            -0.0,
                            1,
                            std::nextafter(Number{1}, Number{2}),
                            Limits::max(),
                            Limits::lowest(),
                            Limits::min(),
                            Limits::denorm_min(),
                            -Limits::denorm_min(),
                            0.1,
                            1e15,
                            123456789};
  Random random(7);
  const auto number = [&]() -> double {
    if (random.uniform() < 0.2)
      return static_cast<Number>(special[static_cast<int>(random.uniform(0, 12))]);
    const double most = Limits::max_exponent - 1;
    return static_cast<Number>(random.uniform(-2, 2) * std::exp2(random.uniform(-most, most)));
  };
  Bodies bodies;
  for (int i = 0; i < count; ++i)
    bodies.add({number(), number(), number(), std::abs(number())},
               {number(), number(), number(), 0});
  return bodies;
}

/// The largest resident memory of \p work in a child process: this process's own would hide it.
double peakBytesOf(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    const std::string error = messageOf(work);
    std::fputs(error.c_str(), stderr);
    _exit(error.empty() ? 0 : 1);
  }
  int status = 0;
  rusage usage = {};
  REQUIRE(wait4(child, &status, 0, &usage) == child);
  REQUIRE(status == 0);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

TEST_CASE("tipsy gives single precision back bit for bit, in both orders of bytes") {
  TestFolder folder;
  const Bodies bodies = awkwardBodies<float>(40000);  // more than a buffer has
  for (const char* name : {"a.tipsy", "a.std", "a"}) {
    writeSnapshot(folder / name, bodies, 1.5, 0.01);
    const SnapshotFile file(folder / name);
    CHECK(file.count() == 40000);
    CHECK(file.time() == 1.5);
    CHECK(file.softening() == 0.01);
    requireSame(file.read(), bodies);
  }
  CHECK(SnapshotFile(folder / "a.tipsy").format() == "tipsy, little-endian");
  CHECK(SnapshotFile(folder / "a.std").format() == "tipsy, big-endian");
  CHECK(folder.entries() == 3);
}

TEST_CASE("CSV gives double precision back bit for bit") {
  TestFolder folder;
  for (int count : {2, 2047, 2048, 2049, 70000}) {
    const Bodies bodies = awkwardBodies<double>(count);
    writeSnapshot(folder / "a.csv", bodies, 1.5, 0.01);
    const SnapshotFile file(folder / "a.csv");
    CHECK(file.format() == "CSV");
    CHECK(file.count() == count);
    requireSame(file.read(), bodies);
  }
  CHECK(contentOf(folder / "a.csv").starts_with("x,y,z,vx,vy,vz,mass\n"));
}

TEST_CASE(
    "tipsy files of another writer are read: both orders, both headers, all kinds of bodies") {
  TestFolder folder;
  for (const Tipsy& tipsy : {Tipsy{3, 4, 5, true, 32, 2.25}, Tipsy{3, 4, 5, false, 28, 2.25},
                             Tipsy{12, 0, 0, true, 28, 2.25}, Tipsy{0, 12, 0, false, 32, 2.25},
                             Tipsy{0, 0, 12, false, 28, 2.25}}) {
    CAPTURE(tipsy.isBig, tipsy.header, tipsy.gas, tipsy.dark, tipsy.star);
    writeContent(folder / "a", madeUpTipsy(tipsy));
    const SnapshotFile file(folder / "a");
    CHECK(file.format() == (tipsy.isBig ? "tipsy, big-endian" : "tipsy, little-endian"));
    CHECK(file.time() == 2.25);
    CHECK(file.softening() == (tipsy.gas == 12 ? 0 : 0.05));
    const Bodies bodies = file.read();
    REQUIRE(bodies.count() == 12);
    for (int i = 0; i < 12; ++i) checkMadeUp(bodies, i);
  }
}

TEST_CASE("CSV of another writer is read, and known by its content under any name") {
  const std::string text =
      "x,y,z,vx,vy,vz,mass\n"
      "0.25,0.0,1.0,0.0,-0.3333333432674408,0.0,1.0\n"
      "1.25,-1.0,0.5,0.125,-0.3333333432674408,0.0,1.5\n"
      "2.25,-2.0,0.3333333432674408,0.25,-0.3333333432674408,0.0,2.0\n";
  for (const char* name : {"a.csv", "b.txt", "B.CSV"}) {
    const Bodies bodies = SnapshotFile(name, text).read();
    REQUIRE(bodies.count() == 3);
    for (int i = 0; i < 3; ++i) checkMadeUp(bodies, i);
  }
}

TEST_CASE("CSV's columns are found by their names") {
  const SnapshotFile file("a.csv", "id,M,vx,vy,vz,z,y,x\na,7,4,5,6,3,2,1\nb,8,0,0,0,0,0,2\n");
  CHECK(file.count() == 2);
  CHECK(file.unused() == "ignored columns 'id'");
  const Bodies bodies = file.read();
  requireSame(bodies, {{{1, 2, 3, 7}, {2, 0, 0, 8}}, {{4, 5, 6, 0}, {0, 0, 0, 0}}});
}

TEST_CASE("a softening that differs from body to body is not used") {
  TestFolder folder;
  writeSnapshot(folder / "a.tipsy", bodiesAt({{0, 0, 0, 1}, {1, 0, 0, 1}, {2, 0, 0, 1}}), 0, 0.5);
  std::string content = contentOf(folder / "a.tipsy");
  CHECK(SnapshotFile("a", content).softening() == 0.5);
  CHECK(SnapshotFile("a", content).unused().empty());
  for (int body = 0; body < 3; ++body) content[32 + 36 * body + 28] = static_cast<char>(body);
  CHECK(SnapshotFile("a", content).softening() == 0);
  CHECK(contains(SnapshotFile("a", content).unused(), "--softening sets one for all"));
}

TEST_CASE("CSV is read as people write it") {
  const Bodies plain = SnapshotFile("a.csv", "1,2,3,4,5,6,7\n-1,0.5,1e-3,0,0,0,1\n").read();
  CHECK(plain.count() == 2);
  CHECK(plain.positions[1].z == 1e-3);
  for (const char* other :
       {"1,2,3,4,5,6,7\n-1,0.5,1e-3,0,0,0,1",  // no end of the last line
        "1,2,3,4,5,6,7\r\n-1,0.5,1e-3,0,0,0,1\r\n",  // Windows
        "\xEF\xBB\xBFx,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,7\n-1,.5,.001,0,0,0,1\n",  // a BOM
        "# x, y, z, vx, vy, vz, mass\n1,2,3,4,5,6,7\n-1,0.5,1E-3,0,0,0,1\n",  // numpy's savetxt
        "X,Y,Z,VX,VY,VZ,Mass\n\n1 , 2,\t3,4,5,6,7 \n\n-1,0.5,1e-3,0,0,0,1\n\n \n",
        "+1,2.,3,4,5,6,7\n-1,+0.5,1e-3,-0,0,1e-999,1\n"}) {
    INFO(other);
    const Bodies bodies = SnapshotFile("a.csv", other).read();
    REQUIRE(bodies.count() == 2);
    CHECK(bodies.positions[0].w == 7);
    CHECK(bodies.positions[1].z == 1e-3);
    CHECK(bodies.velocities[1].z == 0);
  }
}

TEST_CASE("snapshots are read and written in little more memory than their bodies need") {
  constexpr int kCount = 1'000'000;
  constexpr double kBodiesBytes = 64.0 * kCount;
  TestFolder folder;
  for (const std::string format : {"tipsy", "csv"}) {
    const std::string file = folder / ("bodies." + format);
    const double writing = peakBytesOf([&] { writeSnapshot(file, manyBodies(kCount), 0, 0.01); });
    const double reading = peakBytesOf([&] { SnapshotFile(file).read(); });
    INFO(format << ": written in " << writing / kBodiesBytes << ", read in "
                << reading / kBodiesBytes << " times the bytes of the bodies");
    // Besides the bodies: at most 12 MiB of buffers and the child's share of this program.
    constexpr double kBesides = 24 << 20;
    CHECK(writing <= kBodiesBytes + kBesides);
    CHECK(reading <= kBodiesBytes + kBesides);
  }
}

TEST_CASE("a signal leaves the old file and no other") {
  TestFolder folder;
  writeContent(folder / "a", "old");
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t child = fork();
    if (child == 0) {
      std::signal(signal, SIG_DFL);  // not the handler of the tests' library
      OutputFile file(folder / "a");
      file.write("new", 3);
      raise(signal);
      _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    CHECK(folder.entries() == 1);
    CHECK(contentOf(folder / "a") == "old");
  }
}
