// Which GPU is whose.
#include <array>
#include <set>

#include "base/bad_input.hpp"
#include "cuda/check.hpp"
#include "ranks/ranks.hpp"

namespace nbody {

int Ranks::takenGpus(MPI_Comm host, int place, int ranksHere) {
#ifdef NBODY_GPU
  // A batch system may show all GPUs to each process or one to each: only their names tell.
  int seen = 0;
  CUDA_CHECK(cudaGetDeviceCount(&seen));
  CUDA_CHECK(cudaSetDevice(place % seen));
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, place % seen));
  using Name = std::array<char, sizeof properties.uuid>;
  const Name own = std::to_array(properties.uuid.bytes);
  std::vector<Name> names(ranksHere);
  check(MPI_Allgather(&own, sizeof own, MPI_BYTE, names.data(), sizeof own, MPI_BYTE, host),
        "MPI_Allgather");
  return static_cast<int>(std::set<Name>(names.begin(), names.end()).size());
#else
  static_cast<void>(host), static_cast<void>(place);
  return ranksHere;  // the executor of each process is a device of its own
#endif
}

bool Ranks::takeGpu(bool share) {
  MPI_Comm host;
  check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host),
        "MPI_Comm_split_type");
  int place = 0, ranksHere = 1;
  check(MPI_Comm_rank(host, &place), "MPI_Comm_rank");
  check(MPI_Comm_size(host, &ranksHere), "MPI_Comm_size");
  const int gpus = takenGpus(host, place, ranksHere);
  check(MPI_Comm_free(&host), "MPI_Comm_free");
  sharesGpu_ = greatest(ranksHere > gpus) > 0;
  const int fewest = static_cast<int>(-greatest(-gpus));
  if (!sharesGpu_ || share || mayShare_) return true;
  if (rank_ > 0) return false;
  throw BadInput("mpirun -np " + std::to_string(size_) + ": " + std::to_string(ranksHere) +
                 " ranks on a host with " + std::to_string(fewest) +
                 " GPUs; --share-gpu allows it, for tests");
}

}  // namespace nbody
