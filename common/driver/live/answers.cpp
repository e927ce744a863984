// What a live run does when it is asked, and what it tells.
#include <algorithm>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "driver/live/run.hpp"

namespace nbody {

namespace {

constexpr double kNumbersMs = 1000;

std::string messageOf(const Json& message) {
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void LiveRun::answer(LiveServer& server, const LiveRequest& request) {
  try {
    obey(orderOf(request.text));
  } catch (const std::exception& error) {  // memory that a device has not, too
    server.answer(request.viewer, refusalText(error.what()));
  }
}

void LiveRun::obey(const LiveOrder& order) {
  using Kind = LiveOrder::Kind;
  if (broken_ &&
      (order.kind == Kind::play || order.kind == Kind::step || order.kind == Kind::climb))
    throw BadInput("run: a position is not a finite number; reset it");
  switch (order.kind) {
    case Kind::play:
      playing_ = true;
      break;
    case Kind::pause:
      playing_ = false, leftInFrame_ = 0;
      break;
    case Kind::step:
      playing_ = false, leftInFrame_ = 1;
      break;
    case Kind::reset:
      model_.restart();
      broken_ = false;
      startNumbers();
      numbers_.forget();
      break;
    case Kind::set:
      set(changed(model_.settings(), order.knobs, limits_, program_));
      break;
    case Kind::climb:
      if (!programs_.contains(order.key))
        throw BadInput("climb: no program has been built for key " + std::to_string(order.key));
      if (programs_[order.key] != program_.name) climb_ = order.key;
      return;
  }
  runChanged_ = frameDue_ = true;
}

void LiveRun::set(const LiveSettings& settings) {
  const LiveSettings before = model_.settings();
  if (broken_ && !settings.restarts(before) && settings.rebuilds(before))
    throw BadInput("run: a position is not a finite number; reset it");
  model_.set(settings);
  if (!settings.rebuilds(before)) return;
  if (settings.restarts(before)) broken_ = false;
  // Another softening is another energy.
  if (settings.restarts(before) || settings.softening != before.softening) startNumbers();
  numbers_.forget();
}

void LiveRun::tellRun(LiveServer& server) {
  const LiveSettings& settings = model_.settings();
  Json scenes = Json::array(), programs = Json::array(), components = Json::array();
  for (const Scene& scene : nbody::scenes()) scenes.push_back(scene.name);
  for (const auto& [key, name] : programs_) programs.push_back({{"key", key}, {"name", name}});
  for (const BodyRange& part : model_.components())
    components.push_back({{"name", part.name}, {"first", part.first}, {"count", part.count}});
  Json run = {{"type", "run"},
              {"program", program_.name},
              {"precision", program_.doublePrecision ? "fp64" : "fp32"},
              {"device", device_.name},
              {"kind", device_.kind},
              {"scene", settings.scene->name},
              {"bodies", settings.count()},
              {"shown", model_.shownCount()},
              {"seed", settings.seed},
              {"components", components},
              {"control", true},
              {"watchToken", watchToken_},
              {"scenes", scenes},
              {"programs", programs},
              {"knobs", knobsOf(settings, limits_, model_.resolved())},
              {"colour", nameOf(settings.colour)},
              {"playing", playing_},
              {"stepsPerFrame", settings.stepsPerFrame}};
  const std::string toControl = messageOf(run);
  run["control"] = false;
  run["watchToken"] = nullptr;
  server.tell("run", toControl, messageOf(run));
}

void LiveRun::check(LiveServer& server) {
  numbers_.check(model_.simulation(), model_.settings().softening, model_.moment().time);
  tellNumbers(server);
}

void LiveRun::tellNumbers(LiveServer& server) {
  nextNumbersMs_ = nowMs() + kNumbersMs;
  const int bodies = model_.settings().count();
  Json numbers = {
      {"type", "numbers"}, {"time", model_.moment().time}, {"steps", model_.moment().steps}};
  numbers.update(numbers_.numbers(bodies));
  numbers["viewers"] = server.viewers();
  numbers["framesDropped"] = server.framesDropped();
  server.tell("numbers", messageOf(numbers));

  Json row = numbers_.row(bodies);
  row["key"] = nullptr;
  for (const auto& [key, name] : programs_)
    if (name == program_.name) row["key"] = key;
  const auto same = std::find_if(ladder_.begin(), ladder_.end(), [&](const Json& other) {
    return other["program"] == row["program"];
  });
  if (same == ladder_.end()) ladder_.push_back(row);
  else *same = row;
  server.tell("ladder", messageOf(Json{{"type", "ladder"}, {"rows", ladder_}}));
}

}  // namespace nbody
