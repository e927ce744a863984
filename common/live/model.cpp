#include "live/model.hpp"

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "bodies/vectors.hpp"
#include "cuda/launch.hpp"
#include "driver/validation.hpp"
#include "movie/frame.hpp"

namespace nbody {

namespace {

constexpr int kMostShown = 65536;

Bodies bodiesAtStart(const LiveSettings& settings) {
  return settings.scene->make(settings.count(), settings.seed);
}

}  // namespace

LiveModel::LiveModel(const Program& program, const LiveSettings& settings) : program_(program) {
  build(settings, bodiesAtStart(settings));
}

LiveModel::LiveModel(const Program& program, const LiveSettings& settings, const Bodies& bodies,
                     LiveMoment moment)
    : program_(program), moment_(moment) {
  build(settings, bodies);
}

void LiveModel::set(const LiveSettings& settings) {
  if (settings.restarts(settings_)) {
    build(settings, bodiesAtStart(settings));
    moment_ = {};
  } else if (settings.rebuilds(settings_)) {
    build(settings, simulation_->download());
  } else {
    settings_ = settings;
  }
}

void LiveModel::restart() {
  simulation_->upload(bodiesAtStart(settings_));
  simulation_->computeForces();
  simulation_->synchronize();
  moment_ = {};
}

void LiveModel::build(LiveSettings settings, const Bodies& bodies) {
  RunOptions asked;
  asked.bodies = bodies.count();
  checkMemory(asked, program_);
  auto options = stepOptionsOf(settings, program_);
  options->resolve(workloadOf(bodies, program_.deviceBytesPerBody > 0 ? multiprocessors() : 1));
  auto simulation = program_.simulation(bodies.count(), settings.softening, *options);
  simulation->upload(bodies);
  // Twice if the step keeps state, so that the first error shown is like all later ones.
  for (int k = 0; k < (program_.keepsMemory ? 2 : 1); ++k) simulation->computeForces();
  simulation->synchronize();
  // From here on nothing throws.
  settings_ = std::move(settings);
  resolved_ = std::move(options);
  simulation_ = std::move(simulation);
  chosen_ = evenlyChosen(bodies.count(), kMostShown);
}

void LiveModel::advance(int steps) {
  constexpr bool kInGraph = true;
  simulation_->advance(settings_.timeStep, steps, kInGraph);
  for (int k = 0; k < steps; ++k) moment_.time += settings_.timeStep;
  simulation_->synchronize();
  moment_.steps += steps;
}

std::vector<BodyRange> LiveModel::components() const {
  if (settings_.scene->components == nullptr) return {};
  std::vector<BodyRange> parts = settings_.scene->components(settings_.count());
  for (BodyRange& part : parts) {
    const int end = chosenBefore(part.first + part.count, settings_.count(), shownCount());
    part.first = chosenBefore(part.first, settings_.count(), shownCount());
    part.count = end - part.first;
  }
  return parts;
}

std::function<ShownBodies()> LiveModel::shown(std::uint32_t number) const {
  auto positions = simulation_->bring(Quantity::position, chosen_);
  std::function<std::vector<Double4>()> vectors;
  if (settings_.colour != "galaxy")
    vectors = simulation_->bring(
        settings_.colour == "speed" ? Quantity::velocity : Quantity::acceleration, chosen_);
  return [number, time = moment_.time, count = settings_.count(), positions = std::move(positions),
          vectors = std::move(vectors)] {
    ShownBodies bodies = {number, time, positions()};
    for (std::size_t k = 0; k < bodies.positions.size(); ++k)
      if (!isFinite(bodies.positions[k]))
        throw BadInput(
            formatted("run: the position of body %d became NaN or infinite; reset it, "
                      "with shorter steps or more softening",
                      evenlyChosen(count, kMostShown)[k]));
    if (!vectors) return bodies;
    for (const Double4& vector : vectors()) bodies.scale.push_back(length(vector));
    return bodies;
  };
}

}  // namespace nbody
