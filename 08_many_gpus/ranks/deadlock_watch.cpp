#include "ranks/deadlock_watch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "driver/failures.hpp"
#include "ranks/ranks.hpp"
#include "ranks/waiting.hpp"

namespace nbody {

struct RankWait {
  std::atomic<unsigned> calls;  ///< so far
  std::atomic<bool> waits;
  char where[200];  ///< "MPI_Send to rank 1"
};

namespace {

using namespace std::chrono_literals;

constexpr auto kLook = 50ms;
// More bodies than the memory of a host holds are copied in less.
constexpr int kSeconds = 30;

RankWait* own = nullptr;

int looksBeforeTheEnd() {
  const char* text = std::getenv("NBODY_DEADLOCK_SECONDS");
  const int seconds = text == nullptr ? 0 : std::atoi(text);
  return static_cast<int>((seconds > 0 ? seconds : kSeconds) * 1s / kLook);
}

[[noreturn]] void endRun(const std::vector<RankWait*>& ranks) {
  std::string text = "deadlock:";
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    text += (rank == 0 ? " rank " : ", rank ") + std::to_string(rank) + " waits in " +
            ranks[rank]->where;
  std::_Exit(reportFailure(Ranks::program(), text, 1));
}

/// Counts looks and no time: a run that was stopped for a while goes on.
void watch(const std::stop_token& stop, const std::vector<RankWait*>& ranks) {
  std::vector<unsigned> before;
  const int most = looksBeforeTheEnd();
  for (int looks = 0; !stop.stop_requested(); ++looks) {
    std::this_thread::sleep_for(kLook);
    std::vector<unsigned> calls;
    for (const RankWait* rank : ranks) calls.push_back(rank->calls);
    const bool all =
        std::all_of(ranks.begin(), ranks.end(), [](const RankWait* r) { return r->waits.load(); });
    if (!all || calls != before) looks = 0;
    if (looks >= most) endRun(ranks);
    before = calls;
  }
}

}  // namespace

Waiting::Waiting(const char* function, const std::string& whom) {
  if (own == nullptr) return;
  std::snprintf(own->where, sizeof own->where, "%s%s", function, whom.c_str());
  ++own->calls;
  own->waits = true;
}

Waiting::~Waiting() {
  if (own != nullptr) own->waits = false;
}

DeadlockWatch::DeadlockWatch() {
  int rank = 0, ranks = 1, here = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm host = Ranks::ofHost();
  MPI_Comm_size(host, &here);
  MPI_Comm_set_errhandler(host, MPI_ERRORS_RETURN);  // without shared memory no watch
  RankWait* mine = nullptr;
  if (here == ranks && ranks > 1 &&
      MPI_Win_allocate_shared(sizeof *mine, 1, MPI_INFO_NULL, host, &mine, &window_) ==
          MPI_SUCCESS) {
    new (mine) RankWait{};
    MPI_Barrier(host);
    std::vector<RankWait*> waits(ranks);
    for (int r = 0; r < ranks; ++r) {
      MPI_Aint bytes = 0;
      int unit = 0;
      Ranks::check(MPI_Win_shared_query(window_, r, &bytes, &unit, &waits[r]),
                   "MPI_Win_shared_query");
    }
    own = mine;
    if (rank == 0) thread_ = std::make_unique<std::jthread>(watch, std::move(waits));
  }
  MPI_Comm_free(&host);
}

DeadlockWatch::~DeadlockWatch() {
  thread_.reset();
  own = nullptr;
  if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
}

}  // namespace nbody
