// Kind: gap
// Tries: to learn from its list of mounts where the suite and the submissions lie on the host.
// Stopped by: nothing: names of folders are told, what is in them is not there.
// Most: 100
#include "honest.hpp"

void answer(Call call) {
  const std::string mounts = textOf("/proc/self/mountinfo");
  std::string told;
  for (const char* place : {"/submission-", kSuite, kHome, "/hostile-"})
    if (mounts.find(place) != std::string::npos) told += std::string(" ") + place;
  errno = ENOENT;
  if (told.empty()) refused("no place of the host's");
  honest(call);
}
