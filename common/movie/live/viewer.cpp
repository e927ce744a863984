#include "movie/live/viewer.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>

namespace nbody {

namespace websocket = boost::beast::websocket;
using Error = boost::system::error_code;

Viewer::Viewer(boost::beast::tcp_stream stream, Hub& hub, Right right)
    : hub_(hub), right_(right), number_(++hub.lastViewer), socket_(std::move(stream)) {
  ++hub_.connections;
}

Viewer::~Viewer() { --hub_.connections; }

void Viewer::start(Request request) {
  request_ = std::move(request);
  socket_.set_option(websocket::stream_base::timeout{kRequestTime, kSilenceTime, true});
  socket_.read_message_max(kMostMessageBytes);
  socket_.auto_fragment(false);
  socket_.control_callback([this](websocket::frame_type, boost::beast::string_view) {
    if (tooMany()) leave();
  });
  socket_.async_accept(request_, [self = shared_from_this()](Error error) {
    if (!error && !self->hub_.ending) self->join();
  });
}

void Viewer::join() {
  hub_.viewers.insert(shared_from_this());
  ++hub_.viewerCount;
  for (const auto& [kind, text] : hub_.lastTexts) texts_[kind] = text.of(right_);
  {
    const std::lock_guard lock(hub_.mutex);
    ++hub_.joined;
  }
  hub_.asked.notify_one();
  write();
  read();
}

void Viewer::read() {
  socket_.async_read(buffer_, [self = shared_from_this()](Error error, std::size_t) {
    if (error) return self->leave();
    self->hear();
  });
}

bool Viewer::tooMany() { return !rate_.allows(MessageRate::Clock::now()); }

void Viewer::hear() {
  if (tooMany() || !socket_.got_text()) return close(websocket::close_code::policy_error);
  if (closing_) return read();
  const auto refuse = [this](const char* why) {
    texts_["refused"] = std::string(R"({"type":"refused","what":"control","why":")") + why + "\"}";
    write();
  };
  if (right_ != Right::control) {
    refuse("this link is for watching; the run is controlled by another");
  } else {
    const std::lock_guard lock(hub_.mutex);
    if (hub_.requests.size() < kMostWaitingRequests)
      hub_.requests.push_back({number_, boost::beast::buffers_to_string(buffer_.data())});
    else refuse("the run has not yet come to answer what was asked before");
  }
  hub_.asked.notify_one();
  buffer_.consume(buffer_.size());
  read();
}

void Viewer::tell(const std::string& kind, const LiveText& text) {
  texts_[kind] = text.of(right_);
  write();
}

void Viewer::show(std::shared_ptr<const std::string> frame) {
  if (writingFrame_ || frame_) {
    ++hub_.framesDropped;
    return;
  }
  frame_ = std::move(frame);
  write();
}

void Viewer::close(websocket::close_code code) {
  if (closing_) return;
  closing_ = true;
  code_ = code;
  frame_.reset();
  write();
}

void Viewer::write() {
  if (writing_ || gone_) return;
  if (!texts_.empty()) {
    const auto first = texts_.begin();
    const auto text = std::make_shared<const std::string>(std::move(first->second));
    texts_.erase(first);
    return send(text, true);
  }
  if (frame_) return send(std::move(frame_), false);
  if (!closing_) return;
  writing_ = true;
  socket_.async_close(code_, [self = shared_from_this()](Error) { self->leave(); });
}

void Viewer::send(std::shared_ptr<const std::string> bytes, bool text) {
  writing_ = true;
  writingFrame_ = !text;
  socket_.text(text);
  socket_.async_write(boost::asio::buffer(*bytes),
                      [self = shared_from_this(), bytes](Error error, std::size_t) {
                        self->writing_ = self->writingFrame_ = false;
                        if (error) return self->leave();
                        self->write();
                      });
}

void Viewer::leave() {
  if (gone_) return;
  gone_ = true;
  boost::beast::get_lowest_layer(socket_).close();
  if (hub_.viewers.erase(shared_from_this()) > 0) --hub_.viewerCount;
}

}  // namespace nbody
