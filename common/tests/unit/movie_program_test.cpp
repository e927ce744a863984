// The movie, the trajectory and the picture of a run, from a program as its user runs it.
#include "bodies/snapshot.hpp"
#include "bodies/vectors.hpp"
#include "movie/picture.hpp"
#include "movie_reader.hpp"
#include "program_run.hpp"

using namespace nbody;

namespace {

const std::string kProgram = NBODY_SIMD_PROGRAM;
const std::string kQuick = "--no-measure --no-check ";

Outcome runQuickly(const std::string& arguments) { return runWell(kProgram, kQuick + arguments); }

void requireBad(const std::string& arguments, const std::string& why) {
  requireRefused(kProgram, kQuick + arguments, why);
}

}  // namespace

TEST_CASE("movie and trajectory are the run: bit for bit, and to half a step of 16 bits") {
  TestFolder folder;
  const Outcome outcome = runQuickly(
      "--scene collision --bodies 300 --steps 40 --dt 0.05 --frame-every 10 --snapshot-every 10"
      " --output " +
      folder / "s.tipsy" + " --movie " + folder / "m.html" + " --trajectory " + folder / "t.bin");
  CHECK(contains(outcome.out, "m.html: 5 frames of 300 bodies, about 0.0"));
  CHECK(contains(outcome.out, "t.bin: 5 frames of 300 bodies, about 0.02 MB"));
  const ReadTrajectory trajectory(folder / "t.bin");
  const ReadMovie movie(folder / "m.html");
  REQUIRE(trajectory.count == 300);
  REQUIRE(trajectory.frames == 5);
  REQUIRE(movie.frames.size() == 5);
  CHECK(movie.facts["scene"] == "collision");
  CHECK(movie.facts["components"][1]["name"] == "sphere 2");
  CHECK(movie.facts["frames"][0]["energyDrift"] == 0);
  CHECK(movie.facts["frames"][4]["energyDrift"].get<double>() > 0);
  CHECK(movie.facts["frames"][4]["time"].get<double>() == Approx(2));
  int different = 0, farther = 0;
  for (int k = 1; k < 5; ++k) {
    const std::string name = "s-0000" + std::to_string(10 * k) + ".tipsy";
    const Bodies bodies = SnapshotFile(folder / name).read();
    for (int i = 0; i < 300; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        const double exact = component(bodies.positions[i], axis);
        different += trajectory.coordinate(k, i, axis) != static_cast<float>(exact);
        const double off = std::abs(movie.coordinate(k, i, axis) - exact);
        farther += !(off <= 0.5001 * movie.step(k, axis));
      }
    }
  }
  CHECK(different == 0);
  CHECK(farther == 0);
}

TEST_CASE(
    "without --frame-every there are at most 300 frames, the first and one each so many steps") {
  TestFolder folder;
  const auto [steps, frames] =
      GENERATE(table<int, int>({{0, 1}, {1, 2}, {299, 300}, {300, 151}, {1000, 251}}));
  runQuickly("--bodies 2 --steps " + std::to_string(steps) + " --trajectory " + folder / "t");
  CHECK(ReadTrajectory(folder / "t").frames == frames);
}

TEST_CASE("a movie of too many bodies shows some of them, a trajectory all") {
  TestFolder folder;
  runQuickly("--scene merger --bodies 500 --steps 2 --movie-max-bodies 100 --movie " +
             folder / "m.html" + " --trajectory " + folder / "t");
  const ReadMovie movie(folder / "m.html");
  CHECK(movie.facts["shown"] == 100);
  CHECK(movie.frames[0].size() == 600);
  CHECK(movie.facts["components"][5]["first"].get<int>() +
            movie.facts["components"][5]["count"].get<int>() ==
        100);
  CHECK(ReadTrajectory(folder / "t").count == 500);
}

TEST_CASE("a picture is what its name says") {
  TestFolder folder;
  runQuickly("--bodies 100 --steps 0 --picture " + folder / "p.svg");
  CHECK(contains(contentOf(folder / "p.svg"), "<svg "));
  CHECK(contains(contentOf(folder / "p.svg"), "plummer: 100 bodies, time 0"));
  const std::string png = "--bodies 100 --steps 2 --picture " + folder / "p.png";
  if (canWritePng()) runQuickly(png);
  else requireBad(png, "libstb-dev");
  requireBad("--picture " + folder / "p.gif", "must end in .png or .svg");
}

TEST_CASE("what a movie cannot be is refused before the run") {
  TestFolder folder;
  const std::string movie = "--movie " + folder / "m.html";
  requireBad("--movie ''", "empty");
  requireBad("--movie " + folder / "no/m.html", "No such file or directory");
  requireBad("--trajectory " + folder / "", "it is a directory");
  requireBad("--picture " + folder / "no/p.svg", "No such file or directory");
  requireBad(movie + " --frame-every 0", "--frame-every");
  requireBad(movie + " --movie-max-bodies 0", "--movie-max-bodies");
  requireBad("--frame-every 5", "--frame-every requires --movie or --trajectory");
  requireBad("--movie-max-bodies 5", "--movie-max-bodies requires --movie");
  requireBad(movie + " --json " + folder / "m.html", "--json and --movie are the same file");
  requireBad(movie + " --trajectory " + folder / "m.html", "--movie and --trajectory are");
  requireBad("--output new.csv --json ./new.csv", "--output and --json are the same file");
  const std::string numbered = "--snapshot-every 1 --output " + folder / "o.csv" + " --json ";
  requireBad(numbered + folder / "o-000005.csv", "is a name for the snapshots of --snapshot-every");
  // No disk has this room; nothing is begun.
  requireBad("--bodies 65536 --steps 2000000000 --frame-every 1 " + movie, "its disk has");
  requireBad("--steps 2000000000 --frame-every 1 --trajectory " + folder / "t", "its disk has");
  CHECK(folder.entries() == 0);
}

TEST_CASE("a full disk costs the movie, and neither the run nor its other files") {
  TestFolder folder;
  const std::string others =
      "--bodies 200 --steps 20 --output " + folder / "o.csv" + " --json " + folder / "o.json" + " ";
  const std::string picture = "--picture " + folder / "o.svg" + " ", full = "/dev/full";
  std::filesystem::create_symlink(full, folder / "f.svg");
  for (const std::string& options :
       {picture + "--movie ", picture + "--trajectory ", std::string("--picture ")}) {
    const std::string name = options == "--picture " ? folder / "f.svg" : full;
    const Outcome outcome = run(kProgram, kQuick + others + options + name);
    CHECK(outcome.status == 2);
    CHECK(outcome.err == "simd: cannot write " + name + ": No space left on device\n");
    CHECK(contains(outcome.out, "drift"));
    CHECK(SnapshotFile(folder / "o.csv").read().count() == 200);
    CHECK(nlohmann::json::parse(contentOf(folder / "o.json"))["runs"][0]["steps"] == 20);
    std::filesystem::remove(folder / "o.csv");
  }
}

TEST_CASE("a movie that ends half-way leaves no half file, and an earlier one in its place") {
  TestFolder folder;
  writeContent(folder / "m.html", "earlier");
  // Files may have 120 blocks of 512 bytes: the trajectory is shorter, the movie longer.
  const Outcome outcome =
      run("trap '' XFSZ; ulimit -f 120; " + kProgram,
          kQuick + "--bodies 100 --steps 40 --movie " + folder / "m.html" + " --trajectory " +
              folder / "t" + " --output " + folder / "o.csv");
  CHECK(outcome.status == 2);
  CHECK(outcome.err == "simd: cannot write " + folder / "m.html" + ": File too large\n");
  CHECK(contentOf(folder / "m.html") == "earlier");
  CHECK(ReadTrajectory(folder / "t").frames == 41);
  CHECK(folder.entries() == 3);
}
