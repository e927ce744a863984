// Kind: full disk
// Tries: empty files, which have no size to limit, as many as there is time for.
// Stopped by: the time of a run; they are gone with its /tmp.
#include "honest.hpp"

void answer(Call call) {
  for (long k = 0;; ++k)
    close(open(("/tmp/hostile-left-" + std::to_string(k)).c_str(), O_CREAT | O_WRONLY, 0600));
  honest(call);
}
