#include "catch.hpp"

#include <cstdio>
#include <exception>

namespace nbody {

void skipTest(const std::string& why) {
  SUCCEED(why);
  std::printf("SKIPPED: %s\n", why.c_str());
}

std::string messageOf(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void checkParts(const std::string& text, const std::vector<std::string>& parts) {
  INFO(text);
  for (const std::string& part : parts) {
    INFO(part);
    CHECK(contains(text, part));
  }
}

int countOf(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace nbody
