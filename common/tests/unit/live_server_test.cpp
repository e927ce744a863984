// What the live view's server checks and sends.
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <set>

#include "base/bad_input.hpp"
#include "catch.hpp"
#include "movie/live/frame_bytes.hpp"
#include "movie/live/limits.hpp"
#include "movie/live/listener.hpp"
#include "movie/live/request_checks.hpp"
#include "movie/live/token.hpp"

using namespace nbody;

namespace {

template <class Number>
Number numberAt(const std::string& bytes, std::size_t offset) {
  Number number;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

}  // namespace

TEST_CASE("live: tokens are 32 hexadecimal digits, each another") {
  std::set<std::string> tokens;
  for (int k = 0; k < 100; ++k) tokens.insert(makeToken());
  CHECK(tokens.size() == 100);
  for (const std::string& token : tokens) {
    CHECK(token.size() == 32);
    CHECK(token.find_first_not_of("0123456789abcdef") == token.npos);
  }
}

TEST_CASE("live: a token gives its own right and no other text any") {
  const LiveTokens tokens = {makeToken(), makeToken()};
  CHECK(rightOf(tokens.control, tokens) == Right::control);
  CHECK(rightOf(tokens.watch, tokens) == Right::watch);
  std::string other = tokens.control;
  other.back() = other.back() == '0' ? '1' : '0';
  for (const std::string& text : {std::string(),
                                  other,
                                  tokens.control + "0",
                                  tokens.control.substr(1),
                                  std::string(32, '\0')})
    CHECK(rightOf(text, tokens) == Right::none);
  CHECK(rightOf("", {"", ""}) == Right::none);
}

TEST_CASE("live: targets") {
  CHECK(targetOf("/?token=ab").path == Path::page);
  CHECK(targetOf("/?token=ab").token == "ab");
  CHECK(targetOf("/socket?token=ab").path == Path::socket);
  CHECK(targetOf("/").token.empty());
  CHECK(targetOf("/?x=1&token=ab").token.empty());
  CHECK(targetOf("/?token=ab&x=1").token == "ab&x=1");  // which is no token
  for (const char* target : {"", "?token=ab", "//?token=ab", "/../?token=ab", "/page", "http://a/"})
    CHECK(targetOf(target).path == Path::other);
}

TEST_CASE("live: hosts and origins") {
  for (const char* host : {"127.0.0.1",
                           "127.0.0.1:8750",
                           "localhost:1",
                           "LocalHost",
                           "[::1]",
                           "[::1]:80",
                           "10.0.0.7:8750"})
    CHECK(hostServed(host, "10.0.0.7"));
  CHECK(hostServed("[fe80::7]:8750", "fe80::7"));
  for (const char* host : {"",
                           ":",
                           ":80",
                           "example.org",
                           "127.0.0.1.example.org",
                           "127.0.0.1:",
                           "127.0.0.1:a",
                           "127.0.0.1:123456",
                           "user@127.0.0.1",
                           "::1",
                           "[::1",
                           "10.0.0.8"})
    CHECK_FALSE(hostServed(host, "10.0.0.7"));
  const std::string own = machineName();
  for (const std::string& host :
       {std::string("10.0.0.9:8750"), std::string("[fe80::9]"), own, own + ":8750"})
    for (const char* all : {"0.0.0.0", "::"}) CHECK(hostServed(host, all));
  for (const char* host :
       {"example.org", "10.0.0.9.example.org:8750", "10.0.0", "[example.org]", "[]"})
    CHECK_FALSE(hostServed(host, "0.0.0.0"));
  CHECK(originServed("http://localhost:8750", "LOCALHOST:8750"));
  for (const char* origin :
       {"", "null", "https://localhost:8750", "http://localhost", "http://localhost:8751"})
    CHECK_FALSE(originServed(origin, "localhost:8750"));
}

TEST_CASE("live: 60 messages a second") {
  MessageRate rate;
  const MessageRate::Clock::time_point start(std::chrono::seconds(100));
  for (int k = 0; k < kMostMessagesPerSecond; ++k) CHECK(rate.allows(start));
  CHECK_FALSE(rate.allows(start + std::chrono::milliseconds(999)));
  CHECK(rate.allows(start + std::chrono::milliseconds(1000)));
}

TEST_CASE("live: the bytes of a frame") {
  const std::vector<Double4> positions = {{-1, 0, 5, 1}, {1, 2, 5, 1}, {0, 1, 5, 1}};
  std::string bytes = frameBytes({7, 0.25, positions});
  REQUIRE(bytes.size() == 72 + 6 * 3);
  CHECK(bytes.substr(0, 4) == "NBL1");
  CHECK(numberAt<std::uint32_t>(bytes, 4) == 7);
  CHECK(numberAt<double>(bytes, 8) == 0.25);
  CHECK(numberAt<double>(bytes, 16) == -1);
  CHECK(numberAt<double>(bytes, 40) == 2.0 / 65535);
  CHECK(numberAt<double>(bytes, 56) == 0);
  CHECK(numberAt<std::uint32_t>(bytes, 64) == 3);
  CHECK(numberAt<std::uint32_t>(bytes, 68) == 0);
  CHECK(numberAt<std::uint16_t>(bytes, 72) == 0);
  CHECK(numberAt<std::uint16_t>(bytes, 72 + 6) == 65535);
  CHECK(numberAt<std::uint16_t>(bytes, 72 + 12) == 32768);

  bytes = frameBytes({8, 0.5, positions, {1, 16, 4}});
  REQUIRE(bytes.size() == 72 + 6 * 3 + 8 + 3);
  CHECK(numberAt<std::uint32_t>(bytes, 68) == 1);
  CHECK(numberAt<float>(bytes, 90) == 1);
  CHECK(numberAt<float>(bytes, 94) == 16);
  CHECK(static_cast<unsigned char>(bytes[98]) == 0);
  CHECK(static_cast<unsigned char>(bytes[99]) == 255);
  CHECK(static_cast<unsigned char>(bytes[100]) == 128);

  bytes = frameBytes({9, 0, {{1, 1, 1, 1}, {2, 2, 2, 1}}, {0, 0}});  // all at rest
  CHECK(bytes.substr(72 + 12 + 8) == std::string(2, '\0'));
}

TEST_CASE("live: a listener says where it listens, and refuses what it cannot") {
  const Listener first("127.0.0.1", 0);
  CHECK(first.address() == "127.0.0.1");
  CHECK(first.port() > 0);
  const auto refused = [](const std::string& address, int port) {
    return messageOf([&] { const Listener listener(address, port); });
  };
  CHECK(contains(refused("127.0.0.1", first.port()), "in use"));
  for (const char* address : {"0.0.0.0", "::", "localhost", "", "127.0.0.1 ", "192.0.2.1"})
    CHECK(contains(refused(address, 0), "--live-address"));
  CHECK(
      contains(messageOf([] { const Listener listener(STDIN_FILENO); }), "no socket that listens"));
}
