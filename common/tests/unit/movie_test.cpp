// Movies and trajectories: what they keep of the bodies, and those that a run writes.
#include <cstdint>

#include "bodies/snapshot.hpp"
#include "bodies/vectors.hpp"
#include "made_bodies.hpp"
#include "movie/frame.hpp"
#include "movie/movie_file.hpp"
#include "program_run.hpp"

using namespace nbody;

namespace {

// Readers of a movie and a trajectory, which share no code with what wrote them.

std::string decodedBase64(const std::string& text) {
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

/// Returns the text between \p start and \p end from \p place on, which moves behind that text;
/// empty if there is none.
std::string between(const std::string& text, const std::string& start, const std::string& end,
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

/// That every coordinate comes back to half a step, with room for rounding.
void checkFrame(const Frame& frame, const Bodies& bodies, const std::vector<int>& chosen) {
  REQUIRE(frame.positions.size() == 3 * chosen.size());
  int bad = 0;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    for (int axis = 0; axis < 3; ++axis) {
      const double exact = component(bodies.positions[chosen[k]], axis);
      const double kept = frame.low[axis] + frame.positions[3 * k + axis] * frame.step[axis];
      bad += !(std::abs(kept - exact) <= 0.5001 * frame.step[axis] + 1e-15 * std::abs(exact));
    }
  CHECK(bad == 0);
}

const std::string kProgram = NBODY_SIMD_PROGRAM;
const std::string kQuick = "--no-measure --no-check ";

Outcome runQuickly(const std::string& arguments) { return runWell(kProgram, kQuick + arguments); }

void requireBad(const std::string& arguments, const std::string& why) {
  requireRefused(kProgram, kQuick + arguments, why);
}

}  // namespace

TEST_CASE("base64 is that of RFC 4648") {
  const std::pair<std::string, std::string> texts[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : texts) CHECK(base64(bytes.data(), bytes.size()) == text);
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  CHECK(decodedBase64(base64(all.data(), all.size())) == all);
}

TEST_CASE("a frame keeps positions to half a step of the frame's box") {
  const Bodies cube = makeCube(5000, 3);
  checkFrame(makeFrame(cube, evenlyChosen(5000, 5000)), cube, evenlyChosen(5000, 5000));
  checkFrame(makeFrame(cube, evenlyChosen(5000, 77)), cube, evenlyChosen(5000, 77));
  // The box is tight: the first and the last of the numbers are used on every axis.
  const Frame frame = makeFrame(cube, evenlyChosen(5000, 5000));
  for (int axis = 0; axis < 3; ++axis) {
    std::uint16_t least = 65535, most = 0;
    for (int k = 0; k < 5000; ++k) {
      least = std::min(least, frame.positions[3 * k + axis]);
      most = std::max(most, frame.positions[3 * k + axis]);
    }
    CHECK(least == 0);
    CHECK(most == 65535);
  }
  const std::vector<int> three = {0, 1, 2};
  for (const Bodies& odd : {bodiesAt({{1, 2, 3, 1}, {1, 2, 3, 1}, {1, 2, 3, 1}}),  // one point
                            bodiesAt({{1, 0, 0, 1}, {2, 0, 0, 1}, {3, 0, 0, 1}}),  // a line
                            bodiesAt({{-1e300, 0, 0, 1}, {1e300, 0, 0, 1}, {0, 0, 0, 1}}),
                            bodiesAt({{1e9, 0, 0, 1}, {1e9 + 1e-6, 0, 0, 1}, {1e9, 0, 0, 1}}),
                            bodiesAt({{0, 0, 0, 1}, {1e-300, 0, 0, 1}, {0, 0, 0, 1}})})
    checkFrame(makeFrame(odd, three), odd, three);
}

TEST_CASE("bodies are thinned evenly, and their ranges with them") {
  CHECK(evenlyChosen(5, 10) == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(evenlyChosen(10, 5) == std::vector<int>{0, 2, 4, 6, 8});
  CHECK(evenlyChosen(10, 3) == std::vector<int>{0, 3, 6});
  CHECK(evenlyChosen(1 << 30, 2) == std::vector<int>{0, 1 << 29});
  for (int most : {1, 2, 7, 64, 99, 100, 1000}) {
    const std::vector<int> chosen = evenlyChosen(100, most);
    for (int end = 0; end <= 100; ++end) {
      const auto before =
          std::count_if(chosen.begin(), chosen.end(), [=](int i) { return i < end; });
      CHECK(chosenBefore(end, 100, most) == before);
    }
  }
}

TEST_CASE("a movie's file holds its frames with their data, and no way out of its script") {
  TestFolder folder;
  const std::string name = folder / "movie.html";
  Bodies bodies = makeCube(1000, 1);
  MovieFile movie(name, evenlyChosen(1000, 250));
  for (int k = 0; k < 12; ++k) {
    movie.add(bodies, 0.5 * k, k == 3 ? std::optional<double>(1e-5) : std::nullopt);
    for (Double4& p : bodies.positions) p.x *= 0.9;
  }
  CHECK(folder.entries() == 1);
  CHECK_FALSE(std::filesystem::exists(name));
  movie.finish({.scene = "</script><b>",
                .program = "01_naive, fp32",
                .device = "a GPU",
                .bodies = 1000,
                .interactionsPerSecond = 1e12,
                .components = {{"left", 0, 300}, {"right", 300, 700}}});
  CHECK(folder.entries() == 1);
  const double size = std::filesystem::file_size(name);
  CHECK(std::abs(movieBytes(250, 12) - size) <= 0.05 * size);

  const ReadMovie read(name);
  REQUIRE(read.frames.size() == 12);
  CHECK(read.frames[0].size() == 250 * 6);
  CHECK(read.facts["scene"] == "</script><b>");
  CHECK_FALSE(contains(contentOf(name), "</script><b>"));
  CHECK(read.facts["shown"] == 250);
  CHECK(read.facts["bodies"] == 1000);
  CHECK(read.facts["interactionsPerSecond"] == 1e12);
  CHECK(read.facts["components"][0]["count"] == 75);
  CHECK(read.facts["components"][1]["first"] == 75);
  CHECK(read.facts["components"][1]["count"] == 175);
  CHECK(read.facts["frames"][3]["energyDrift"] == 1e-5);
  CHECK(read.facts["frames"][4]["energyDrift"].is_null());
  CHECK(read.facts["frames"][4]["time"] == 2);
  const Bodies first = makeCube(1000, 1);
  for (int k : {0, 100, 249})
    CHECK(std::abs(read.coordinate(0, k, 1) - first.positions[4 * k].y) <= read.step(0, 1));
}

TEST_CASE("the player is one file: it names no other") {
  TestFolder folder;
  MovieFile movie(folder / "m.html", {0});
  movie.add(bodiesAt({{1, 2, 3, 4}}), 0, std::nullopt);
  movie.finish({.scene = "s", .program = "p", .device = "d", .bodies = 1});
  const std::string html = contentOf(folder / "m.html");
  for (const char* part : {"http:", "https:", " src=", "@import", "url(", "fetch(", "XMLHttp"})
    CHECK_FALSE(contains(html, part));
  CHECK(contains(html, "default-src 'none'"));
  CHECK(countOf(html, "<script") == 3);  // frame, facts, player
}

TEST_CASE("a trajectory is count, frames and single-precision positions, little-endian") {
  TestFolder folder;
  TrajectoryFile file(folder / "t", 2, 1);
  file.add(bodiesAt({{1, -2, 0.1, 9}, {4, 5, 6, 9}}));
  file.finish();
  const std::string bytes = contentOf(folder / "t");
  CHECK(bytes.size() == trajectoryBytes(2, 1));
  CHECK(bytes.substr(0, 12) == std::string("\2\0\0\0\1\0\0\0\0\0\x80\x3f", 12));
  const ReadTrajectory read(folder / "t");
  CHECK(read.coordinate(0, 0, 1) == -2);
  CHECK(read.coordinate(0, 0, 2) == 0.1f);
  CHECK(read.coordinate(0, 1, 2) == 6);
}

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

TEST_CASE("what a movie cannot be is refused before the run") {
  TestFolder folder;
  const std::string movie = "--movie " + folder / "m.html";
  requireBad("--movie ''", "empty");
  requireBad("--movie " + folder / "m.mp4", "its name must end in .html");
  requireBad("--movie " + folder / "no/m.html", "No such file or directory");
  requireBad("--trajectory " + folder / "", "it is a directory");
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
  for (const std::string option : {"--movie", "--trajectory"}) {
    const Outcome outcome = run(kProgram, kQuick + others + option + " /dev/full");
    CHECK(outcome.status == 2);
    CHECK(outcome.err == "simd: cannot write /dev/full: No space left on device\n");
    CHECK(contains(outcome.out, "left out"));
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
