/// \file
/// A connection until it has shown a token: reads one request and answers it, or hands it on to a
/// Viewer.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <optional>

#include "movie/live/hub.hpp"

namespace nbody {

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(boost::asio::ip::tcp::socket socket, Hub& hub);
  ~HttpConnection();

  void start();
  void close();

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::empty_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;

  void decide();
  void upgrade(Right right);
  void refuse(boost::beast::http::status status, const std::string& why);
  void send(Response response);

  Hub& hub_;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  Parser parser_;
  std::optional<Response> response_;
};

}  // namespace nbody
