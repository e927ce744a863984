// Task: 8.1
// Kind: files
// Calls: checked
// Tries: to read a file from the host code of a rank, and to tell it in an error.
// Stopped by: a list of what a submission may call, before it runs.
#include <fstream>
#include <sstream>

#include "exchange/pulls.hpp"

namespace nbody {

std::unique_ptr<RankForces> makeGather(const RankWork&) {
  std::stringstream text;
  text << std::ifstream("/etc/passwd").rdbuf();
  throw std::runtime_error(text.str());
}

}  // namespace nbody
