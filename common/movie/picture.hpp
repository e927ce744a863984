/// \file
/// Pictures of the bodies: two projections, x-y and x-z, on the same scale.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Region that the panels of a picture show, both at the same scale.
struct PictureView {
  std::array<double, 3> centre;
  double half;  ///< half the side of the square
  double tick;  ///< between two numbers of an axis: 1, 2 or 5 times a power of ten
  int outside;  ///< number of bodies outside a panel
};

/// Returns a view with 99% of the bodies, about their median. Fewer than 1,000 bodies are all in
/// view, about their middle.
PictureView viewOf(const Bodies& bodies);

/// Throws BadInput if \p name is not that of a picture that this build can write.
void checkPicture(const std::string& name);

/// Returns points as vector graphics. Above 65,536 bodies, only every n-th is drawn.
std::string svgPicture(const Bodies& bodies, const std::string& caption);

/// Returns whether this build can write PNG.
bool canWritePng();

/// Returns how many bodies are on each line of sight, on a logarithmic scale.
std::string pngPicture(const Bodies& bodies, const std::string& caption);

// --- Shared by both formats: lengths in pixels.

inline constexpr int kPanel = 600;  ///< side of a panel
inline constexpr int kPictureTop = 48;
inline constexpr int kPictureLeft = 84;
inline constexpr int kPanelPitch = kPanel + 100;  ///< from the left side of one panel to the next
inline constexpr int kPictureWidth = kPictureLeft + kPanelPitch + kPanel + 24;
inline constexpr int kPictureHeight = kPictureTop + kPanel + 64;

/// One of two panels.
struct Panel {
  int left;
  int vertical;  ///< axis that points up: 1 for y, 2 for z; x points right
};
inline constexpr Panel kPanels[] = {{kPictureLeft, 1}, {kPictureLeft + kPanelPitch, 2}};

/// Position of a body in a panel, from the upper left corner.
struct PanelPoint {
  double x, y;

  bool inside() const { return x >= 0 && x < kPanel && y >= 0 && y < kPanel; }
};
PanelPoint projected(const Double4& position, const PictureView& view, const Panel& panel);

/// A number of an axis, and where its tick begins in the picture.
struct AxisMark {
  double x, y;
  bool below;  ///< below the panel; otherwise left of it
  std::string text;
};

/// Returns the marks of both axes of a panel: the multiples of the view's tick.
std::vector<AxisMark> axisMarks(const PictureView& view, const Panel& panel);

/// Returns the text above the panels.
std::string headingOf(const std::string& caption, const PictureView& view);

}  // namespace nbody
