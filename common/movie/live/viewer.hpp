/// \file
/// A WebSocket to a page: texts, of which none is lost, and frames, of which those are left out for
/// which the viewer is too slow.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <memory>

#include "movie/live/hub.hpp"
#include "movie/live/limits.hpp"

namespace nbody {

class Viewer : public std::enable_shared_from_this<Viewer> {
 public:
  Viewer(boost::beast::tcp_stream stream, Hub& hub, Right right);
  ~Viewer();

  using Request = boost::beast::http::request<boost::beast::http::empty_body>;
  void start(Request request);

  /// A later text of the same \p kind takes the place of one that is not sent yet.
  void tell(const std::string& kind, const LiveText& text);
  void show(std::shared_ptr<const std::string> frame);

  /// After the texts that wait.
  void close(boost::beast::websocket::close_code code);

  std::uint64_t number() const { return number_; }

 private:
  void join();
  void read();
  void hear();
  bool tooMany();
  void write();
  void send(std::shared_ptr<const std::string> bytes, bool text);
  void leave();

  Hub& hub_;
  Right right_;
  std::uint64_t number_;
  Request request_;
  boost::beast::websocket::stream<boost::beast::tcp_stream, false> socket_;
  boost::beast::flat_buffer buffer_;
  MessageRate rate_;
  std::map<std::string, std::string> texts_;  ///< to be sent, by kind
  std::shared_ptr<const std::string> frame_;  ///< the same
  bool writing_ = false, writingFrame_ = false;
  bool closing_ = false, gone_ = false;
  boost::beast::websocket::close_code code_ = {};
};

}  // namespace nbody
