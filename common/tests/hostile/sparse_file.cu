// Kind: full disk
// Tries: a file of 1 TiB of which nothing is written.
// Stopped by: a limit of a file's size.
#include "honest.hpp"

void answer(Call call) {
  const int file = open("/tmp/sparse", O_CREAT | O_RDWR, 0600);
  if (ftruncate(file, 1L << 40) != 0) refused("ftruncate");
  honest(call);
}
