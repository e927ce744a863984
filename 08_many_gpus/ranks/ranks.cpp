#include "ranks/ranks.hpp"

#include <numeric>
#include <stdexcept>

#include "base/bad_input.hpp"
#include "cuda/check.hpp"
#include "driver/failures.hpp"
#include "ranks/taken_gpus.hpp"

namespace nbody {

namespace {

std::string textOf(int status) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, text, &length);
  return text;
}

/// What MPI calls where a function on the ranks' communicators fails: no other rank can go on.
void endRun(MPI_Comm*, int* status, ...) { Ranks::world().abort(textOf(*status)); }

}  // namespace

Ranks& Ranks::world() {
  static Ranks ranks;
  return ranks;
}

Ranks::Ranks() {
  int provided = 0;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  watch_ = std::make_unique<DeadlockWatch>();
  MPI_Errhandler ends = MPI_ERRHANDLER_NULL;
  check(MPI_Comm_create_errhandler(endRun, &ends), "MPI_Comm_create_errhandler");
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, ends), "MPI_Comm_set_errhandler");
  check(MPI_Errhandler_free(&ends), "MPI_Errhandler_free");
}

void Ranks::finish() {
  watch_.reset();
  check(MPI_Finalize(), "MPI_Finalize");
}

void Ranks::check(int status, const char* function) {
  if (status != MPI_SUCCESS) throw std::runtime_error(function + (": " + textOf(status)));
}

std::string& Ranks::program() {
  static std::string name = NBODY_STEP_NAME;
  return name;
}

void Ranks::abort(const std::string& why) const {
  reportFailure(program(), "rank " + std::to_string(rank_) + ": " + why, 1);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

MPI_Comm Ranks::ofHost() {
  MPI_Comm host;
  check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
        "MPI_Comm_split_type");
  return host;
}

bool Ranks::takeGpu(bool share) {
  MPI_Comm host = ofHost();
  int ranksHere = 1;
  check(MPI_Comm_size(host, &ranksHere), "MPI_Comm_size");
  const int gpus = takenGpus(host, ranksHere);
  check(MPI_Comm_free(&host), "MPI_Comm_free");
  const std::string few =
      std::to_string(ranksHere) + " ranks on a host with " + std::to_string(gpus) + " GPUs";
  const std::string refusal = firstOf(ranksHere > gpus ? few : "");  // of any host
  sharesGpu_ = !refusal.empty();
  if (!sharesGpu_ || share || mayShare_) return true;
  if (rank_ > 0) return false;
  throw BadInput("mpirun -np " + std::to_string(size_) + ": " + refusal +
                 "; --share-gpu allows it, for tests");
}

void Ranks::broadcast(std::string& text, int from) const {
  std::size_t length = text.size();
  check(MPI_Bcast(&length, sizeof length, MPI_BYTE, from, MPI_COMM_WORLD), "MPI_Bcast");
  text.resize(length);
  check(MPI_Bcast(text.data(), static_cast<int>(length), MPI_BYTE, from, MPI_COMM_WORLD),
        "MPI_Bcast");
}

std::string Ranks::firstOf(std::string text) const {
  const int first = static_cast<int>(-greatest(text.empty() ? -size_ : -rank_));
  if (first == size_) return "";
  broadcast(text, first);
  return text;
}

double Ranks::greatest(double value) const {
  check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD),
        "MPI_Allreduce");
  return value;
}

std::vector<double> Ranks::gathered(double value) const {
  std::vector<double> all(size_);
  check(MPI_Gather(&value, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD),
        "MPI_Gather");
  return all;
}

void Ranks::scatter(const std::vector<real4>& all,
                    std::vector<real4>& own,
                    const Shares& shares) const {
  const Layout layout(shares);
  own.resize(shares.count(rank_));
  check(MPI_Scatterv(all.data(),
                     layout.counts.data(),
                     layout.begins.data(),
                     bodyType(),
                     own.data(),
                     static_cast<int>(own.size()),
                     bodyType(),
                     0,
                     MPI_COMM_WORLD),
        "MPI_Scatterv");
}

template <class T>
std::vector<T> Ranks::gatheredOf(const std::vector<T>& own, MPI_Datatype type) const {
  const int count = static_cast<int>(own.size());
  const std::vector<int> counts = known(count);
  std::vector<int> begins(size_);
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  std::vector<T> all(rank_ == 0 ? begins.back() + counts.back() : 0);
  check(MPI_Gatherv(own.data(),
                    count,
                    type,
                    all.data(),
                    counts.data(),
                    begins.data(),
                    type,
                    0,
                    MPI_COMM_WORLD),
        "MPI_Gatherv");
  return all;
}

std::vector<real4> Ranks::gathered(const std::vector<real4>& own) const {
  return gatheredOf(own, bodyType());
}

std::vector<int> Ranks::gathered(const std::vector<int>& own) const {
  return gatheredOf(own, MPI_INT);
}

MPI_Datatype bodyType() {
  static const MPI_Datatype type = [] {
    MPI_Datatype made;
    const MPI_Datatype number = sizeof(real) == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
    Ranks::check(MPI_Type_contiguous(4, number, &made), "MPI_Type_contiguous");
    Ranks::check(MPI_Type_commit(&made), "MPI_Type_commit");
    return made;
  }();
  return type;
}

}  // namespace nbody
