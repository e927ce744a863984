// What a live run obeys and refuses, and what it leaves to another program.
#include <cmath>

#include "base/bad_input.hpp"
#include "catch.hpp"
#include "driver/host_simulation.hpp"
#include "driver/live/model.hpp"
#include "driver/live/orders.hpp"
#include "driver/live/state.hpp"
#include "physics/baselines.hpp"

using namespace nbody;

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
  return changed(settingsAtStart(), Json::parse(text), liveLimits(hostDevice()), program);
}

std::string refusal(const char* text) {
  return messageOf([&] { set(text); });
}

}  // namespace

TEST_CASE("live: orders") {
  CHECK(orderOf(R"({"do":"step"})").kind == LiveOrder::Kind::step);
  CHECK(orderOf(R"({"set":{"dt":1}})").knobs.at("dt") == 1);
  for (const char* text : {"",
                           "{}",
                           "[]",
                           "7",
                           "{\"do\":\"play\",\"climb\":1}",
                           "{\"do\":1}",
                           "{\"fly\":1}",
                           "{\"do\":\"play\"",
                           "\xff"})
    CHECK_THROWS_AS(orderOf(text), BadInput);
  CHECK_THROWS_AS(orderOf(std::string(4000, '[')), BadInput);
  CHECK(refusal("dt: is\nwrong", 7) ==
        Json{{"type", "refused"}, {"viewer", 7}, {"what", "dt"}, {"why", "is wrong"}});
}

TEST_CASE("live: knobs") {
  CHECK(set(R"({"dt":0.5,"softening":0.1,"seed":7,"bodies":9})").count() == 9);
  CHECK(set(R"({"theta":0.7})").stepOptions.at("theta") == "0.69999999999999996");
  CHECK(set(R"({"colour":"speed","stepsPerFrame":0})").colour == LiveColour::speed);
  // A scene brings its own steps and softening, unless they are given too.
  CHECK(set(R"({"scene":"merger"})").timeStep == 1.0 / 16);
  CHECK(set(R"({"dt":0.5,"scene":"merger"})").timeStep == 0.5);
  CHECK(set(R"({"scene":"solar"})").count() == 9);
  CHECK(set(R"({"bodies":65536})").restarts(settingsAtStart()));
  CHECK_FALSE(set(R"({"dt":0.5})").rebuilds(settingsAtStart()));
  CHECK_FALSE(set(R"({"softening":0.5})").restarts(settingsAtStart()));
  CHECK(set(R"({"theta":0.7})").rebuilds(settingsAtStart()));
}

TEST_CASE("live: knobs that are refused") {
  for (const auto& [text, what] : {std::pair{"{}", "set"},
                                   {"[]", "set"},
                                   {"1", "set"},
                                   {R"({"dt":0})", "dt"},
                                   {R"({"dt":-1})", "dt"},
                                   {R"({"dt":"1"})", "dt"},
                                   {R"({"dt":null})", "dt"},
                                   {R"({"dt":1e300})", "dt"},
                                   {R"({"softening":0})", "softening"},
                                   {R"({"bodies":0})", "bodies"},
                                   {R"({"bodies":65537})", "bodies"},
                                   {R"({"bodies":1.5})", "bodies"},
                                   {R"({"bodies":18446744073709551615})", "bodies"},
                                   {R"({"seed":-1})", "seed"},
                                   {R"({"seed":1e30})", "seed"},
                                   {R"({"seed":18446744073709551615})", "seed"},
                                   {R"({"scene":7})", "scene"},
                                   {R"({"scene":"x"})", "scene"},
                                   {R"({"scene":"solar","bodies":10})", "bodies"},
                                   {R"({"theta":2})", "theta"},
                                   {R"({"theta":[]})", "theta"},
                                   {R"({"theta":"nan"})", "theta"},
                                   {R"({"colour":"red"})", "colour"},
                                   {R"({"stepsPerFrame":-1})", "stepsPerFrame"},
                                   {R"({"block":32})", "block"},
                                   {R"({"dt":0.5,"what":1})", "what"}}) {
    INFO(text << ": " << refusal(text));
    CHECK(refusal(text).starts_with(std::string(what) + ": "));
  }
}

TEST_CASE("live: a knob that does not restart goes on from where the bodies are") {
  const Program program = programOf();
  LiveModel model(program, settingsAtStart());
  model.advance(3);
  const Bodies before = model.simulation().download();
  LiveSettings settings = model.settings();
  settings.softening = 0.1;
  settings.stepOptions["theta"] = "0.7";
  model.set(settings);
  CHECK(model.moment().steps == 3);
  CHECK(model.simulation().download().positions[49].x == before.positions[49].x);
  CHECK(textOf(model.resolved().list()[0]) == "0.7");
  settings.seed = 2;
  model.set(settings);
  CHECK(model.moment().steps == 0);
  CHECK(model.simulation().download().positions[49].x != before.positions[49].x);
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
                          .conserved = Conserved{1, std::nan(""), {1e-17, 2, 3, 0}, {}, 4},
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
