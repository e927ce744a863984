#include "movie/movie_file.hpp"

#include <nlohmann/json.hpp>

#include "bodies/byte_order.hpp"
#include "player_source.hpp"

namespace nbody {

namespace {

// Only a script element of HTML keeps text unchanged without showing it.
constexpr char kFrameStart[] = "<script type=\"text/plain\" class=\"frame\">";
constexpr char kFrameEnd[] = "</script>\n";
constexpr char kFactsStart[] = "<script type=\"application/json\" id=\"facts\">";

nlohmann::json optionalNumber(const std::optional<double>& number) {
  return number ? nlohmann::json(*number) : nlohmann::json(nullptr);
}

}  // namespace

MovieFile::MovieFile(const std::string& path, std::vector<int> chosen)
    : file_(path), chosen_(std::move(chosen)) {
  file_.write(kPlayerStart.data(), kPlayerStart.size());
}

void MovieFile::add(const Bodies& bodies, double time, std::optional<double> energyDrift) {
  Frame frame = makeFrame(bodies, chosen_);
  for (std::uint16_t& number : frame.positions)
    number = reordered(number, std::endian::little);  // the byte order of browsers
  const std::string text =
      kFrameStart + base64(frame.positions.data(), 2 * frame.positions.size()) + kFrameEnd;
  file_.write(text.data(), text.size());
  moments_.push_back({time, energyDrift, frame.low, frame.step});
}

void MovieFile::finish(const MovieFacts& facts) {
  using Json = nlohmann::json;
  Json json = {{"scene", facts.scene},
               {"program", facts.program},
               {"device", facts.device},
               {"bodies", facts.bodies},
               {"shown", chosen_.size()},
               {"interactionsPerSecond", optionalNumber(facts.interactionsPerSecond)},
               {"components", Json::array()},
               {"frames", Json::array()}};
  const int shown = static_cast<int>(chosen_.size());
  for (const BodyRange& part : facts.components) {
    const int first = chosenBefore(part.first, facts.bodies, shown);
    const int end = chosenBefore(part.first + part.count, facts.bodies, shown);
    json["components"].push_back({{"name", part.name}, {"first", first}, {"count", end - first}});
  }
  for (const Moment& moment : moments_)
    json["frames"].push_back({{"time", moment.time},
                              {"energyDrift", optionalNumber(moment.energyDrift)},
                              {"low", moment.low},
                              {"step", moment.step}});
  const std::string end =
      kFactsStart +
      withoutTags(json.dump(-1, ' ', false, Json::error_handler_t::replace)) +  // not UTF-8: a path
      kFrameEnd + std::string(kPlayerEnd);
  file_.write(end.data(), end.size());
  file_.commit();
}

double movieBytes(int shown, int frames) {
  constexpr double kMoment = 250;  // bytes of a frame's tags and of its numbers in JSON
  return kPlayerStart.size() + kPlayerEnd.size() + frames * (8.0 * shown + kMoment);
}

std::string base64(const void* bytes, std::size_t count) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* input = static_cast<const unsigned char*>(bytes);
  std::string text((count + 2) / 3 * 4, '=');
  char* out = text.data();
  for (std::size_t i = 0; i < count; i += 3, out += 4) {
    const std::size_t left = count - i;
    const unsigned triple =
        input[i] << 16 | (left > 1 ? input[i + 1] << 8 : 0) | (left > 2 ? input[i + 2] : 0);
    out[0] = kDigits[triple >> 18];
    out[1] = kDigits[triple >> 12 & 63];
    if (left > 1) out[2] = kDigits[triple >> 6 & 63];
    if (left > 2) out[3] = kDigits[triple & 63];
  }
  return text;
}

std::string withoutTags(const std::string& json) {
  std::string safe;
  for (char c : json)
    if (c == '<') safe += "\\u003c";
    else safe += c;
  return safe;
}

TrajectoryFile::TrajectoryFile(const std::string& path, int count, int frames) : file_(path) {
  const std::int32_t header[] = {reordered(count, std::endian::little),
                                 reordered(frames, std::endian::little)};
  file_.write(header, sizeof header);
}

void TrajectoryFile::add(const Bodies& bodies) {
  std::vector<float> numbers;
  numbers.reserve(3 * bodies.positions.size());
  for (const Double4& p : bodies.positions)
    for (double coordinate : {p.x, p.y, p.z})
      numbers.push_back(reordered(static_cast<float>(coordinate), std::endian::little));
  file_.write(numbers.data(), numbers.size() * sizeof(float));
}

double trajectoryBytes(int count, int frames) { return 8 + 12.0 * count * frames; }

}  // namespace nbody
