// Checks the requirements of tensor cores and of asynchronous copies. A GPU gives wrong numbers or ends the kernel if a
// program breaks these rules, or its compiler refuses the program.
#include <cstring>
#include <string>

#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#include "executor/language/device_functions.hpp"
#include "executor/language/tensor_cores.hpp"
#include "executor/messages.hpp"

namespace nbody::executor {

int computeCapability = 90;

namespace {

/// Sources: PTX ISA, "Target ISA notes" and alignment of each instruction; CUDA C++ Programming Guide,
/// "Warp matrix functions" and "Asynchronous data copies".
struct Requirement {
  const char* instruction;  ///< also of longer names that begin like this
  int capability;  ///< 10 times the first compute capability that has it
  unsigned alignment = 1;  ///< bytes
};
constexpr unsigned kMatrixAlignment = 32, kRowMultiple = 16;  ///< bytes, of wmma's loads and stores
constexpr Requirement kRequirements[] = {
    {"mma.sync.m8n8k16", 75},
    {"mma.sync.m8n8k32", 75},
    {"mma.sync.m8n8k4", 80},
    {"mma.sync.m16n8k8.f16", 75},
    {"mma.sync.m16n8k4.f64", 90},
    {"mma.sync.m16n8k8.f64", 90},
    {"mma.sync", 80},
    {"mma_sync() of integers", 72},
    {"mma_sync() of half", 70},
    {"mma_sync()", 80},
    {"load_matrix_sync()", 70, kMatrixAlignment},
    {"store_matrix_sync()", 70, kMatrixAlignment},
    {"ldmatrix", 75, 16},
    {"movmatrix", 75},
    {"stmatrix", 90, 16},
    {"cp.async", 80},
    {"redux.sync", 80},
    {"elect.sync", 90},
};

const Requirement& requirementOf(const char* instruction) {
  for (const Requirement& r : kRequirements)
    if (std::strncmp(instruction, r.instruction, std::strlen(r.instruction)) == 0) return r;
  static constexpr Requirement kNone = {"", 0};
  return kNone;
}

std::string versionText(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

/// Returns "thread (0,0,0) of block (0,0,0) calls mma_sync() at f.cu:12".
std::string callText(Site site) { return describeCurrentThread() + " calls " + at(site); }

}  // namespace

void requireDevice(Site site, const char* instruction) {
  constexpr int kNewest = 90;  // in the table
  if (computeCapability >= kNewest) return;
  const int least = requirementOf(instruction).capability;
  if (computeCapability >= least) return;
  checker::leaveThread();
  failHere("executor: not on this device: " + callText(site) + ", and " + instruction +
           " needs compute capability " + versionText(least) + ". The device has " +
           versionText(computeCapability) + ": choose another one with --device.");
}

void requireAligned(Site site, const char* instruction, const void* address) {
  checker::requireAligned(address, requirementOf(instruction).alignment, instruction, site);
}

void requireMatrix(Site site, const void* address, std::size_t elementBytes, unsigned ld,
                   std::size_t last) {
  if (ld * elementBytes % kRowMultiple != 0) {
    checker::leaveThread();
    const std::string multiple = std::to_string(kRowMultiple / elementBytes);
    failHere("executor: wrong leading dimension: " + callText(site) +
             " with a leading dimension of " + std::to_string(ld) + ". For elements of " +
             std::to_string(elementBytes) + (elementBytes == 1 ? " byte" : " bytes") +
             " it must be a multiple of " + multiple + ", so that rows or columns are aligned to " +
             std::to_string(kRowMultiple) + " bytes. Pad each of them by a multiple of " +
             multiple + ".");
  }
  requireAligned(site, site.function, address);
  checker::requireInArray(address, static_cast<const char*>(address) + last * elementBytes,
                          elementBytes, site);
}

void requireFilled(Site site, const char* fragment, const void* elements, std::size_t bytes) {
  if (!checker::isWatched()) return;
#ifdef __clang__
  constexpr unsigned char kUnwritten = 0xaa;
#else
  constexpr unsigned char kUnwritten = 0xfe;
#endif
  const auto* const begin = static_cast<const unsigned char*>(elements);
  if (*begin != kUnwritten || std::memcmp(begin, begin + 1, bytes - 1) != 0) return;
  checker::leaveThread();
  failHere("executor: uninitialised fragment: " + callText(site) + ", and nothing has filled " +
           fragment + ". Call fill_fragment() or load_matrix_sync() first.");
}

void requireCopy(Site site, const void* to, const void* from, std::size_t bytes, std::size_t used) {
  requireDevice(site, "cp.async");
  if ((bytes != 4 && bytes != 8 && bytes != 16) || used > bytes) {
    checker::leaveThread();
    failHere("executor: wrong size: " + callText(site) + " for " + std::to_string(bytes) +
             " bytes, " + std::to_string(used) +
             " of them from memory. A thread can copy 4, 8 or 16 bytes.");
  }
  for (const void* address : {to, from})
    if (used > 0 || address == to)
      checker::requireAligned(address, static_cast<unsigned>(bytes), site.function, site);
}

}  // namespace nbody::executor
