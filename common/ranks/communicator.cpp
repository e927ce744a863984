#include "ranks/communicator.hpp"

#include <array>
#include <numeric>
#include <set>

#include "base/bad_input.hpp"
#include "cuda/check.hpp"
#include "driver/failures.hpp"

namespace nbody {

namespace {

/// Ends the run. MPI calls this if a function fails, because other ranks would wait for ever. So no caller has to look
/// at a function's status.
void endRun(MPI_Comm*, int* status, ...) { Communicator::world().abort(errorText(*status)); }

/// Takes a GPU for this process, by its place among the \p ranks of its \p host. Returns how many
/// GPUs the ranks have then: a scheduler may show each rank all GPUs of the host, or only one.
int takenGpus([[maybe_unused]] MPI_Comm host, int ranks) {
#ifdef NBODY_GPU
  int place = 0, gpus = 1;
  MPI_Comm_rank(host, &place);
  CUDA_CHECK(cudaGetDeviceCount(&gpus));
  CUDA_CHECK(cudaSetDevice(place % gpus));
  cudaDeviceProp own;
  CUDA_CHECK(cudaGetDeviceProperties(&own, place % gpus));
  using Identity = std::array<char, sizeof own.uuid>;
  std::vector<Identity> all(ranks);
  MPI_Allgather(&own.uuid, sizeof own.uuid, MPI_BYTE, all.data(), sizeof own.uuid, MPI_BYTE, host);
  return static_cast<int>(std::set<Identity>(all.begin(), all.end()).size());
#else
  return ranks;  // the executor of each process is a separate device
#endif
}

}  // namespace

Communicator& Communicator::world() {
  static Communicator communicator;
  return communicator;
}

Communicator::Communicator() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  MPI_Errhandler ends = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(endRun, &ends);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, ends);
  MPI_Errhandler_free(&ends);
}

void Communicator::abort(const std::string& why) const {
  reportFailure(program_invocation_short_name, "rank " + std::to_string(rank_) + ": " + why, 1);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

MPI_Comm Communicator::ofHost() const {
  MPI_Comm host;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  return host;
}

void Communicator::takeGpu(bool share) {
  MPI_Comm host = ofHost();
  int ranksHere = 1;
  MPI_Comm_size(host, &ranksHere);
  const int gpus = takenGpus(host, ranksHere);
  MPI_Comm_free(&host);
  sharesGpu_ = maximum(ranksHere > gpus) > 0;  // on any host
  agree([&] {
    if (ranksHere > gpus && !share && !testing_)
      throw BadInput("mpirun -np " + std::to_string(size_) + ": " + std::to_string(ranksHere) +
                     " ranks on a host with " + std::to_string(gpus) +
                     " GPUs; --share-gpu allows it, for tests");
  });
}

void Communicator::broadcast(void* value, std::size_t bytes) const {
  MPI_Bcast(value, static_cast<int>(bytes), MPI_BYTE, 0, MPI_COMM_WORLD);
}

std::string Communicator::firstNonEmpty(std::string text) const {
  const int first = static_cast<int>(-maximum(text.empty() ? -size_ : -rank_));
  if (first == size_) return "";
  std::size_t length = text.size();
  MPI_Bcast(&length, sizeof length, MPI_BYTE, first, MPI_COMM_WORLD);
  text.resize(length);
  MPI_Bcast(text.data(), static_cast<int>(length), MPI_BYTE, first, MPI_COMM_WORLD);
  return text;
}

double Communicator::maximum(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

std::vector<real4> Communicator::scatter(const std::vector<real4>& all,
                                         const Layout& layout) const {
  std::vector<real4> own(layout.counts[rank_]);
  MPI_Scatterv(all.data(), layout.counts.data(), layout.begins.data(), bodyType(), own.data(),
               static_cast<int>(own.size()), bodyType(), 0, MPI_COMM_WORLD);
  return own;
}

template <class T>
std::vector<T> Communicator::gather(const std::vector<T>& own) const {
  const MPI_Datatype type = std::is_same_v<T, int> ? MPI_INT : bodyType();
  const int count = static_cast<int>(own.size());
  const std::vector<int> counts = allGather(count);
  std::vector<int> begins(size_);
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  const int total = begins.back() + counts.back();
  std::vector<T> all(rank_ == 0 || testing_ ? total : 0);
  MPI_Gatherv(own.data(), count, type, all.data(), counts.data(), begins.data(), type, 0,
              MPI_COMM_WORLD);
  if (testing_) MPI_Bcast(all.data(), total, type, 0, MPI_COMM_WORLD);
  return all;
}

template std::vector<real4> Communicator::gather(const std::vector<real4>&) const;
template std::vector<int> Communicator::gather(const std::vector<int>&) const;

std::string errorText(int status) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, text, &length);
  return text;
}

MPI_Datatype bodyType() {
  static const MPI_Datatype type = [] {
    MPI_Datatype made;
    const MPI_Datatype number = sizeof(real) == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
    MPI_Type_contiguous(4, number, &made);
    MPI_Type_commit(&made);
    return made;
  }();
  return type;
}

}  // namespace nbody
