// Kind: many threads
// Tries: threads without end.
// Stopped by: a limit of their number.
#include <thread>

#include "honest.hpp"

void answer(Call call) {
  for (;;)
    new std::thread([] {
      for (;;) pause();
    });
  honest(call);
}
