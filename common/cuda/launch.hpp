/// \file
/// Parts that the suite's launches share: stream, size of the device, blocks that cover items.
#pragma once

#include "cuda/check.hpp"

namespace nbody {

/// Returns the stream of all the suite's GPU work. It is not the legacy stream, which a graph cannot capture.
cudaStream_t stream();

/// Makes stream() return \p stream on this thread from now on: that of the running rank, if one process has several,
/// or of a library's caller. Null: the suite's own stream again. Returns the one before, or null.
cudaStream_t useStream(cudaStream_t stream);

/// Returns whether a graph is capturing the stream's work, so that nobody can wait for it.
bool capturing();

/// Returns the number of multiprocessors of the GPU in use; on the executor 8, as on a small GPU.
int multiprocessors();

/// Returns how many blocks of \p block threads cover \p count items, with a thread for each.
inline unsigned blocksFor(long long count, int block) {
  return static_cast<unsigned>((count + block - 1) / block);
}

/// Returns a grid of \p rows rows of \p columns blocks. Rows above the limit of y, 65,535, use z:
/// a block is in row blockIdx.y + gridDim.y * blockIdx.z, and a last layer may have too many rows.
inline dim3 foldedGrid(unsigned columns, unsigned rows) {
  constexpr unsigned kMostRows = 65535;
  const unsigned layers = (rows + kMostRows - 1) / kMostRows;
  const unsigned y = (rows + layers - 1) / layers;
  return {columns, y, (rows + y - 1) / y};
}

}  // namespace nbody
