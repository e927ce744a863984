#include "ranks/rank_snapshot.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "cuda/check.hpp"
#include "driver/snapshot_files.hpp"
#include "driver/validation.hpp"

namespace nbody {

namespace {

constexpr int kAtOnce = 1 << 20;  // bodies on the host: 64 MiB, and 36 as the file has them

/// This rank's own view of a file that all write: nobody waits for one whose disk is full.
class OwnFile {
 public:
  explicit OwnFile(const std::string& path) {
    Ranks::check(MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file_),
                 "MPI_File_open");
  }
  ~OwnFile() {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }
  OwnFile(const OwnFile&) = delete;

  void write(MPI_Offset place, const std::vector<std::uint32_t>& words) {
    const int count = static_cast<int>(words.size());
    MPI_Status status;
    Ranks::check(MPI_File_write_at(file_, place, words.data(), count, MPI_UINT32_T, &status),
                 "MPI_File_write_at");
    // Open MPI calls it a success where the disk is full.
    int written = 0;
    Ranks::check(MPI_Get_count(&status, MPI_UINT32_T, &written), "MPI_Get_count");
    if (written != count)
      throw std::runtime_error("MPI_File_write_at: no room for more than " +
                               std::to_string(place + 4LL * std::max(0, written)) + " bytes");
  }
  void close() { Ranks::check(MPI_File_close(&file_), "MPI_File_close"); }

 private:
  MPI_File file_ = MPI_FILE_NULL;
};

/// Rank 0 may well find what another does not: its host has another file system.
SnapshotFile opened(const std::string& path, int rank) {
  try {
    return SnapshotFile(path);
  } catch (const BadInput& error) {
    if (rank == 0) throw;
    throw BadInput("rank " + std::to_string(rank) + ": " + error.what());
  }
}

/// What all ranks need to know of a snapshot that they write.
struct Written {
  double softening;
  std::endian order;
};

/// Why this rank's part was not written.
struct Failure {
  std::string notFinite;
  std::string unwritten;
};

Failure writePart(int rank,
                  const std::string& path,
                  const Written& as,
                  const FilePart& part,
                  const GiveBodies& give) {
  Failure failure;
  try {
    OwnFile file(path);
    for (int done = 0; done < part.count; done += kAtOnce) {
      const Bodies some = give(done, std::min(kAtOnce, part.count - done));
      const long long place = part.place + done;
      failure.notFinite = notFinite(some, place);
      if (!failure.notFinite.empty()) return failure;
      const auto words = tipsyBodies(some, 0, some.count(), place, as.softening, as.order);
      file.write(sizeof(TipsyWords) + place * kTipsyBytes[1], words);
    }
    file.close();
  } catch (const CudaError&) {
    throw;  // no other rank can go on
  } catch (const std::runtime_error& error) {
    failure.unwritten = "rank " + std::to_string(rank) + ": " + error.what();
  }
  return failure;
}

/// Opens the file beside that of \p target on rank 0 and writes its header.
std::unique_ptr<OutputFile> opened(const SnapshotTarget& target, std::endian order) {
  auto file = std::make_unique<OutputFile>(target.path);
  const TipsyWords header = tipsyHeader(target.bodies, target.time, order);
  file->write(&header, sizeof header);
  return file;
}

}  // namespace

std::string writeTogether(const Ranks& ranks,
                          SnapshotTarget target,
                          const FilePart& part,
                          const GiveBodies& give) {
  std::unique_ptr<OutputFile> file;
  std::string temporary, refusal;
  Written as = {};
  if (ranks.rank() == 0) {
    as = {target.softening, tipsyOrder(target.path).value_or(std::endian::little)};
    try {
      file = opened(target, as.order);
      temporary = file->temporary();
    } catch (const BadInput& error) {
      refusal = error.what();
    }
  }
  ranks.broadcast(temporary);
  ranks.broadcast(as);
  const Failure own =
      temporary.empty() ? Failure{} : writePart(ranks.rank(), temporary, as, part, give);
  const std::string notFinite = ranks.firstOf(own.notFinite);
  const std::string unwritten = ranks.firstOf(own.unwritten);
  if (ranks.rank() > 0) return notFinite;
  if (!refusal.empty()) throw BadInput(refusal);
  if (!notFinite.empty()) return notFinite;
  if (!unwritten.empty()) file->refuse(unwritten);
  file->commit();
  return "";
}

bool readTogether(const Ranks& ranks,
                  std::string path,
                  int bodies,
                  const FilePart& part,
                  const TakeBodies& take) {
  constexpr bool kDouble = sizeof(real) == sizeof(double);
  ranks.broadcast(path);
  double greatest = 0;
  std::string refusal;
  try {
    const SnapshotFile file = opened(path, ranks.rank());
    if (file.count() != bodies) file.refuse("it changed while it was read");
    for (int done = 0; done < part.count; done += kAtOnce) {
      const int count = std::min(kAtOnce, part.count - done);
      const Bodies some = readInputPart(file, kDouble, part.place + done, count);
      greatest = std::max(greatest, greatestMass(some));
      take(done, some);
    }
  } catch (const BadInput& error) {
    refusal = error.what();
  }
  refusal = ranks.firstOf(refusal);
  greatest = ranks.greatest(greatest);
  try {
    if (!refusal.empty()) throw BadInput(refusal);
    checkMasses(SnapshotFile(path), kDouble, greatest);
  } catch (const BadInput&) {
    if (ranks.rank() == 0) throw;
    return false;
  }
  return true;
}

}  // namespace nbody
