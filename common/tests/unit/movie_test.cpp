// What a movie, a trajectory and a picture keep of the bodies.
#include "movie/frame.hpp"

#include <nlohmann/json.hpp>

#include "bodies/vectors.hpp"
#include "made_bodies.hpp"
#include "movie/movie_file.hpp"
#include "movie/picture.hpp"
#include "movie_reader.hpp"

using namespace nbody;

namespace {

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

}  // namespace

TEST_CASE("base64 is that of RFC 4648") {
  const std::pair<std::string, std::string> texts[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : texts) CHECK(base64(bytes.data(), bytes.size()) == text);
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  CHECK(decodedBase64(base64(all.data(), all.size())) == all);
}

TEST_CASE("a frame keeps positions to half a step of its own box") {
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

TEST_CASE("a movie's file holds its frames, what is known of them, and no way out of its script") {
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

TEST_CASE("a picture has both projections on one scale, and says what it leaves out") {
  Bodies bodies = bodiesAt({{0, 0, 0, 1}, {2, 1, 0.5, 1}, {-2, -1, -0.5, 1}});
  const PictureView view = viewOf(bodies);
  CHECK(view.half == Approx(2.1));
  CHECK(view.tick == 1);
  CHECK(view.outside == 0);
  const PanelPoint xy = projected(bodies.positions[1], view, kPanels[0]);
  const PanelPoint xz = projected(bodies.positions[1], view, kPanels[1]);
  CHECK(xy.x == Approx(kPanel * 4.1 / 4.2));
  CHECK(xy.y == Approx(kPanel * 1.1 / 4.2));  // downwards
  CHECK(xz.x == xy.x);
  CHECK(xz.y == Approx(kPanel * 1.6 / 4.2));
  REQUIRE(axisMarks(view, kPanels[0]).size() == 10);  // -2 to 2 on both axes
  CHECK(axisMarks(view, kPanels[0])[0].text == "-2");
  for (const auto& [half, text] : std::vector<std::pair<double, std::string>>{
           {60, "-60"}, {0.06, "-0.06"}, {6e7, "-6e+07"}, {1.2e-9, "-1.2e-09"}})
    CHECK(axisMarks({{0, 0, 0}, half, half / 6 * 2, 0}, kPanels[0])[0].text == text);
  const std::string svg = svgPicture(bodies, "a < b & c");
  CHECK(countOf(svg, "h0") == 6);
  CHECK(contains(svg, ">a &lt; b &amp; c</text>"));

  bodies = makeCube(2000, 1);
  bodies.positions[7] = {100, 0, 0, 1};
  CHECK(contains(svgPicture(bodies, "cube"), "cube; "));
  CHECK(contains(svgPicture(bodies, "cube"), " outside</text>"));
  if (canWritePng()) {
    const std::string png = pngPicture(bodies, "cube");
    CHECK(png.substr(0, 8) == "\x89PNG\r\n\x1a\n");
    CHECK(png.size() > 10'000);
  }
  // All at one point, and one body far away from the numbers' own size.
  CHECK_FALSE(contains(svgPicture(bodiesAt({{1e9, 0, 0, 1}, {1e9, 0, 0, 1}}), "p"), "nan"));
}
