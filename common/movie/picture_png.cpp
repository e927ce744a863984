// Built where stb's headers are; picture_no_png.cpp elsewhere.
#include "movie/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "movie/canvas.hpp"

namespace nbody {

namespace {

constexpr Colour kInk = {51, 51, 51};

/// From no body to the most along a line of sight.
constexpr std::array<Colour, 5> kRamp = {
    {{7, 10, 18}, {38, 62, 138}, {104, 160, 240}, {255, 226, 180}, {255, 255, 255}}};

Colour rampAt(double share) {
  const double place = share * (kRamp.size() - 1);
  const std::size_t k = std::min<std::size_t>(place, kRamp.size() - 2);
  Colour colour;
  for (int c = 0; c < 3; ++c)
    colour[c] = std::lround(kRamp[k][c] + (place - k) * (kRamp[k + 1][c] - kRamp[k][c]));
  return colour;
}

/// Each body's light, 1 in its middle, over a disk: a lone one should be seen.
std::vector<float> lightOf(const Bodies& bodies, const Panel& panel, const PictureView& view) {
  std::vector<float> light(kPanel * kPanel);
  const double radius = bodies.count() < 100 ? 4 : bodies.count() < 5000 ? 2 : 1.2;
  const int reach = static_cast<int>(std::ceil(radius));
  for (const Double4& position : bodies.positions) {
    const PanelPoint point = projected(position, view, panel);
    if (!point.inside()) continue;
    const int left = static_cast<int>(point.x), top = static_cast<int>(point.y);
    for (int y = std::max(0, top - reach); y <= std::min(kPanel - 1, top + reach); ++y)
      for (int x = std::max(0, left - reach); x <= std::min(kPanel - 1, left + reach); ++x) {
        const double distance = std::hypot(x + 0.5 - point.x, y + 0.5 - point.y) / radius;
        light[y * kPanel + x] += static_cast<float>(std::exp(-2 * distance * distance));
      }
  }
  return light;
}

void drawPanel(Canvas& canvas, const Bodies& bodies, const Panel& panel, const PictureView& view) {
  const std::vector<float> light = lightOf(bodies, panel, view);
  const double most = std::max(4.0f, *std::max_element(light.begin(), light.end()));
  for (int y = 0; y < kPanel; ++y)
    for (int x = 0; x < kPanel; ++x)
      canvas.set(panel.left + x,
                 kPictureTop + y,
                 rampAt(std::log1p(4 * light[y * kPanel + x]) / std::log1p(4 * most)));
}

void drawAxes(Canvas& canvas, const Panel& panel, const PictureView& view) {
  for (const AxisMark& mark : axisMarks(view, panel)) {
    const int x = std::lround(mark.x), y = std::lround(mark.y);
    if (mark.below) canvas.fill(x, y, x + 1, y + 6, kInk);
    else canvas.fill(x - 6, y, x, y + 1, kInk);
    if (mark.below) canvas.write(x, y + 10, mark.text, 0.5, kInk);
    else canvas.write(x - 10, y - 7, mark.text, 1, kInk);
  }
  const int bottom = kPictureTop + kPanel;
  canvas.write(panel.left + kPanel / 2, bottom + 36, "x", 0.5, kInk);
  canvas.write(
      panel.left - 62, kPictureTop + kPanel / 2, panel.vertical == 1 ? "y" : "z", 0.5, kInk);
}

}  // namespace

bool canWritePng() { return true; }

std::string pngPicture(const Bodies& bodies, const std::string& caption) {
  const PictureView view = viewOf(bodies);
  Canvas canvas(kPictureWidth, kPictureHeight);
  canvas.write(kPictureLeft, kPictureTop - 30, headingOf(caption, view), 0, kInk);
  for (const Panel& panel : kPanels) {
    drawPanel(canvas, bodies, panel, view);
    drawAxes(canvas, panel, view);
  }
  return canvas.png();
}

}  // namespace nbody
