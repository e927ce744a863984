#include "driver/live/orders.hpp"

#include "base/bad_input.hpp"
#include "base/text.hpp"

namespace nbody {

namespace {

LiveOrder::Kind kindOf(const Json& word) {
  using Kind = LiveOrder::Kind;
  const std::pair<const char*, Kind> words[] = {
      {"play", Kind::play}, {"pause", Kind::pause}, {"step", Kind::step}, {"reset", Kind::reset}};
  for (const auto& [name, kind] : words)
    if (word == name) return kind;
  throw BadInput("do: must be play, pause, step or reset");
}

}  // namespace

LiveOrder orderOf(const std::string& text) {
  const Json order = Json::parse(text, nullptr, false);
  if (!order.is_object() || order.size() != 1)
    throw BadInput("message: must be JSON, an object with one of do, set and climb");
  const Json& value = order.front();
  if (order.contains("do")) return {kindOf(value)};
  if (order.contains("set")) return {LiveOrder::Kind::set, value};
  throw BadInput("message: there are do, set and climb");
}

Json refusal(const std::string& refused, long long viewer) {
  const std::size_t colon = refused.find(": ");
  const bool named = colon != refused.npos;
  return {{"type", "refused"},
          {"viewer", viewer},
          {"what", named ? refused.substr(0, colon) : "run"},
          {"why", oneLine(named ? refused.substr(colon + 2) : refused)}};
}

}  // namespace nbody
