#include "movie/live/request_checks.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace nbody {

Target targetOf(std::string_view target) {
  constexpr std::string_view kToken = "token=";
  const std::size_t mark = target.find('?');
  const std::string_view path = target.substr(0, mark);
  std::string_view query = mark == target.npos ? "" : target.substr(mark + 1);
  if (query.starts_with(kToken)) query.remove_prefix(kToken.size());
  else query = {};
  return {path == "/" ? Path::page : path == "/socket" ? Path::socket : Path::other, query};
}

bool hostServed(std::string_view host, std::string_view address) {
  std::string_view name = host;
  const std::size_t colon = host.rfind(':');
  const std::size_t bracket = host.rfind(']');
  if (colon != host.npos && (bracket == host.npos || colon > bracket)) {
    const std::string_view port = host.substr(colon + 1);
    if (port.empty() || port.size() > 5) return false;
    if (!std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; }))
      return false;
    name = host.substr(0, colon);
  }
  const std::string lower = lowerCase(name);
  return lower == "127.0.0.1" || lower == "localhost" || lower == "[::1]" ||
         lower == lowerCase(hostOf(std::string(address)));
}

bool originServed(std::string_view origin, std::string_view host) {
  return lowerCase(origin) == "http://" + lowerCase(host);
}

std::string hostOf(const std::string& address) {
  return address.find(':') == address.npos ? address : "[" + address + "]";
}

}  // namespace nbody
