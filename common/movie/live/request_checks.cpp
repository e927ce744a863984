#include "movie/live/request_checks.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.hpp"

namespace nbody {

namespace {

/// An address in digits, as in a link: no DNS led here.
bool isNumeric(std::string name) {
  unsigned char bytes[16];
  if (inet_pton(AF_INET, name.c_str(), bytes) == 1) return true;
  if (name.size() < 2 || name.front() != '[' || name.back() != ']') return false;
  return inet_pton(AF_INET6, name.substr(1, name.size() - 2).c_str(), bytes) == 1;
}

}  // namespace

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
         lower == lowerCase(hostOf(std::string(address))) || (isAll(address) && isNumeric(lower));
}

bool originServed(std::string_view origin, std::string_view host) {
  return lowerCase(origin) == "http://" + lowerCase(host);
}

bool isAll(std::string_view address) { return address == "0.0.0.0" || address == "::"; }

std::string machineName() {
  char name[256] = "localhost";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string hostOf(const std::string& address) {
  if (isAll(address)) return machineName();
  return address.find(':') == address.npos ? address : "[" + address + "]";
}

}  // namespace nbody
