// Reads an input of libFuzzer as a snapshot file. The environment's NBODY_FUZZ_NAME is the file's
// name, which determines the format.
#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/bad_input.hpp"
#include "bodies/snapshot.hpp"

namespace {

const std::string kName = std::getenv("NBODY_FUZZ_NAME");
std::size_t allocated = 0;  // allocated since the input began

/// Memory beyond the input's size: a body takes 64 bytes, and in a file as few as 14; a message
/// needs a line's fields. No constant covers memory according to a header's counts. Inputs have
/// 4096 bytes.
constexpr std::size_t kAllowance = 1 << 20;

void countAllocation(const volatile void*, std::size_t size) { allocated += size; }
void ignoreFree(const volatile void*) {}

[[maybe_unused]] const int kHooked =
    __sanitizer_install_malloc_and_free_hooks(countAllocation, ignoreFree);

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "FAULT: %s\n", what);
  std::abort();
}

void read(const std::string& content) {
  allocated = 0;
  try {
    const nbody::SnapshotFile file(kName, content);
    const nbody::Bodies bodies = file.read();
    require(bodies.count() >= 2 && bodies.count() == file.count(),
            "the count is not that of the bodies");
    require(bodies.positions.size() == bodies.velocities.size(), "bodies without velocities");
    for (int i = 0; i < bodies.count(); ++i) {
      const auto &p = bodies.positions[i], &v = bodies.velocities[i];
      for (double number : {p.x, p.y, p.z, p.w, v.x, v.y, v.z})
        require(std::isfinite(number), "a number that is not finite was let through");
      require(p.w >= 0, "a negative mass was let through");
    }
  } catch (const nbody::BadInput& error) {
    require(std::strchr(error.what(), '\n') == nullptr, "a message of more than one line");
  }
  require(kHooked > 0, "allocations are not counted");
  require(allocated <= content.size() + kAllowance, "more memory than the input's size explains");
}

/// Returns \p content with a tipsy header that fits its size, because few random inputs have one,
/// and the bodies of others are not read.
std::string fitted(std::string content) {
  const std::uint32_t count = static_cast<std::uint32_t>((content.size() - 32) / 36);
  const std::uint32_t words[] = {count, 3, 0, count, 0, 0};
  content.resize(32 + 36 * count);
  std::memcpy(content.data() + 8, words, sizeof words);
  if (content[31 + 36 * (count > 0)] & 1)  // half of the inputs are big-endian
    for (int at = 8; at < 32; at += 4) std::reverse(content.begin() + at, content.begin() + at + 4);
  return content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string content(reinterpret_cast<const char*>(data), size);
  read(content);
  if (size >= 32 && !kName.ends_with(".csv")) read(fitted(content));
  return 0;
}
