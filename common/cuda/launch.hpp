/// \file
/// Parts that the suite's launches share: stream, size of the device, blocks that cover items.
#pragma once

#include "cuda/check.hpp"

namespace nbody {

/// The stream of all the suite's GPU work: not the legacy one, so that the work can be captured in
/// a graph.
cudaStream_t stream();

/// From now on it is \p stream: that of the rank whose turn it is, where several are in one process;
/// null: its own again.
void useStream(cudaStream_t stream);

/// Whether the stream's work is being captured, and cannot be waited for.
bool capturing();

/// Multiprocessors of the GPU in use; on the executor 8, those of a small GPU, whatever the CPU is.
int multiprocessors();

/// Blocks of \p block threads that cover \p count items, rounded up.
inline unsigned blocksFor(long long count, int block) {
  return static_cast<unsigned>((count + block - 1) / block);
}

}  // namespace nbody
