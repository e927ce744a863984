#include "executor/runtime/array_parts.hpp"

#include <string>

#include "executor/runtime/api_call.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/reports.hpp"

namespace nbody::executor::runtime {

bool holds(const Part& part,
           std::size_t width,
           std::size_t height,
           const char* what,
           Caller caller) {
  if (!isArray(part.array)) {
    report("executor: wrong array: " + std::string(what) + "() at " + place(caller) +
           " gets a pointer that is not an array, or an array that was already freed.");
    return false;
  }
  const cudaArray& a = *part.array;
  if (part.x <= a.rowBytes() && width <= a.rowBytes() - part.x && part.y <= a.rows() &&
      height <= a.rows() - part.y && part.z < a.slices())
    return true;
  report("executor: copy out of bounds: " + std::string(what) + "() at " + place(caller) +
         " uses " + std::to_string(height) + " rows of " + std::to_string(width) +
         " bytes, from byte " + std::to_string(part.x) + " of row " + std::to_string(part.y) +
         " on, but the array has only " + std::to_string(a.rows()) + " rows of " +
         std::to_string(a.rowBytes()) + " bytes.");
  return false;
}

cudaError_t copyToPart(const char* what,
                       const Part& to,
                       ConstRows from,
                       std::size_t width,
                       std::size_t height,
                       cudaMemcpyKind kind,
                       cudaStream_t stream,
                       bool isAsync,
                       Caller caller) {
  const ApiCall call;
  if (!holds(to, width, height, what, caller)) return result(cudaErrorInvalidValue);
  return copy({what, to.rows(), from, width, height, kind, stream, isAsync, caller});
}
cudaError_t copyFromPart(const char* what,
                         Rows to,
                         const Part& from,
                         std::size_t width,
                         std::size_t height,
                         cudaMemcpyKind kind,
                         cudaStream_t stream,
                         bool isAsync,
                         Caller caller) {
  const ApiCall call;
  if (!holds(from, width, height, what, caller)) return result(cudaErrorInvalidValue);
  return copy({what, to, from.constRows(), width, height, kind, stream, isAsync, caller});
}

}  // namespace nbody::executor::runtime
