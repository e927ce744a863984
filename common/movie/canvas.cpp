// Built only where stb's headers are.
#include "movie/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_easy_font.h>
#include <stb_image_write.h>

namespace nbody {

namespace {

/// What stb_easy_font_print() writes, four for each rectangle.
struct Corner {
  float x, y, z;
  unsigned char colour[4];
};

}  // namespace

void Canvas::fill(int left, int top, int right, int bottom, Colour colour) {
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) set(x, y, colour);
}

void Canvas::write(int x, int top, std::string text, double anchor, Colour colour) {
  constexpr int kScale = 2;  // the font's letters are 7 pixels high
  constexpr int kBytesPerLetter = 270;  // stb's own estimate
  // The font's table ends at '~'.
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  std::vector<Corner> corners((text.size() + 1) * kBytesPerLetter / sizeof(Corner));
  const int left =
      x - static_cast<int>(std::lround(anchor * kScale * stb_easy_font_width(text.data())));
  const int rectangles = stb_easy_font_print(0,
                                             0,
                                             text.data(),
                                             nullptr,
                                             corners.data(),
                                             static_cast<int>(corners.size() * sizeof(Corner)));
  for (int k = 0; k < rectangles; ++k) {
    const Corner& low = corners[4 * k];
    const Corner& high = corners[4 * k + 2];
    fill(left + kScale * static_cast<int>(low.x),
         top + kScale * static_cast<int>(low.y),
         left + kScale * static_cast<int>(high.x),
         top + kScale * static_cast<int>(high.y),
         colour);
  }
}

std::string Canvas::png() const {
  std::string file;
  const auto append = [](void* context, void* bytes, int count) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(bytes), count);
  };
  if (!stbi_write_png_to_func(append, &file, width_, height_, 3, pixels_.data(), 3 * width_))
    throw std::runtime_error("the PNG could not be made");
  return file;
}

}  // namespace nbody
