#include "movie/frame.hpp"

#include <algorithm>
#include <cmath>

#include "bodies/byte_order.hpp"
#include "bodies/vectors.hpp"

namespace nbody {

namespace {

constexpr double kLast = 65535;

template <class Number>
void append(std::string& bytes, Number number) {
  number = reordered(number, std::endian::little);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void appendColours(std::string& bytes, const std::vector<double>& scale) {
  double lowest = 0, highest = 0;
  for (double value : scale) {
    if (!(value > 0)) continue;
    lowest = lowest == 0 ? value : std::min(lowest, value);
    highest = std::max(highest, value);
  }
  append(bytes, static_cast<float>(lowest));
  append(bytes, static_cast<float>(highest));
  const double start = lowest > 0 ? std::log2(lowest) : 0;
  const double range = lowest > 0 ? std::log2(highest) - start : 0;
  for (double value : scale) {
    const double share = value > 0 && range > 0 ? (std::log2(value) - start) / range : 0;
    bytes += static_cast<char>(std::lround(255 * std::clamp(share, 0.0, 1.0)));
  }
}

}  // namespace

Frame makeFrame(const Bodies& bodies, const std::vector<int>& chosen) {
  Frame frame = {};
  frame.positions.resize(3 * chosen.size());
  for (int axis = 0; axis < 3; ++axis) {
    double low = component(bodies.positions[chosen.front()], axis);
    double high = low;
    for (int i : chosen) {
      low = std::min(low, component(bodies.positions[i], axis));
      high = std::max(high, component(bodies.positions[i], axis));
    }
    frame.low[axis] = low;
    frame.step[axis] = high / kLast - low / kLast;  // the difference could be infinite
    for (std::size_t k = 0; frame.step[axis] > 0 && k < chosen.size(); ++k) {
      const double steps = (component(bodies.positions[chosen[k]], axis) - low) / frame.step[axis];
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
  // Counts the k with k count / m, rounded down, below end: those below end m / count, rounded up.
  const long long chosen = std::min(count, most);
  return static_cast<int>((end * chosen + count - 1) / count);
}

std::string frameBytes(const ShownBodies& bodies) {
  const int count = static_cast<int>(bodies.positions.size());
  const Frame frame = makeFrame({bodies.positions, {}}, evenlyChosen(count, count));
  const bool coloured = !bodies.scale.empty();
  std::string bytes = "NBL1";
  bytes.reserve(72 + 8 + 7 * bodies.positions.size());
  append(bytes, bodies.number);
  append(bytes, bodies.time);
  for (double number : frame.low) append(bytes, number);
  for (double number : frame.step) append(bytes, number);
  append(bytes, static_cast<std::uint32_t>(count));
  append(bytes, static_cast<std::uint32_t>(coloured));
  for (std::uint16_t number : frame.positions) append(bytes, number);
  if (coloured) appendColours(bytes, bodies.scale);
  return bytes;
}

}  // namespace nbody
