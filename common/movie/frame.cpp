#include "movie/frame.hpp"

#include <algorithm>
#include <cmath>

namespace nbody {

namespace {

constexpr double kLast = 65535;

}  // namespace

Frame makeFrame(const Bodies& bodies, const std::vector<int>& chosen) {
  Frame frame = {};
  frame.positions.resize(3 * chosen.size());
  for (int axis = 0; axis < 3; ++axis) {
    double low = coordinate(bodies.positions[chosen.front()], axis);
    double high = low;
    for (int i : chosen) {
      low = std::min(low, coordinate(bodies.positions[i], axis));
      high = std::max(high, coordinate(bodies.positions[i], axis));
    }
    frame.low[axis] = low;
    frame.step[axis] = high / kLast - low / kLast;  // their difference may be infinite
    for (std::size_t k = 0; frame.step[axis] > 0 && k < chosen.size(); ++k) {
      const double steps = (coordinate(bodies.positions[chosen[k]], axis) - low) / frame.step[axis];
      frame.positions[3 * k + axis] =
          static_cast<std::uint16_t>(std::clamp(std::round(steps), 0.0, kLast));
    }
  }
  return frame;
}

std::vector<int> evenlyChosen(int count, int most) {
  const long long chosen = std::min(count, most);
  std::vector<int> indices(chosen);
  for (long long k = 0; k < chosen; ++k) indices[k] = static_cast<int>(k * count / chosen);
  return indices;
}

int chosenBefore(int end, int count, int most) {
  // k count / m < end, rounded down, for the k below end m / count, rounded up.
  const long long chosen = std::min(count, most);
  return static_cast<int>((end * chosen + count - 1) / count);
}

}  // namespace nbody
