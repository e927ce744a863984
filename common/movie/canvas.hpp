/// \file
/// Pixels, plain letters and PNG, by stb's headers (Debian's libstb-dev).
#pragma once

#include <array>
#include <string>
#include <vector>

namespace nbody {

using Colour = std::array<unsigned char, 3>;  ///< red, green, blue

/// An image, white at first.
class Canvas {
 public:
  Canvas(int width, int height)
      : width_(width), height_(height), pixels_(width * height, Colour{255, 255, 255}) {}

  void set(int x, int y, Colour colour) {
    if (x >= 0 && x < width_ && y >= 0 && y < height_) pixels_[y * width_ + x] = colour;
  }

  /// The pixels from left and top up to those before right and bottom.
  void fill(int left, int top, int right, int bottom, Colour colour);

  /// ASCII; any other byte becomes a '?'.
  /// \param anchor  the part of the text's width that is left of \p x: 0, 0.5 or 1
  void write(int x, int top, std::string text, double anchor, Colour colour);

  /// The content of a PNG file.
  std::string png() const;

 private:
  int width_, height_;
  std::vector<Colour> pixels_;
};

}  // namespace nbody
