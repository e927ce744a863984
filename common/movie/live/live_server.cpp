#include "movie/live/live_server.hpp"

#include <fcntl.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>

#include "movie/live/http_connection.hpp"
#include "movie/live/viewer.hpp"

namespace nbody {

namespace net = boost::asio;
using net::ip::tcp;

/// The network thread and what it owns. Connections go before the hub that they are of.
struct LiveServer::Threads {
  Hub hub;
  net::io_context io{1};
  tcp::acceptor acceptor{io};
  net::steady_timer pause{io};
  std::thread network;

  Threads(const Listener& listener, LiveTokens tokens, std::string_view page) {
    hub.tokens = std::move(tokens);
    hub.page = page;
    hub.address = listener.address();
    const bool six = listener.address().find(':') != std::string::npos;
    // A copy, for the acceptor closes its own.
    acceptor.assign(six ? tcp::v6() : tcp::v4(), listener.copy());
    accept();
    network = std::thread([this] { io.run(); });
  }

  ~Threads() {
    io.stop();
    network.join();
    hub.viewers.clear();
  }

  void accept() {
    acceptor.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (!acceptor.is_open()) return;
      if (error) {  // out of descriptors, say: not again at once
        pause.expires_after(std::chrono::milliseconds(100));
        return pause.async_wait([this](auto) { accept(); });
      }
      begin(std::move(socket));
      accept();
    });
  }

  void begin(tcp::socket socket) {
    constexpr int kSendBytes = 1 << 19;  // of frames that a viewer has yet to read
    boost::system::error_code ignored;
    fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
    socket.set_option(tcp::no_delay(true), ignored);
    socket.set_option(net::socket_base::send_buffer_size(kSendBytes), ignored);
    if (hub.connections >= kMostConnections && !makeRoom()) return;
    std::make_shared<HttpConnection>(std::move(socket), hub)->start();
  }

  /// Closes the oldest connection that has shown no token: they must not keep out who has one.
  bool makeRoom() {
    if (hub.unknown.empty()) return false;
    const auto oldest = hub.unknown.front().lock();
    hub.unknown.pop_front();
    if (oldest) oldest->close();
    return true;
  }

  void post(auto work) { net::post(io, std::move(work)); }

  void closeAll(const std::string& text) {
    hub.ending = true;
    acceptor.close();
    for (const auto& viewer : std::set(hub.viewers)) {
      viewer->tell("~last", {text, text});  // behind all other kinds
      viewer->close(boost::beast::websocket::close_code::service_restart);
    }
  }
};

LiveServer::LiveServer(const Listener& listener, LiveTokens tokens, std::string_view page)
    : threads_(std::make_unique<Threads>(listener, std::move(tokens), page)) {}

LiveServer::~LiveServer() = default;

void LiveServer::tell(const std::string& kind,
                      const std::string& toControl,
                      const std::string& toWatchers) {
  threads_->post([&hub = threads_->hub, kind, text = LiveText{toControl, toWatchers}] {
    hub.lastTexts[kind] = text;
    for (const auto& viewer : std::set(hub.viewers)) viewer->tell(kind, text);
  });
}

void LiveServer::answer(std::uint64_t number, const std::string& text) {
  threads_->post([&hub = threads_->hub, number, text] {
    for (const auto& viewer : std::set(hub.viewers))
      if (number == 0 || viewer->number() == number) viewer->tell("refused", {text, text});
  });
}

bool LiveServer::takesFrame() const {
  return threads_->hub.viewerCount > 0 && !threads_->hub.frameWaits;
}

void LiveServer::show(std::function<std::string()> make) {
  threads_->hub.frameWaits = true;
  threads_->post([&hub = threads_->hub, make = std::move(make)] {
    const auto frame = std::make_shared<const std::string>(make());
    hub.frameWaits = false;
    for (const auto& viewer : std::set(hub.viewers)) viewer->show(frame);
  });
}

std::vector<LiveRequest> LiveServer::requests(std::chrono::nanoseconds longest) {
  Hub& hub = threads_->hub;
  std::unique_lock lock(hub.mutex);
  const std::uint64_t before = hub.joined;
  hub.asked.wait_for(lock, longest, [&] { return !hub.requests.empty() || hub.joined != before; });
  return std::exchange(hub.requests, {});
}

int LiveServer::viewers() const { return threads_->hub.viewerCount; }
std::uint64_t LiveServer::joined() const { return threads_->hub.joined; }
std::uint64_t LiveServer::framesDropped() const { return threads_->hub.framesDropped; }

void LiveServer::endForRestart(const std::string& text) {
  constexpr auto kLongest = std::chrono::milliseconds(300);
  threads_->post([this, text] { threads_->closeAll(text); });
  const auto start = std::chrono::steady_clock::now();
  do std::this_thread::sleep_for(std::chrono::milliseconds(1));
  while (viewers() > 0 && std::chrono::steady_clock::now() - start < kLongest);
}

}  // namespace nbody
