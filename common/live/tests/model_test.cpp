// The settings of a live run, what it leaves to another program, its pipes to the server and the bytes of a frame. What
// it obeys and refuses is in server_test.py.
#include <unistd.h>

#include <cstring>

#include "base/bad_input.hpp"
#include "catch.hpp"
#include "driver/host_simulation.hpp"
#include "live/model.hpp"
#include "live/pipes.hpp"
#include "physics/baselines.hpp"

using namespace nbody;
using namespace std::chrono_literals;

namespace {

struct TreeLike : OptionsOf<TreeLike> {
  double theta = 0.5;
  std::vector<Option> list() override {
    return {numberOption("theta", theta, "opening angle", 0.1, 1)};
  }
};

Program programOf(HostForces forces = serialForces) {
  return {.name = "made_up",
          .options = std::make_unique<TreeLike>,
          .simulation = [=](int count, double softening, const StepOptions&) {
            return makeHostSimulation(count, softening, forces);
          }};
}

LiveSettings settingsAtStart() {
  const Scene& scene = sceneNamed("plummer");
  return {.scene = &scene,
          .bodies = 50,
          .seed = 1,
          .timeStep = scene.timeStep,
          .softening = scene.softening,
          .stepOptions = {}};
}

LiveSettings set(const char* text) {
  const Program program = programOf();
  return changed(settingsAtStart(), Json::parse(text), mostBodies(hostDevice()), program);
}

template <class Number>
Number numberAt(const std::string& bytes, std::size_t offset) {
  Number number;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

/// The server's ends of two pipes.
struct Server {
  int orders = -1, messages = -1;
  std::string descriptors;  ///< the program's ends

  Server() {
    int in[2], out[2];
    REQUIRE((pipe(in) == 0 && pipe(out) == 0));
    orders = in[1], messages = out[0];
    descriptors = std::to_string(in[0]) + "," + std::to_string(out[1]);
  }
  ~Server() {
    hangUp();
    close(messages);
  }
  void hangUp() { close(std::exchange(orders, -1)); }
  void send(const std::string& text) {
    REQUIRE(write(orders, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }

  std::string message() {
    std::string length = bytes(4);
    return length.empty() ? "" : bytes(numberAt<std::uint32_t>(length, 0));
  }
  std::string bytes(std::size_t count) {
    std::string bytes(count, '\0');
    for (std::size_t done = 0; done < count;) {
      const ssize_t got = read(messages, bytes.data() + done, count - done);
      if (got <= 0) return "";
      done += got;
    }
    return bytes;
  }
};

}  // namespace

TEST_CASE("live: settings") {
  CHECK(set(R"({"dt":0.5,"softening":0.1,"seed":7,"bodies":9})").count() == 9);
  CHECK(set(R"({"theta":0.7})").stepOptions.at("theta") == "0.69999999999999996");
  CHECK(set(R"({"colour":"speed","stepsPerFrame":0})").colour == "speed");
  // A scene brings its own steps and softening, unless they are given too.
  CHECK(set(R"({"scene":"merger"})").timeStep == 1.0 / 16);
  CHECK(set(R"({"dt":0.5,"scene":"merger"})").timeStep == 0.5);
  CHECK(set(R"({"scene":"solar"})").count() == 9);
  CHECK(set(R"({"bodies":65536})").restarts(settingsAtStart()));
  CHECK_FALSE(set(R"({"dt":0.5})").rebuilds(settingsAtStart()));
  CHECK_FALSE(set(R"({"softening":0.5})").restarts(settingsAtStart()));
  CHECK(set(R"({"theta":0.7})").rebuilds(settingsAtStart()));
  CHECK_THROWS_AS(set(R"({"theta":2})"), BadInput);
}

TEST_CASE("live: a position that is no number is refused a frame") {
  const Program program = programOf([](const auto& bodies, float, auto& accelerations) {
    accelerations.assign(bodies.size(), {std::nanf(""), 0, 0, 0});
  });
  LiveModel model(program, settingsAtStart());
  CHECK(model.shown(1)().positions.size() == 50);
  model.advance(1);
  CHECK_THROWS_AS(model.shown(2)(), BadInput);
}

TEST_CASE("live: a state comes back as it was, and nothing else passes for one") {
  const LiveSettings settings = settingsAtStart();
  const LiveState left = {.settings = settings,
                          .moment = {0.1, 12},
                          .conserved = Conserved{1, std::nan(""), {1e-17, 2, 3, 0}, 4},
                          .playing = false,
                          .program = "simd",
                          .gpu = "H200",
                          .tflops = 60};
  const std::string text = json(left).dump();
  const LiveState state = stateOf(text);
  CHECK(state.settings.timeStep == settings.timeStep);
  CHECK(state.settings.scene == settings.scene);
  CHECK((state.moment.time == 0.1 && state.moment.steps == 12));
  CHECK((state.conserved->kinetic == 1 && std::isnan(state.conserved->potential)));
  CHECK(state.conserved->momentum.x == 1e-17);
  CHECK((!state.playing && state.program == "simd" && state.gpu == "H200" && state.tflops == 60));
  for (const std::string& other : {std::string(), std::string("{}"), text.substr(1)})
    CHECK_THROWS_AS(stateOf(other), BadInput);
}

TEST_CASE("live: lines come whole, one by one, until the other side hangs up") {
  Server server;
  LivePipes pipes(server.descriptors);
  CHECK(!pipes.line(0ns));
  server.send("a\nbc\nd");
  CHECK(pipes.line(1s) == "a");
  CHECK(pipes.line(0ns) == "bc");
  CHECK(!pipes.line(0ns));
  const std::string rest(10000, 'x');
  server.send(rest + "\n");
  std::optional<std::string> line;
  while (!(line = pipes.line(1s)))
    ;
  CHECK(*line == "d" + rest);
  CHECK(!pipes.ended());
  server.hangUp();
  CHECK(!pipes.line(1s));
  CHECK(pipes.ended());
}

TEST_CASE("live: a reader that reads nothing does not stop the run, and misses no text") {
  Server server;
  const std::string frame(1 << 20, 'f');  // more than a pipe holds
  {
    LivePipes pipes(server.descriptors);
    CHECK(pipes.takesFrame());
    pipes.show([&] { return frame; });
    CHECK(!pipes.takesFrame());
    REQUIRE(server.bytes(4).size() == 4);  // the rest waits
    for (int k = 0; k < 100; ++k) pipes.tell({{"k", k}});
    CHECK(!pipes.takesFrame());
    CHECK(server.bytes(frame.size()) == frame);
    for (int k = 0; k < 100; ++k) CHECK(Json::parse(server.message())["k"] == k);
    CHECK(pipes.takesFrame());
    pipes.show([]() -> std::string { throw BadInput("run: NaN"); });
    while (!pipes.takesFrame()) std::this_thread::yield();
    CHECK(pipes.trouble() == "run: NaN");
    CHECK(pipes.trouble().empty());
    pipes.tell({{"last", "\xff"}});  // not UTF-8: a device's name, say
  }
  CHECK(Json::parse(server.message())["last"] == "\ufffd");
  CHECK(server.message().empty());  // closed
}

TEST_CASE("live: a reader that is gone ends the run and kills nobody") {
  Server server;
  LivePipes pipes(server.descriptors);
  close(std::exchange(server.messages, -1));
  pipes.tell({{"a", 1}});
  for (int k = 0; k < 1000 && !pipes.ended(); ++k) pipes.line(10ms);
  CHECK(pipes.ended());
}

TEST_CASE("live: the bytes of a frame") {
  const std::vector<Double4> positions = {{-1, 0, 5, 1}, {1, 2, 5, 1}, {0, 1, 5, 1}};
  std::string bytes = frameBytes({7, 0.25, positions});
  REQUIRE(bytes.size() == 72 + 6 * 3);
  CHECK(bytes.substr(0, 4) == "NBL1");
  CHECK(numberAt<std::uint32_t>(bytes, 4) == 7);
  CHECK(numberAt<double>(bytes, 8) == 0.25);
  CHECK(numberAt<double>(bytes, 16) == -1);
  CHECK(numberAt<double>(bytes, 40) == 2.0 / 65535);
  CHECK(numberAt<double>(bytes, 56) == 0);
  CHECK(numberAt<std::uint32_t>(bytes, 64) == 3);
  CHECK(numberAt<std::uint32_t>(bytes, 68) == 0);
  CHECK(numberAt<std::uint16_t>(bytes, 72) == 0);
  CHECK(numberAt<std::uint16_t>(bytes, 72 + 6) == 65535);
  CHECK(numberAt<std::uint16_t>(bytes, 72 + 12) == 32768);

  bytes = frameBytes({8, 0.5, positions, {1, 16, 4}});
  REQUIRE(bytes.size() == 72 + 6 * 3 + 8 + 3);
  CHECK(numberAt<std::uint32_t>(bytes, 68) == 1);
  CHECK(numberAt<float>(bytes, 90) == 1);
  CHECK(numberAt<float>(bytes, 94) == 16);
  CHECK(static_cast<unsigned char>(bytes[98]) == 0);
  CHECK(static_cast<unsigned char>(bytes[99]) == 255);
  CHECK(static_cast<unsigned char>(bytes[100]) == 128);

  bytes = frameBytes({9, 0, {{1, 1, 1, 1}, {2, 2, 2, 1}}, {0, 0}});  // all at rest
  CHECK(bytes.substr(72 + 12 + 8) == std::string(2, '\0'));
}
