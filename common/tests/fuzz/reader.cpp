// Reads an input as a snapshot file, for libFuzzer. NBODY_FUZZ_NAME is the file's name, which
// chooses the format.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bodies/snapshot.hpp"
#include "base/bad_input.hpp"

// Of the sanitizers' allocator_interface.h, which g++ 12 does not bring.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*onMalloc)(const volatile void*,
                                                                          std::size_t),
                                                         void (*onFree)(const volatile void*));

namespace {

std::size_t allocated = 0;  // bytes asked for since the input began

/// Beyond the input's size: bodies have 64 bytes where a file may have 14, a line is cut into
/// fields for a message. What no constant would cover is memory by a header's counts. Inputs have
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
    const nbody::SnapshotFile file(NBODY_FUZZ_NAME, content);
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

/// \p content with a tipsy header that fits its size, so that the bodies are read: few inputs have
/// one by chance.
std::string fitted(std::string content) {
  const std::uint32_t count = static_cast<std::uint32_t>((content.size() - 32) / 36);
  const std::uint32_t words[] = {count, 3, 0, count, 0, 0};
  content.resize(32 + 36 * count);
  std::memcpy(content.data() + 8, words, sizeof words);
  if (content[31 + 36 * (count > 0)] & 1)  // half of them big-endian
    for (int at = 8; at < 32; at += 4) std::reverse(content.begin() + at, content.begin() + at + 4);
  return content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string content(reinterpret_cast<const char*>(data), size);
  read(content);
  if (size >= 32 && std::strstr(NBODY_FUZZ_NAME, ".csv") == nullptr) read(fitted(content));
  return 0;
}
