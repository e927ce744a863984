#include "movie/live/token.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace nbody {

std::string makeToken() {
  std::array<unsigned char, 16> bytes;
  ssize_t got;
  do got = getrandom(bytes.data(), bytes.size(), 0);  // up to 256 bytes come whole
  while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("the system gave no random numbers for a token");
  std::string token;
  for (unsigned char byte : bytes) {
    token += "0123456789abcdef"[byte >> 4];
    token += "0123456789abcdef"[byte & 15];
  }
  return token;
}

bool sameToken(std::string_view given, std::string_view token) {
  if (token.empty() || given.size() != token.size()) return false;
  volatile unsigned char difference = 0;
  for (std::size_t k = 0; k < token.size(); ++k)
    difference = difference | static_cast<unsigned char>(given[k] ^ token[k]);
  return difference == 0;
}

Right rightOf(std::string_view token, const LiveTokens& tokens) {
  const bool control = sameToken(token, tokens.control);
  const bool watch = sameToken(token, tokens.watch);
  return control ? Right::control : watch ? Right::watch : Right::none;
}

}  // namespace nbody
