// Finds what a fetch reads: coordinates, address modes and the weights of linear filtering. Source:
// CUDA C++ Programming Guide, "Texture Fetching".
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <string>

#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#include "executor/language/textures/surface.hpp"
#include "executor/language/textures/texture.hpp"
#include "executor/runtime/source_names.hpp"

namespace nbody::executor {

namespace {

// Fetches read it without a lock while the host adds to it.
std::array<std::atomic<const Texture*>, 1 << 16> textures;

/// Returns the texture or surface of an object, which is its index plus 1. Ends the kernel if there
/// is none.
const Texture& textureOf(cudaTextureObject_t object, bool isSurface = false) {
  const Texture* texture =
      object - 1 < textures.size() ? textures[object - 1].load(std::memory_order_acquire) : nullptr;
  if (texture == nullptr || texture->isSurface != isSurface) {
    checker::leaveThread();  // before text is made
    const std::string what = isSurface ? "surface" : "texture";
    failHere("executor: " + what + ": " + describeCurrentThread() + " uses the " + what +
             " object " + std::to_string(object) + " at " + runtime::lineOfCaller() +
             ", which does not exist or was destroyed.");
  }
  return *texture;
}

/// Returns the index of the texel that replaces texel \p i of \p extent; -1 is the border.
int addressed(long long i, int extent, AddressMode mode) {
  if (i >= 0 && i < extent) return static_cast<int>(i);
  const auto modulo = [](long long a, long long b) { return (a % b + b) % b; };
  switch (mode) {
    case AddressMode::border:
      return -1;
    case AddressMode::clamp:
      return i < 0 ? 0 : extent - 1;
    case AddressMode::wrap:
      return static_cast<int>(modulo(i, extent));
    case AddressMode::mirror:
      break;
  }
  const long long place = modulo(i, 2LL * extent);
  return static_cast<int>(place < extent ? place : 2LL * extent - 1 - place);
}

/// One or two texels along one axis, and the weight of the second.
struct AxisFetch {
  int first, second;
  float weight;
};

AxisFetch axisFetch(const Texture& texture, int axis, float coordinate) {
  const int extent = texture.extent[axis];
  double x = coordinate;
  if (texture.hasNormalizedCoordinates) x *= extent;
  // Far outside, every texel is the same; without this limit the conversion would overflow.
  constexpr double kFar = 1e15;
  x = std::isnan(x) ? 0 : std::clamp(x, -kFar, kFar);
  // Wrapping and mirroring need coordinates from 0 to 1; otherwise they become clamping.
  AddressMode mode = texture.mode[axis];
  if (!texture.hasNormalizedCoordinates && mode != AddressMode::border) mode = AddressMode::clamp;
  if (!texture.isFiltered) {
    const int i = addressed(static_cast<long long>(std::floor(x)), extent, mode);
    return {i, i, 0};
  }
  // A weight has 8 fractional bits and may be 1. So this takes half a texel to the left, in units
  // of 1/256 texel, rounded.
  constexpr long long kSteps = 256;
  const long long place = std::llrint((x - 0.5) * kSteps);
  const long long i = place >= 0 ? place / kSteps : -((kSteps - 1 - place) / kSteps);
  return {addressed(i, extent, mode), addressed(i + 1, extent, mode),
          static_cast<float>(place - i * kSteps) / kSteps};
}

const char* texelAt(const Texture& texture, int x, int y) {
  if (x < 0 || y < 0) return nullptr;
  return texture.texels + y * texture.rowBytes + x * texture.texelBytes();
}

}  // namespace

Footprint footprint(cudaTextureObject_t object, int dimensions, float x, float y) {
  const Texture& texture = textureOf(object);
  const float coordinates[] = {x, y};
  AxisFetch axes[2] = {};
  for (int axis = 0; axis < dimensions; ++axis)
    axes[axis] = axisFetch(texture, axis, coordinates[axis]);

  Footprint result = {texture, 0, {}, {}};
  const int corners = texture.isFiltered ? 1 << dimensions : 1;
  for (int corner = 0; corner < corners; ++corner) {
    int place[2];
    float weight = 1;
    for (int axis = 0; axis < 2; ++axis) {
      const bool isSecond = (corner >> axis & 1) != 0;
      place[axis] = isSecond ? axes[axis].second : axes[axis].first;
      weight *= isSecond ? axes[axis].weight : 1 - axes[axis].weight;
    }
    if (weight == 0) continue;  // not read
    result.texel[result.count] = texelAt(texture, place[0], place[1]);
    result.weight[result.count++] = weight;
  }
  return result;
}

Footprint footprint(cudaTextureObject_t object, int index) {
  const Texture& texture = textureOf(object);
  const int place = addressed(index, texture.extent[0], AddressMode::border);
  return {texture, 1, {texelAt(texture, place, 0)}, {1}};
}

char* surfaceAddress(cudaSurfaceObject_t object, int x, int y, int bytes,
                     cudaSurfaceBoundaryMode mode) {
  const Texture& surface = textureOf(object, true);
  const int row = static_cast<int>(surface.rowBytes), rows = surface.extent[1];
  const bool isInside = x >= 0 && x <= row - bytes && y >= 0 && y < rows;
  if (x % bytes != 0 || (!isInside && mode == cudaBoundaryModeTrap)) {
    checker::leaveThread();  // before text is made
    const std::string access = std::to_string(bytes) + " bytes at byte " + std::to_string(x) +
                               " of row " + std::to_string(y);
    failHere("executor: surface: " + describeCurrentThread() + " uses " + access + " at " +
             runtime::lineOfCaller() +
             (isInside ? ", but x must be a multiple of the number of bytes. It is the column times "
                         "sizeof of the type."
                       : ", but the surface has " + std::to_string(rows) + " rows of " +
                             std::to_string(row) + " bytes."));
  }
  if (!isInside && mode == cudaBoundaryModeZero) return nullptr;
  const int inRow = std::clamp(x, 0, row - bytes), inColumn = std::clamp(y, 0, rows - 1);
  return const_cast<char*>(surface.texels) + inColumn * surface.rowBytes + inRow;
}

cudaTextureObject_t addTexture(const Texture& texture) {
  const auto* kept = new Texture(texture);
  for (std::size_t i = 0; i < textures.size(); ++i) {
    const Texture* empty = nullptr;
    if (textures[i].compare_exchange_strong(empty, kept)) return i + 1;
  }
  delete kept;
  return 0;
}

bool removeTexture(cudaTextureObject_t object) {
  if (object - 1 >= textures.size()) return false;
  const Texture* texture = textures[object - 1].exchange(nullptr);
  delete texture;
  return texture != nullptr;
}

}  // namespace nbody::executor
