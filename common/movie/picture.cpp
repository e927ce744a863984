#include "movie/picture.hpp"

#include <algorithm>
#include <cmath>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "bodies/vectors.hpp"
#include "movie/frame.hpp"

namespace nbody {

namespace {

double& ranked(std::vector<double>& values, std::size_t rank) {
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[rank];
}

/// Returns the smallest of 1, 2, 5, 10, 20, ... that is not below \p length.
double roundLength(double length) {
  const double power = std::pow(10, std::floor(std::log10(length)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= length) return factor * power;
  return 10 * power;
}

/// Returns a number of an axis, with as few digits as its neighbours need: "-0.5".
std::string tickText(double value, double tick) {
  const auto powerOf = [](double number) {
    return static_cast<int>(std::floor(std::log10(std::abs(number)) + 1e-9));
  };
  const int power = powerOf(tick);
  if (std::abs(value) < tick / 2) return "0";
  if (power >= -4 && std::abs(value) < 1e6) return formatted("%.*f", std::max(0, -power), value);
  // Digits down to those of the tick: 1e7 and 1.2e7 differ in the second one.
  return formatted("%.*e", std::clamp(powerOf(value) - power, 0, 15), value);
}

}  // namespace

void checkPicture(const std::string& name) {
  const bool png = name.ends_with(".png");
  if (!png && !name.ends_with(".svg"))
    throw BadInput("--picture: the name must end in .png or .svg, not '" + name + "'");
  if (png && !canWritePng())
    throw BadInput(
        "--picture: this build writes no PNG, because it was configured without stb's "
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
  view.half = 1.05 * ranked(values, rank);  // a margin, so that no body is on the frame
  if (!(view.half > 0)) view.half = 1;  // all bodies are at one point
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

namespace {

constexpr int kMaxPoints = 65536;  // 2 MB; viewers need seconds for more

/// Number of paths. A path is painted at once, however often it covers a place; only paths add up.
constexpr int kLayers = 8;

std::string escaped(const std::string& text) {
  std::string safe;
  for (char c : text)
    if (c == '<') safe += "&lt;";
    else if (c == '&') safe += "&amp;";
    else if (static_cast<unsigned char>(c) >= ' ') safe += c;  // XML has no other controls
  return safe;
}

std::string textAt(double x, double y, const char* anchor, const std::string& text) {
  return formatted("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor,
                   escaped(text).c_str());
}

void addAxes(std::string& svg, const Panel& panel, const PictureView& view) {
  for (const AxisMark& mark : axisMarks(view, panel)) {
    svg += formatted("<path class=\"tick\" d=\"M%.1f %.1f%s\"/>", mark.x, mark.y,
                     mark.below ? "v6" : "h-6");
    svg += mark.below ? textAt(mark.x, mark.y + 22, "middle", mark.text)
                      : textAt(mark.x - 10, mark.y + 5, "end", mark.text);
  }
  const int middle = kPanel / 2;
  svg += textAt(panel.left + middle, kPictureTop + kPanel + 46, "middle", "x");
  svg += textAt(panel.left - 62, kPictureTop + middle, "middle", panel.vertical == 1 ? "y" : "z");
}

void addPoints(std::string& svg, const Bodies& bodies, const Panel& panel,
               const PictureView& view) {
  std::array<std::string, kLayers> layers;
  int layer = 0;
  for (int i : evenlyChosen(bodies.count(), kMaxPoints)) {
    const PanelPoint point = projected(bodies.positions[i], view, panel);
    if (point.inside())
      layers[layer++ % kLayers] +=
          formatted("M%.1f %.1fh0", panel.left + point.x, kPictureTop + point.y);
  }
  for (const std::string& path : layers) svg += "<path class=\"body\" d=\"" + path + "\"/>\n";
}

}  // namespace

std::string svgPicture(const Bodies& bodies, const std::string& caption) {
  const PictureView view = viewOf(bodies);
  std::string svg = formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" "
      "height=\"%2$d\">\n",
      kPictureWidth, kPictureHeight);
  const double width = bodies.count() < 100 ? 6 : bodies.count() < 5000 ? 2.4 : 1.7;
  svg += formatted(
      "<style>text{font:16px sans-serif;fill:#333}.tick{stroke:#333}.body{stroke:#9cc9ff;"
      "stroke-width:%g;stroke-opacity:%g;stroke-linecap:round}</style>\n",
      width, bodies.count() < 100 ? 1 : 0.6);
  svg += formatted("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", kPictureWidth,
                   kPictureHeight);
  svg += textAt(kPictureLeft, kPictureTop - 18, "start", headingOf(caption, view));
  for (const Panel& panel : kPanels) {
    svg += formatted("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#070a12\"/>\n",
                     panel.left, kPictureTop, kPanel, kPanel);
    addPoints(svg, bodies, panel, view);
    addAxes(svg, panel, view);
  }
  return svg + "</svg>\n";
}

}  // namespace nbody
