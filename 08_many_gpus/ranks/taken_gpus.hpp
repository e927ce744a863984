/// \file
/// Which GPU is whose.
#pragma once

#include <mpi.h>

namespace nbody {

/// Gives this process a GPU, by its place among the \p ranks of its \p host. Returns how many different
/// ones these then have: a scheduler may have shown each rank all of the host's, or one of its own.
int takenGpus(MPI_Comm host, int ranks);

}  // namespace nbody
