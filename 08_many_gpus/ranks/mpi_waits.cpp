// MPI's profiling interface: a program's own definition of a function comes before the library's,
// which has another name, too. These say what a rank waits for.
#include <mpi.h>

#include <utility>

#include "ranks/waiting.hpp"

using nbody::Waiting;

namespace {

std::string begun;  ///< by MPI_Isend() and MPI_Irecv(), for the wait to come

std::string to(int rank) { return " to rank " + std::to_string(rank); }
std::string from(int rank) { return " from rank " + std::to_string(rank); }

}  // namespace

/// \p function with these parameters waits for \p whom.
#define WAITS(function, whom, parameters, ...) \
  int function parameters {                    \
    const Waiting waiting(#function, whom);    \
    return P##function(__VA_ARGS__);           \
  }

extern "C" {

using Data = const void*;
using Ints = const int*;
using Type = MPI_Datatype;
using Comm = MPI_Comm;

int MPI_Isend(Data data, int count, Type type, int rank, int tag, Comm comm, MPI_Request* request) {
  begun += to(rank);
  return PMPI_Isend(data, count, type, rank, tag, comm, request);
}
int MPI_Irecv(void* data,
              int count,
              Type type,
              int rank,
              int tag,
              Comm comm,
              MPI_Request* request) {
  begun += from(rank);
  return PMPI_Irecv(data, count, type, rank, tag, comm, request);
}

// clang-format off
WAITS(MPI_Waitall, std::exchange(begun, ""),
      (int count, MPI_Request* requests, MPI_Status* statuses), count, requests, statuses)
WAITS(MPI_Wait, std::exchange(begun, ""), (MPI_Request* request, MPI_Status* status), request, status)
WAITS(MPI_Send, to(rank), (Data data, int count, Type type, int rank, int tag, Comm comm),
      data, count, type, rank, tag, comm)
WAITS(MPI_Recv, from(rank),
      (void* data, int count, Type type, int rank, int tag, Comm comm, MPI_Status* status),
      data, count, type, rank, tag, comm, status)
WAITS(MPI_Barrier, "", (Comm comm), comm)
WAITS(MPI_Bcast, from(root), (void* data, int count, Type type, int root, Comm comm),
      data, count, type, root, comm)
WAITS(MPI_Allreduce, "", (Data own, void* sum, int count, Type type, MPI_Op op, Comm comm),
      own, sum, count, type, op, comm)
WAITS(MPI_Gather, to(root),
      (Data own, int count, Type type, void* all, int each, Type typeOfAll, int root, Comm comm),
      own, count, type, all, each, typeOfAll, root, comm)
WAITS(MPI_Gatherv, to(root),
      (Data own, int count, Type type,
       void* all, Ints counts, Ints begins, Type typeOfAll, int root, Comm comm),
      own, count, type, all, counts, begins, typeOfAll, root, comm)
WAITS(MPI_Scatterv, from(root),
      (Data all, Ints counts, Ints begins, Type typeOfAll,
       void* own, int count, Type type, int root, Comm comm),
      all, counts, begins, typeOfAll, own, count, type, root, comm)
WAITS(MPI_Allgather, "",
      (Data own, int count, Type type, void* all, int each, Type typeOfAll, Comm comm),
      own, count, type, all, each, typeOfAll, comm)
WAITS(MPI_Alltoall, "",
      (Data own, int count, Type type, void* all, int each, Type typeOfAll, Comm comm),
      own, count, type, all, each, typeOfAll, comm)
WAITS(MPI_Allgatherv, "",
      (Data own, int count, Type type,
       void* all, Ints counts, Ints begins, Type typeOfAll, Comm comm),
      own, count, type, all, counts, begins, typeOfAll, comm)
// clang-format on

}  // extern "C"
