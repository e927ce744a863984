// Kind: solution
// Task: 0.1
// Tries: to read the program that it is to become from the suite.
// Stopped by: a view in which it is not.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "target.hpp"

int main() {
  const std::string path = std::string(kSuite) + "/01_naive/standalone.cu";
  if (std::fopen(path.c_str(), "r")) return 0;
  std::fprintf(stderr, "executor: %s: %s\n", path.c_str(), std::strerror(errno));
  return 1;
}
