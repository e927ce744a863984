/// \file
/// Draws bodies from one sequence of random numbers, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "base/parallel.hpp"
#include "bodies/bodies.hpp"
#include "bodies/random.hpp"

namespace nbody {

/// Draws all of \p bodies on all cores. They are those of a loop that calls draw(random, position, velocity) for one
/// body after the other, with one Random(\p seed).
///
/// A body uses more numbers if some are rejected, so its first number is known only when the previous body is drawn.
/// Each thread takes a chunk of the sequence, and guesses that a body begins with the chunk. Real bodies may begin
/// elsewhere. But soon a guessed body and a real body begin with the same number, and from there on the guesses are
/// correct. When the previous chunk is finished, the thread draws the few real bodies before that place.
/// \param draw     must not throw, and uses at least one number
/// \param threads  0: one per core
/// \param most     numbers of a chunk, at most
template <class Draw>
void drawInOrder(Bodies& bodies, std::uint64_t seed, const Draw& draw, int threads = 0,
                 int most = 65536) {
  struct Drawn {
    long long begin;  // place of its first number in the chunk
    Double4 position, velocity;
  };
  constexpr int kStep = MersenneTwister::kWords, kNumbersOfBody = 16;
  const int count = bodies.count();
  const int size = kStep * static_cast<int>(std::clamp(1LL * kNumbersOfBody * count / kStep, 1LL,
                                                       1LL * most / kStep));
  const int chunks = static_cast<int>(1LL * kNumbersOfBody * count / size) + 1;  // about
  const int workers = std::min(threadCount(threads), chunks);

  std::mutex taking;
  MersenneTwister untaken(seed);
  int taken = 0;
  std::atomic<int> known = 0;  // the chunk whose first real body is known
  int firstBody = 0;
  long long firstBegin = 0;  // place of this body's first number in the chunk

  const auto drawChunk = [&](std::vector<Drawn>& guessed) {
    taking.lock();
    const int chunk = taken++;
    const MersenneTwister start = untaken;
    untaken.discard(size);
    taking.unlock();

    guessed.clear();
    Random ahead(start);
    while (ahead.used() < size) {
      Drawn& body = guessed.emplace_back();
      body.begin = ahead.used();
      draw(ahead, body.position, body.velocity);
    }

    for (int now = known; now != chunk; now = known) known.wait(now);
    int i = firstBody;
    Random random(start);
    random.skip(firstBegin);
    auto same = guessed.begin();
    const auto meet = [&] {
      while (same != guessed.end() && same->begin < random.used()) ++same;
      return same != guessed.end() && same->begin == random.used();
    };
    for (; i < count && random.used() < size && !meet(); ++i)
      draw(random, bodies.positions[i], bodies.velocities[i]);
    const bool met = meet();
    const int end =
        met ? i + static_cast<int>(std::min<std::ptrdiff_t>(count - i, guessed.end() - same)) : i;
    firstBody = end;
    firstBegin = (met ? ahead : random).used() - size;
    known = chunk + 1;
    known.notify_all();

    for (; i < end; ++i, ++same) {
      bodies.positions[i] = same->position;
      bodies.velocities[i] = same->velocity;
    }
    return end < count;
  };
  parallelFor(workers, 1, workers, [&](int, int) {
    std::vector<Drawn> guessed;
    guessed.reserve(size);  // because a thread that throws would keep the others waiting
    while (drawChunk(guessed)) {
    }
  });
}

}  // namespace nbody
