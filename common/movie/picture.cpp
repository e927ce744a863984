#include "movie/picture.hpp"

#include <algorithm>
#include <cmath>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "bodies/vectors.hpp"

namespace nbody {

namespace {

double& ranked(std::vector<double>& values, std::size_t rank) {
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[rank];
}

/// The smallest of 1, 2, 5, 10, 20, ... that is not below \p length.
double roundLength(double length) {
  const double power = std::pow(10, std::floor(std::log10(length)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= length) return factor * power;
  return 10 * power;
}

/// As short as its neighbours need: "-0.5".
std::string tickText(double value, double tick) {
  const auto powerOf = [](double number) {
    return static_cast<int>(std::floor(std::log10(std::abs(number)) + 1e-9));
  };
  const int power = powerOf(tick);
  if (std::abs(value) < tick / 2) return "0";
  if (power >= -4 && std::abs(value) < 1e6) return formatted("%.*f", std::max(0, -power), value);
  // Digits down to the tick's own: 1e7 and 1.2e7 differ in the second.
  return formatted("%.*e", std::clamp(powerOf(value) - power, 0, 15), value);
}

}  // namespace

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

PictureView viewOf(const Bodies& bodies) {
  const std::size_t count = bodies.positions.size();
  PictureView view = {};
  std::vector<double> values(count);
  const bool all = count < 1000;
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < count; ++i) values[i] = component(bodies.positions[i], axis);
    view.centre[axis] = ranked(values, count / 2);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (all) view.centre[axis] = *low / 2 + *high / 2;
  }
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = 0;
    for (int axis = 0; axis < 3; ++axis)
      values[i] =
          std::max(values[i], std::abs(component(bodies.positions[i], axis) - view.centre[axis]));
  }
  const std::size_t rank = all ? count - 1 : count * 99 / 100;
  view.half = 1.05 * ranked(values, rank);  // a margin, so that the farthest is not on the frame
  if (!(view.half > 0)) view.half = 1;  // all at one point
  view.tick = roundLength(view.half / 3);
  for (const Double4& position : bodies.positions) {
    bool inside = true;
    for (const Panel& panel : kPanels) inside &= projected(position, view, panel).inside();
    view.outside += !inside;
  }
  return view;
}

PanelPoint projected(const Double4& position, const PictureView& view, const Panel& panel) {
  const double scale = kPanel / (2 * view.half);
  const int axis = panel.vertical;
  return {(position.x - view.centre[0] + view.half) * scale,
          (view.centre[axis] + view.half - component(position, axis)) * scale};
}

std::vector<AxisMark> axisMarks(const PictureView& view, const Panel& panel) {
  const double scale = kPanel / (2 * view.half);
  std::vector<AxisMark> marks;
  for (int axis : {0, panel.vertical}) {
    const double low = view.centre[axis] - view.half;
    const double high = view.centre[axis] + view.half;
    const double first = std::ceil(low / view.tick);
    const int count = static_cast<int>(std::floor(high / view.tick) - first) + 1;
    for (int k = 0; k < count; ++k) {
      const double value = (first + k) * view.tick;
      const std::string text = tickText(value, view.tick);
      if (axis == 0)
        marks.push_back({panel.left + (value - low) * scale, kPictureTop + kPanel, true, text});
      else marks.push_back({1.0 * panel.left, kPictureTop + (high - value) * scale, false, text});
    }
  }
  return marks;
}

std::string headingOf(const std::string& caption, const PictureView& view) {
  if (view.outside == 0) return caption;
  return caption + "; " + std::to_string(view.outside) + " outside";
}

}  // namespace nbody
