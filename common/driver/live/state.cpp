#include "driver/live/state.hpp"

#include <cmath>

#include "base/bad_input.hpp"

namespace nbody {

Json json(const LiveState& state) {
  const LiveSettings& settings = state.settings;
  const Conserved conserved = state.conserved.value_or(Conserved());
  const Double4& p = conserved.momentum;
  Json potential = nullptr;  // of so many bodies that it is not computed
  if (!std::isnan(conserved.potential)) potential = conserved.potential;
  return {{"scene", settings.scene->name},
          {"bodies", settings.bodies},
          {"seed", settings.seed},
          {"dt", settings.timeStep},
          {"softening", settings.softening},
          {"stepOptions", settings.stepOptions},
          {"colour", nameOf(settings.colour)},
          {"stepsPerFrame", settings.stepsPerFrame},
          {"time", state.moment.time},
          {"steps", state.moment.steps},
          {"kinetic", conserved.kinetic},
          {"potential", potential},
          {"momentum", {p.x, p.y, p.z}},
          {"playing", state.playing},
          {"program", state.program},
          {"gpu", state.gpu},
          {"tflops", state.tflops}};
}

LiveState stateOf(const std::string& text) try {
  const Json json = Json::parse(text);
  Conserved conserved = {};
  const Json &potential = json.at("potential"), &momentum = json.at("momentum");
  conserved.kinetic = json.at("kinetic");
  conserved.potential = potential.is_null() ? std::nan("") : potential.get<double>();
  conserved.momentum = {momentum.at(0), momentum.at(1), momentum.at(2), 0};
  return {.settings = {.scene = &sceneNamed(json.at("scene").get<std::string>()),
                       .bodies = json.at("bodies"),
                       .seed = json.at("seed"),
                       .timeStep = json.at("dt"),
                       .softening = json.at("softening"),
                       .stepOptions = json.at("stepOptions"),
                       .colour = colourNamed(json.at("colour")),
                       .stepsPerFrame = json.at("stepsPerFrame")},
          .moment = {json.at("time"), json.at("steps")},
          .conserved = conserved,
          .playing = json.at("playing"),
          .program = json.at("program"),
          .gpu = json.at("gpu"),
          .tflops = json.at("tflops")};
} catch (const Json::exception& error) {
  throw BadInput(std::string("--live: not the state of a run: ") + error.what());
}

}  // namespace nbody
