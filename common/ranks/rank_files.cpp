#include "ranks/rank_files.hpp"

#include <algorithm>
#include <climits>
#include <memory>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "driver/snapshot_files.hpp"
#include "driver/validation.hpp"

namespace nbody {

namespace {

constexpr int kAtOnce = 1 << 20;  // bodies on the host: 64 MiB, and 36 MiB in the file's form

/// This rank's own view of a file that all write, so that no rank waits for one whose disk is full.
class OwnFile {
 public:
  /// \param refuse  throws, with the reason in its message
  OwnFile(const std::string& path, std::function<void(const std::string&)> refuse)
      : refuse_(std::move(refuse)) {
    check(MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file_),
          "MPI_File_open");
  }
  ~OwnFile() {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }
  OwnFile(const OwnFile&) = delete;

  void write(MPI_Offset place, const std::vector<std::uint32_t>& words) {
    const int count = static_cast<int>(words.size());
    MPI_Status status;
    check(MPI_File_write_at(file_, place, words.data(), count, MPI_UINT32_T, &status),
          "MPI_File_write_at");
    // Open MPI reports success if the disk is full.
    int written = 0;
    check(MPI_Get_count(&status, MPI_UINT32_T, &written), "MPI_Get_count");
    if (written != count)
      refuse_("MPI_File_write_at: no room for more than " +
              std::to_string(place + 4LL * std::max(0, written)) + " bytes");
  }
  void close() { check(MPI_File_close(&file_), "MPI_File_close"); }

 private:
  void check(int status, const char* function) {
    if (status != MPI_SUCCESS) refuse_(function + (": " + errorText(status)));
  }

  std::function<void(const std::string&)> refuse_;
  MPI_File file_ = MPI_FILE_NULL;
};

/// Writes this rank's part of the snapshot \p target to \p file.
void writePart(OwnFile& file, const SnapshotTarget& target, std::endian order, const FilePart& part,
               const GiveBodies& give) {
  for (int done = 0; done < part.count; done += kAtOnce) {
    const Bodies some = give(done, std::min(kAtOnce, part.count - done));
    const long long place = part.place + done;
    checkFinite(some, place);
    const auto words = tipsyBodies(some, 0, some.count(), place, target.softening, order);
    file.write(sizeof(TipsyWords) + place * kTipsyBytes[1], words);
  }
  file.close();
}

/// Opens the temporary file of \p target and writes its header.
std::unique_ptr<OutputFile> opened(const SnapshotTarget& target, std::endian order) {
  auto file = std::make_unique<OutputFile>(target.path);
  const TipsyWords header = tipsyHeader(target.bodies, target.time, order);
  file->write(&header, sizeof header);
  return file;
}

}  // namespace

void writeTogether(const Communicator& ranks, const SnapshotTarget& target, const FilePart& part,
                   const GiveBodies& give) {
  const std::endian order = tipsyOrder(target.path).value_or(std::endian::little);
  std::unique_ptr<OutputFile> file;  // only on rank 0
  char temporary[PATH_MAX] = "";
  ranks.agreeOnFirst([&] {
    file = opened(target, order);
    file->temporary().copy(temporary, sizeof temporary - 1);
  });
  ranks.broadcast(temporary);
  ranks.agree([&] {
    OwnFile own(temporary, [&](const std::string& why) {
      throw BadInput("cannot write " + target.path + ": rank " + std::to_string(ranks.rank()) +
                     ": " + why);
    });
    writePart(own, target, order, part, give);
  });
  ranks.agreeOnFirst([&] { file->commit(); });
}

void readTogether(const Communicator& ranks, const SnapshotFile& file, int bodies,
                  const FilePart& part, const TakeBodies& take) {
  double greatest = 0;
  ranks.agree([&] {
    if (file.count() != bodies) file.refuse("it changed while it was read");
    for (int done = 0; done < part.count; done += kAtOnce) {
      const int count = std::min(kAtOnce, part.count - done);
      const Bodies some = file.read(part.place + done, count);
      for (const Double4& body : some.positions) greatest = std::max(greatest, body.w);
      take(done, some);
    }
  });
  greatest = ranks.maximum(greatest);
  ranks.agree([&] {
    if (!(greatest > 0)) file.refuse("the masses of all its bodies are 0");
  });
}

}  // namespace nbody
