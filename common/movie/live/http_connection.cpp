#include "movie/live/http_connection.hpp"

#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "movie/live/limits.hpp"
#include "movie/live/request_checks.hpp"
#include "movie/live/viewer.hpp"

namespace nbody {

namespace http = boost::beast::http;

namespace {

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

/// The page has its script and its style within it and speaks with nobody but this server.
constexpr char kPolicy[] =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

}  // namespace

HttpConnection::HttpConnection(boost::asio::ip::tcp::socket socket, Hub& hub)
    : hub_(hub), stream_(std::move(socket)) {
  ++hub_.connections;
  parser_.header_limit(kMostHeaderBytes);
}

HttpConnection::~HttpConnection() {
  hub_.unknown.remove_if([](const auto& other) { return other.expired(); });
  --hub_.connections;
}

void HttpConnection::start() {
  hub_.unknown.push_back(weak_from_this());
  stream_.expires_after(kRequestTime);
  http::async_read_header(
      stream_,
      buffer_,
      parser_,
      [self = shared_from_this()](boost::system::error_code error, auto) {
        if (!error) return self->decide();
        const boost::system::error_code unreadable = http::error::bad_target;
        if (error.category() != unreadable.category() || error == http::error::end_of_stream)
          return;  // gone, or too slow
        self->refuse(http::status::bad_request, "not a request that can be read");
      });
}

void HttpConnection::close() { stream_.close(); }

void HttpConnection::decide() {
  const auto& request = parser_.get();
  if (request.method() != http::verb::get)
    return refuse(http::status::method_not_allowed, "only GET is answered");
  const std::string_view host = view(request[http::field::host]);
  if (request.count(http::field::host) != 1 || !hostServed(host, hub_.address))
    return refuse(http::status::forbidden, "this is not the host that is served here");
  const Target target = targetOf(view(request.target()));
  if (target.path == Path::other) return refuse(http::status::not_found, "there is nothing here");
  const Right right = rightOf(target.token, hub_.tokens);
  if (right == Right::none)
    return refuse(http::status::forbidden,
                  "this needs the token: use the link that the program printed");
  if (target.path == Path::page) {
    Response page(http::status::ok, 11, std::string(hub_.page));
    page.set(http::field::content_type, "text/html; charset=utf-8");
    return send(std::move(page));
  }
  if (!boost::beast::websocket::is_upgrade(request))
    return refuse(http::status::bad_request, "a WebSocket is asked for with an upgrade");
  if (request.count(http::field::origin) != 1 ||
      !originServed(view(request[http::field::origin]), host))
    return refuse(http::status::forbidden, "another page may not ask for this");
  upgrade(right);
}

void HttpConnection::upgrade(Right right) {
  hub_.unknown.remove_if([this](const auto& other) { return other.lock().get() == this; });
  stream_.expires_never();
  std::make_shared<Viewer>(std::move(stream_), hub_, right)->start(parser_.release());
}

void HttpConnection::refuse(http::status status, const std::string& why) {
  Response response(status, 11, why + "\n");
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  if (status == http::status::method_not_allowed) response.set(http::field::allow, "GET");
  send(std::move(response));
}

void HttpConnection::send(Response response) {
  response.set("Content-Security-Policy", kPolicy);
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set(http::field::cache_control, "no-store");
  response.keep_alive(false);
  response.prepare_payload();
  response_ = std::move(response);
  stream_.expires_after(kRequestTime);
  http::async_write(stream_, *response_, [self = shared_from_this()](auto, auto) {
    boost::system::error_code ignored;
    self->stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  });
}

}  // namespace nbody
