// Kind: endless run
// Tries: a mutex that it has locked itself.
// Stopped by: the time of a run.
#include <mutex>

#include "honest.hpp"

void answer(Call call) {
  static std::mutex mutex;
  mutex.lock();
  mutex.lock();
  honest(call);
}
