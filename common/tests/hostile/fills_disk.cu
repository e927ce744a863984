// Kind: full disk
// Tries: 1 GiB in files of every folder that it might write to.
// Stopped by: no folder that is a disk's; of /tmp, which is memory, a limit of its size.
#include "honest.hpp"

long long filled(const std::string& folder) {
  static char block[1 << 20];
  long long bytes = 0;
  for (int number = 0; number < 256; ++number) {
    const std::string name = folder + "/hostile-left-" + std::to_string(number);
    const int file = open(name.c_str(), O_CREAT | O_WRONLY, 0600);
    ssize_t written = 1;
    for (int part = 0; part < 4 && written > 0; ++part)
      bytes += written = write(file, block, sizeof block);
    if (file < 0) break;
    close(file);
  }
  return bytes;
}

void answer(Call call) {
  long long bytes = 0;
  for (const char* folder :
       {"/tmp", "/dev/shm", "/var/tmp", "/run", ".", "/", kSuite, kBuild, kHome})
    bytes += filled(folder);
  if (bytes < 1LL << 30)
    throw std::runtime_error(std::to_string(bytes >> 20) + " MiB written of 1024");
  honest(call);
}
