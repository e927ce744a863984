#include "ranks/taken_gpus.hpp"

#ifdef NBODY_GPU
#include <array>
#include <set>
#include <vector>

#include "cuda/check.hpp"
#include "ranks/ranks.hpp"
#endif

namespace nbody {

int takenGpus([[maybe_unused]] MPI_Comm host, int ranks) {
#ifdef NBODY_GPU
  int place = 0, gpus = 1;
  Ranks::check(MPI_Comm_rank(host, &place), "MPI_Comm_rank");
  CUDA_CHECK(cudaGetDeviceCount(&gpus));
  CUDA_CHECK(cudaSetDevice(place % gpus));
  cudaDeviceProp own;
  CUDA_CHECK(cudaGetDeviceProperties(&own, place % gpus));
  using Identity = std::array<char, sizeof own.uuid>;
  std::vector<Identity> all(ranks);
  Ranks::check(
      MPI_Allgather(
          &own.uuid, sizeof own.uuid, MPI_BYTE, all.data(), sizeof own.uuid, MPI_BYTE, host),
      "MPI_Allgather");
  return static_cast<int>(std::set<Identity>(all.begin(), all.end()).size());
#else
  return ranks;  // the executor of each process is a device of its own
#endif
}

}  // namespace nbody
