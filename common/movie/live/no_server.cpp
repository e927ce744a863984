// The server of a build that checks kernels or has no Boost headers: it says so, and there is none.
#include "base/bad_input.hpp"
#include "movie/live/live_server.hpp"

namespace nbody {

struct LiveServer::Threads {};

LiveServer::LiveServer(const Listener&, LiveTokens, std::string_view) {
  throw BadInput(
      "--live: this was built to check kernels, or without Boost's headers, which it serves by; "
      "Debian and Ubuntu have them in libboost-dev");
}

LiveServer::~LiveServer() = default;
void LiveServer::tell(const std::string&, const std::string&, const std::string&) {}
void LiveServer::answer(std::uint64_t, const std::string&) {}
bool LiveServer::takesFrame() const { return false; }
void LiveServer::show(std::function<std::string()>) {}
std::vector<LiveRequest> LiveServer::requests(std::chrono::nanoseconds) { return {}; }
int LiveServer::viewers() const { return 0; }
std::uint64_t LiveServer::joined() const { return 0; }
std::uint64_t LiveServer::framesDropped() const { return 0; }
void LiveServer::endForRestart(const std::string&) {}

}  // namespace nbody
