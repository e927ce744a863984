// Writes PNG with stb's headers (Debian's libstb-dev). If they are missing, there is no PNG.
#include "movie/picture.hpp"

#if __has_include(<stb_image_write.h>)

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_easy_font.h>
#include <stb_image_write.h>

namespace nbody {

namespace {

using Colour = std::array<unsigned char, 3>;  ///< red, green, blue
constexpr Colour kInk = {51, 51, 51};

/// Colours from no body to the most bodies on a line of sight.
constexpr std::array<Colour, 5> kRamp = {
    {{7, 10, 18}, {38, 62, 138}, {104, 160, 240}, {255, 226, 180}, {255, 255, 255}}};

/// The picture, white at first.
struct Canvas {
  std::vector<Colour> pixels =
      std::vector<Colour>(kPictureWidth * kPictureHeight, Colour{255, 255, 255});

  void set(int x, int y, Colour colour) {
    if (x >= 0 && x < kPictureWidth && y >= 0 && y < kPictureHeight)
      pixels[y * kPictureWidth + x] = colour;
  }

  /// Fills the pixels from left and top up to those before right and bottom.
  void fill(int left, int top, int right, int bottom) {
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x) set(x, y, kInk);
  }

  /// Writes ASCII text; any other byte becomes '?'.
  /// \param anchor  part of the text's width that is left of \p x: 0, 0.5 or 1
  void write(int x, int top, std::string text, double anchor) {
    constexpr int kScale = 2;  // the font's letters are 7 pixels high
    constexpr int kBytesPerLetter = 270;  // stb's estimate
    /// Corner that stb_easy_font_print() writes, four per rectangle.
    struct Corner {
      float x, y, z;
      unsigned char colour[4];
    };
    // The font's table ends at '~'.
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    std::vector<Corner> corners((text.size() + 1) * kBytesPerLetter / sizeof(Corner));
    const int bytes = static_cast<int>(corners.size() * sizeof(Corner));
    const int rectangles = stb_easy_font_print(0, 0, text.data(), nullptr, corners.data(), bytes);
    x -= static_cast<int>(std::lround(anchor * kScale * stb_easy_font_width(text.data())));
    const auto at = [](int origin, float place) {
      return origin + kScale * static_cast<int>(place);
    };
    for (int k = 0; k < rectangles; ++k) {
      const Corner &low = corners[4 * k], &high = corners[4 * k + 2];
      fill(at(x, low.x), at(top, low.y), at(x, high.x), at(top, high.y));
    }
  }

  /// Returns the content of a PNG file.
  std::string png() const {
    constexpr int kRowBytes = kPictureWidth * sizeof(Colour);
    std::string file;
    const auto append = [](void* context, void* bytes, int count) {
      static_cast<std::string*>(context)->append(static_cast<const char*>(bytes), count);
    };
    if (!stbi_write_png_to_func(append, &file, kPictureWidth, kPictureHeight, 3, pixels.data(),
                                kRowBytes))
      throw std::runtime_error("the PNG could not be made");
    return file;
  }
};

Colour rampAt(double share) {
  const double place = share * (kRamp.size() - 1);
  const std::size_t k = std::min<std::size_t>(place, kRamp.size() - 2);
  Colour colour;
  for (int c = 0; c < 3; ++c)
    colour[c] = std::lround(kRamp[k][c] + (place - k) * (kRamp[k + 1][c] - kRamp[k][c]));
  return colour;
}

/// Returns the light of the bodies, each spread over a disk, so that a single one can be seen.
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
      canvas.set(panel.left + x, kPictureTop + y,
                 rampAt(std::log1p(4 * light[y * kPanel + x]) / std::log1p(4 * most)));
}

void drawAxes(Canvas& canvas, const Panel& panel, const PictureView& view) {
  for (const AxisMark& mark : axisMarks(view, panel)) {
    const int x = std::lround(mark.x), y = std::lround(mark.y);
    if (mark.below) canvas.fill(x, y, x + 1, y + 6);
    else canvas.fill(x - 6, y, x, y + 1);
    if (mark.below) canvas.write(x, y + 10, mark.text, 0.5);
    else canvas.write(x - 10, y - 7, mark.text, 1);
  }
  const int bottom = kPictureTop + kPanel;
  canvas.write(panel.left + kPanel / 2, bottom + 36, "x", 0.5);
  canvas.write(panel.left - 62, kPictureTop + kPanel / 2, panel.vertical == 1 ? "y" : "z", 0.5);
}

}  // namespace

bool canWritePng() { return true; }

std::string pngPicture(const Bodies& bodies, const std::string& caption) {
  const PictureView view = viewOf(bodies);
  Canvas canvas;
  canvas.write(kPictureLeft, kPictureTop - 30, headingOf(caption, view), 0);
  for (const Panel& panel : kPanels) {
    drawPanel(canvas, bodies, panel, view);
    drawAxes(canvas, panel, view);
  }
  return canvas.png();
}

}  // namespace nbody

#else

#include <stdexcept>

namespace nbody {

bool canWritePng() { return false; }

std::string pngPicture(const Bodies&, const std::string&) {
  throw std::logic_error("this build writes no PNG");
}

}  // namespace nbody

#endif
