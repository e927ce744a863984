#include "executor/checker/finding_names.hpp"

#include "executor/checker/locate.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

/// Whether it is a name, or an expression such as p.x, that an index may follow.
static bool isOneWord(const std::string& name) { return name.find(' ') == std::string::npos; }

/// "[2][5]" of element 71 of an array of rows of 33.
static std::string indices(std::ptrdiff_t element, const std::vector<std::size_t>& inner) {
  std::ptrdiff_t size = 1;
  for (const std::size_t extent : inner) size *= static_cast<std::ptrdiff_t>(extent);
  std::ptrdiff_t index = element >= 0 ? element / size : -((size - 1 - element) / size);
  std::string text = "[" + std::to_string(index) + "]";
  for (const std::size_t extent : inner) {
    element -= index * size;
    size /= static_cast<std::ptrdiff_t>(extent);
    index = element / size;
    text += "[" + std::to_string(index) + "]";
  }
  return text;
}

std::string nameOf(Array& array, std::ptrdiff_t offset, std::uint32_t code) {
  array.askSource(code);
  if (array.elementBytes == 0) {
    const bool isOneValue = array.bytes <= sizeof(double);
    if (offset == 0 && isOneValue) return array.name;
    return isOneWord(array.name) ? array.name + ", byte " + std::to_string(offset)
                                 : "byte " + std::to_string(offset) + " of " + inQuotes(array.name);
  }
  const auto size = static_cast<std::ptrdiff_t>(array.elementBytes);
  const std::ptrdiff_t element = offset >= 0 ? offset / size : -((size - 1 - offset) / size);
  return isOneWord(array.name)
             ? array.name + indices(element, array.innerExtents)
             : "element " + std::to_string(element) + " of " + inQuotes(array.name);
}

std::string whereAllocated(const Array& array) {
  return array.allocatedIn == nullptr ? "" : place(array.allocatedIn, array.allocatedLine);
}

std::string sizeText(const Array& array) {
  const std::string bytes = std::to_string(array.bytes) + " bytes";
  std::string where = whereAllocated(array);
  if (!where.empty()) where = ", allocated at " + where;
  const std::string has = isOneWord(array.name) ? " of " : ", which has ";
  if (array.elementBytes == 0)
    return has + bytes + (where.empty() ? "" : " (" + where.substr(2) + ")");
  return has + std::to_string(array.bytes / array.elementBytes) + " elements (" + bytes + where +
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
  return past < kFar ? " (" + std::to_string(past) + " bytes past the end of " +
                           inQuotes(nearest->name) + ")"
                     : "";
}

std::string strayText(const char* address) {
  const std::string stray = strayName(address);
  if (stray.empty()) return "an address outside all arrays" + distanceText(address);
  const bool isHosts = stray == kUnknownOrigin || stray.find("host") != std::string::npos;
  return (isHosts ? "host memory: " : "") + stray;
}

const char* memoryName(Space space) {
  return space == Space::shared ? "shared memory" : "global memory";
}

}  // namespace nbody::executor::checker
