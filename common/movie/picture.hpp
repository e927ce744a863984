/// \file
/// The bodies in two projections, x-y and x-z, on one scale.
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
  double tick;  ///< from one number on an axis to the next: 1, 2 or 5 of some power of ten
  int outside;  ///< bodies that a panel leaves out
};

/// About the median of the bodies, as far as 99% of them reach; all of fewer than 1,000, about
/// their middle.
PictureView viewOf(const Bodies& bodies);

/// Throws BadInput where the name is not that of a picture that this build can write.
void checkPicture(const std::string& name);

/// Points in vector graphics; above 65,536 bodies every so many-th.
std::string svgPicture(const Bodies& bodies, const std::string& caption);

/// Whether this build has what PNG takes.
bool canWritePng();

/// How many bodies there are along each line of sight, on a logarithmic scale.
std::string pngPicture(const Bodies& bodies, const std::string& caption);

// --- Shared by both formats: lengths in pixels.

inline constexpr int kPanel = 600;  ///< side of a panel
inline constexpr int kPictureTop = 48;
inline constexpr int kPictureLeft = 84;
inline constexpr int kPanelPitch = kPanel + 100;  ///< from the left of one panel to the next
inline constexpr int kPictureWidth = kPictureLeft + kPanelPitch + kPanel + 24;
inline constexpr int kPictureHeight = kPictureTop + kPanel + 64;

/// One of the two panels.
struct Panel {
  int left;
  int vertical;  ///< its axis that points up: 1 for y, 2 for z; x points right
};
inline constexpr Panel kPanels[] = {{kPictureLeft, 1}, {kPictureLeft + kPanelPitch, 2}};

/// Position of a body in a panel, from its upper left corner.
struct PanelPoint {
  double x, y;

  bool inside() const { return x >= 0 && x < kPanel && y >= 0 && y < kPanel; }
};
PanelPoint projected(const Double4& position, const PictureView& view, const Panel& panel);

/// A number on an axis, and where in the picture its tick begins.
struct AxisMark {
  double x, y;
  bool below;  ///< the panel; otherwise left of it
  std::string text;
};

/// Marks of both axes of a panel: the multiples of the view's tick.
std::vector<AxisMark> axisMarks(const PictureView& view, const Panel& panel);

/// Text above the panels.
std::string headingOf(const std::string& caption, const PictureView& view);

}  // namespace nbody
