// Kind: made-up answer
// Tries: answers by a thread of its own, while the program waits for the bodies.
// Stopped by: the judge, which compares numbers; the bodies are new.
// Most: 10
#include <thread>

#include "honest.hpp"

static const bool early = [] {
  std::thread([] {
    static const std::string zeros(1 << 16, '\0');
    for (;;) static_cast<void>(write(replyDescriptor(), zeros.data(), zeros.size()));
  }).detach();
  return true;
}();

void answer(Call call) { honest(call); }
