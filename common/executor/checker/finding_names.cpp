#include "executor/checker/finding_names.hpp"

#include "executor/checker/locate.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

std::string nameOf(Array& array, std::ptrdiff_t offset, std::uint32_t code) {
  array.askSource(code);
  if (array.elementBytes == 0) {
    const bool isOneValue = array.bytes <= sizeof(double) || array.symbol != nullptr;
    return offset == 0 && isOneValue ? array.name : array.name + ", byte " + std::to_string(offset);
  }
  const auto size = static_cast<std::ptrdiff_t>(array.elementBytes);
  const std::ptrdiff_t element = offset >= 0 ? offset / size : -((size - 1 - offset) / size);
  return array.name + "[" + std::to_string(element) + "]";
}

std::string whereAllocated(const Array& array) {
  return array.allocatedIn == nullptr ? "" : place(array.allocatedIn, array.allocatedLine);
}

std::string sizeText(const Array& array) {
  const std::string bytes = std::to_string(array.bytes) + " bytes";
  std::string where = whereAllocated(array);
  if (!where.empty()) where = ", allocated at " + where;
  if (array.elementBytes == 0)
    return "of " + bytes + (where.empty() ? "" : " (" + where.substr(2) + ")");
  return "of " + std::to_string(array.bytes / array.elementBytes) + " elements (" + bytes + where +
         ")";
}

/// " (4096 bytes past the end of values)", of the array in front of \p address; empty where none is
/// near.
static std::string distanceText(const char* address) {
  constexpr std::ptrdiff_t kFar = 64 << 20;
  const Array* nearest = nullptr;
  for (const Array* array : globalArrays())
    if (array->begin + array->bytes <= address) nearest = array;
  const std::ptrdiff_t past = nearest ? address - nearest->begin - nearest->bytes : kFar;
  return past < kFar ? " (" + std::to_string(past) + " bytes past the end of " + nearest->name + ")"
                     : "";
}

std::string strayText(const char* address) {
  const std::string stray = strayName(address);
  if (stray.empty()) return "an address outside all arrays" + distanceText(address);
  return (stray.find("host") != std::string::npos ? "host memory: " : "") + stray;
}

const char* memoryName(Space space) {
  return space == Space::shared ? "shared memory" : "global memory";
}

}  // namespace nbody::executor::checker
