// The files of a step's program: bodies from them, snapshots of them, runs that go on from them.
#include "base/text.hpp"
#include "bodies/snapshot.hpp"
#include "bodies/units.hpp"
#include "made_bodies.hpp"
#include "program_run.hpp"

using namespace nbody;

namespace {

Outcome runOnce(const std::string& arguments) { return runWell("--repeats 1 " + arguments); }

/// In single precision, which is all that tipsy keeps of a program in double.
bool samePositions(const Bodies& a, const Bodies& b) {
  return sameBits(converted<float4>(a.positions), converted<float4>(b.positions));
}

}  // namespace

TEST_CASE("a run takes its bodies from a file and says so") {
  TestFolder folder;
  writeContent(folder / "cluster.tipsy",
               madeUpTipsy({.gas = 20, .dark = 40, .star = 10, .time = 3}));
  const Outcome outcome = runOnce("--steps 2 --input " + folder / "cluster.tipsy");
  CHECK(contains(outcome.out, std::string(kStepName) + ": 70 bodies, file cluster.tipsy"));
  CHECK(contains(outcome.out, "softening 0.05"));  // the file's own
  CHECK(contains(outcome.out, folder / "cluster.tipsy" + ": tipsy, big-endian, time 3"));
  const auto& run = outcome.firstRun();
  CHECK(run["scene"] == "cluster.tipsy");
  CHECK(run["input"]["file"] == folder / "cluster.tipsy");
  CHECK(run["input"]["time"] == 3);
  CHECK(run["bodies"] == 70);
  CHECK(run["error"]["sampled"] == 70);
  CHECK_FALSE(run.contains("seed"));
  CHECK(contains(runOnce("--steps 0 --softening 0.5 --input " + folder / "cluster.tipsy").out,
                 "softening 0.5,"));
}

TEST_CASE("without steps a run turns one format into another") {
  TestFolder folder;
  writeContent(folder / "a.tipsy", madeUpTipsy({.dark = 33, .time = 3}));
  runOnce("--steps 0 --input " + folder / "a.tipsy" + " --output " + folder / "a.csv");
  runOnce("--steps 0 --input " + folder / "a.csv" + " --output " + folder / "b.std");
  CHECK(folder.entries() == 3);
  for (const char* name : {"a.csv", "b.std"}) {
    const Bodies bodies = SnapshotFile(folder / name).read();
    REQUIRE(bodies.count() == 33);
    for (int i = 0; i < 33; ++i) checkMadeUp(bodies, i);
  }
}

TEST_CASE("12 steps equal 6 and 6 from a file, bit for bit") {
  TestFolder folder;
  const std::string extension = kStepIsDouble ? ".csv" : ".tipsy";
  const auto file = [&](const std::string& name) { return folder / (name + extension); };
  // If a step has the option on the left, it gets the value on the right. Then its forces depend
  // only on the bodies: sums have a fixed order, and no cell is opened by the accelerations of the
  // time step before, which a file does not hold.
  const std::pair<const char*, const char*> values[] = {
      {"--blocks-per-body", " --blocks-per-body 1"},
      {"--opening", " --opening distance"},
      {"--tolerance", " --theta 0.001"}};
  const std::string help = run("--help").out;
  std::string ordered;
  for (const auto& [option, value] : values)
    if (contains(help, option)) ordered += value;
  // A step that is no power of two, so that the header's time shows how it was summed.
  for (const char* scene : {"--scene collision --bodies 97 --dt 0.001", "--scene solar"}) {
    const std::string step = contains(scene, "solar") ? "" : " --dt 0.001";
    const std::string softening =
        kStepIsDouble && contains(scene, "solar") ? " --softening 1e-5" : "";
    runOnce(scene + ordered + " --steps 12 --output " + file("whole"));
    runOnce(scene + ordered + " --steps 6 --output " + file("half"));
    runOnce("--steps 6 --input " + file("half") + step + softening + ordered + " --output " +
            file("both"));
    INFO(scene);
    const bool same = contentOf(file("whole")) == contentOf(file("both"));
    const bool moved = contentOf(file("whole")) != contentOf(file("half"));
    CHECK(same);
    CHECK(moved);
  }
}

TEST_CASE("numbered snapshots are the run's states, and a run goes on from them") {
  TestFolder folder;
  runOnce("--bodies 50 --steps 10 --snapshot-every 4 --output " + folder / "out.tipsy");
  CHECK(folder.entries() == 3);
  CHECK(SnapshotFile(folder / "out-000004.tipsy").time() == 4.0 / 1024);
  CHECK(SnapshotFile(folder / "out.tipsy").time() == 10.0 / 1024);
  const std::string eighth = contentOf(folder / "out-000008.tipsy");
  CHECK(SnapshotFile(folder / "out-000008.tipsy").time() == 8.0 / 1024);

  // Its own series goes on, and what is there stays.
  runOnce("--steps 4 --snapshot-every 4 --input " + folder / "out-000008.tipsy" + " --output " +
          folder / "out.tipsy");
  CHECK(folder.entries() == 4);
  CHECK(contentOf(folder / "out-000008.tipsy") == eighth);
  CHECK(contentOf(folder / "out-000012.tipsy") == contentOf(folder / "out.tipsy"));
  CHECK(SnapshotFile(folder / "out.tipsy").time() == 12.0 / 1024);

  // Another series begins at 0.
  runOnce("--steps 4 --snapshot-every 4 --input " + folder / "out-000008.tipsy" + " --output " +
          folder / "new.csv");
  CHECK(samePositions(SnapshotFile(folder / "new-000004.csv").read(),
                      SnapshotFile(folder / "out-000012.tipsy").read()));
}

// Each kind of bad file is in bad_snapshot_test.cpp.
TEST_CASE("bad files are refused in one line, and nothing is written") {
  TestFolder folder;
  const std::string out = " --output " + folder / "out.tipsy" + " --json " + folder / "out.json";
  const auto requireBad = [&](const std::string& content, const std::string& why) {
    writeContent(folder / "bad", content);
    requireRefused("--input " + folder / "bad" + out, folder / "bad" + ": " + why);
  };
  const std::string good = madeUpTipsy({.dark = 5});
  requireBad(
      good.substr(0, 100),
      "truncated: its header's 0 gas, 5 dark and 0 star bodies need 212 bytes, the file has 100");
  requireRefused("--output= --steps 1", "--output= has no value after the =");
  requireRefused("--input= --steps 1", "--input= has no value after the =");
  CHECK(folder.entries() == 1);
  if (kStepIsDouble) return;
  requireBad("1,2,3,4,5,6,7\n1e19,2,3,4,5,6,7\n",
             "softening: 0.01 is too short for bodies as far out as 1.8");
  requireBad("1,2,3,4,5,6,7\n1,2,3,4,5e60,6,7\n",
             "velocities: a component of 3.2e+60 or more is too fast");
}

TEST_CASE("bodies in other units take the same path") {
  TestFolder folder;
  // Powers of two, so that every number is the same except for its exponent.
  const auto pathOf = [&](int length, int mass, const std::string& name) {
    const int time = (3 * length - mass) / 2;
    Bodies bodies = makeCube(40, 3);
    bodies.positions[7].x = 3e8;  // far from all others
    bodies = fromUnits(bodies, {length, mass});
    writeSnapshot(folder / name, bodies, 0, 0);
    const auto number = [](double value) { return formatted(" %.17g", value); };
    runOnce("--steps 3 --dt" + number(std::ldexp(1, time - 10)) + " --softening" +
            number(std::ldexp(1, length - 5)) + " --input " + folder / name + " --output " +
            folder / name);
    return inUnits(SnapshotFile(folder / name).read(), {length, mass});
  };
  const Bodies usual = pathOf(0, 0, "usual.csv");
  for (const auto& [length, mass] : {std::pair(60, 100), {-60, -100}, {0, -80}, {34, 0}}) {
    const Bodies other = pathOf(length, mass, "other.csv");
    for (int i = 0; i < usual.count(); ++i) {
      // Sums in another order may differ in their last bits.
      CHECK(distance(other.positions[i], usual.positions[i]) <= 1e-6);
      CHECK(distance(other.velocities[i], usual.velocities[i]) <=
            1e-5 * nbody::length(usual.velocities[i]));
    }
  }
}

TEST_CASE("more bodies than memory holds are refused, however large the file") {
  const int count = 1'000'000'000;
  if (hostHolds(count)) return skipTest("this host has memory for them");
  TestFolder folder;
  std::string header = madeUpTipsy({.dark = 1, .isBig = false}).substr(0, 32);
  std::memcpy(header.data() + 8, &count, 4);
  std::memcpy(header.data() + 20, &count, 4);
  writeContent(folder / "huge", header);
  std::filesystem::resize_file(folder / "huge", 32 + 36ll * count);  // a hole: it takes no room
  requireRefused("--input " + folder / "huge", "1000000000 bodies need");
}

TEST_CASE("options of files that contradict each other are refused") {
  TestFolder folder;
  writeContent(folder / "a", madeUpTipsy({.dark = 5}));
  requireRefused("--scene plummer --input " + folder / "a", "--input and --scene");
  requireRefused("--snapshot-every 10", "--snapshot-every requires --output");
  requireRefused("--snapshot-every 0 --output " + folder / "b", "--snapshot-every");
  requireRefused("--snapshot-every 5 --output /dev/stdout", "--snapshot-every");
  requireRefused("--input ''", "empty");
  requireRefused("--output ''", "empty");
  requireRefused("--output " + folder / "no/such", "No such file or directory");
  requireRefused("--output " + folder / "b" + " --json " + folder / "b", "the same file");
  std::filesystem::create_directory(folder / "b-000010");
  requireRefused("--steps 10 --snapshot-every 5 --output " + folder / "b",
                 "b-000010: it is a directory");
  CHECK(folder.entries() == 2);
}

TEST_CASE("bodies go to a pipe as they are") {
  TestFolder folder;
  const Outcome outcome = run("--bodies 10 --steps 0 --repeats 1 --output /dev/stderr");
  CHECK(outcome.status == 0);
  CHECK(SnapshotFile("pipe", outcome.err).read().count() == 10);
}
