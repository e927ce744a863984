#include "movie/planned_files.hpp"

#include <cstdio>
#include <filesystem>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "movie/picture.hpp"

namespace nbody {

namespace {

std::string megabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, bytes < 1e6 ? "%.2f MB" : "%.1f MB", bytes * 1e-6);
  return text;
}

}  // namespace

void checkRoom(const std::string& path, double bytes) {
  namespace fs = std::filesystem;
  checkWritable(path);
  if (isSpecialFile(path)) return;
  std::error_code error;
  const fs::space_info space = fs::space(fs::weakly_canonical(path).parent_path(), error);
  if (error || bytes <= static_cast<double>(space.available)) return;
  throw BadInput("cannot write " + path + ": it takes " + megabytes(bytes) + ", its disk has " +
                 megabytes(static_cast<double>(space.available)));
}

void checkPicture(const std::string& name) {
  const bool png = name.ends_with(".png");
  if (!png && !name.ends_with(".svg"))
    throw BadInput("--picture: the name must end in .png or .svg, not '" + name + "'");
  if (png && !canWritePng())
    throw BadInput(
        "--picture: this build writes no PNG, for it was configured without stb's "
        "headers (Debian's libstb-dev); .svg needs none");
  checkWritable(name);
}

void announceFile(const char* what, const std::string& file, int frames, int count, double bytes) {
  std::printf("%-18s %s: %d frame%s of %d bodies, about %s\n",
              what,
              file.c_str(),
              frames,
              frames == 1 ? "" : "s",
              count,
              megabytes(bytes).c_str());
}

}  // namespace nbody
