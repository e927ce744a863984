#include "movie/live/page.hpp"

#include <nlohmann/json.hpp>

#include "live_source.hpp"
#include "movie/movie_file.hpp"
#include "player_source.hpp"

namespace nbody {

std::string livePage() {
  const nlohmann::json player = {kPlayerStart, kPlayerEnd};
  return std::string(kLiveStart) + "<script type=\"application/json\" id=\"player\">" +
         withoutTags(player.dump()) + "</script>\n" + std::string(kLiveEnd);
}

}  // namespace nbody
