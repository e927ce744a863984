#include <array>

#include "base/text.hpp"
#include "movie/frame.hpp"
#include "movie/picture.hpp"

namespace nbody {

namespace {

constexpr int kMaxPoints = 65536;  // 2 MB; viewers take seconds for more

/// One path is painted at once, however often it covers a place: only between layers does light
/// add up.
constexpr int kLayers = 8;

std::string escaped(const std::string& text) {
  std::string safe;
  for (char c : text)
    if (c == '<') safe += "&lt;";
    else if (c == '&') safe += "&amp;";
    else if (static_cast<unsigned char>(c) >= ' ') safe += c;  // XML has no other control
  return safe;
}

std::string textAt(double x, double y, const char* anchor, const std::string& text) {
  return formatted("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                   x,
                   y,
                   anchor,
                   escaped(text).c_str());
}

void addAxes(std::string& svg, const Panel& panel, const PictureView& view) {
  for (const AxisMark& mark : axisMarks(view, panel)) {
    svg += formatted(
        "<path class=\"tick\" d=\"M%.1f %.1f%s\"/>", mark.x, mark.y, mark.below ? "v6" : "h-6");
    svg += mark.below ? textAt(mark.x, mark.y + 22, "middle", mark.text)
                      : textAt(mark.x - 10, mark.y + 5, "end", mark.text);
  }
  const int middle = kPanel / 2;
  svg += textAt(panel.left + middle, kPictureTop + kPanel + 46, "middle", "x");
  svg += textAt(panel.left - 62, kPictureTop + middle, "middle", panel.vertical == 1 ? "y" : "z");
}

void addPoints(std::string& svg,
               const Bodies& bodies,
               const Panel& panel,
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
      kPictureWidth,
      kPictureHeight);
  const double width = bodies.count() < 100 ? 6 : bodies.count() < 5000 ? 2.4 : 1.7;
  svg += formatted(
      "<style>text{font:16px sans-serif;fill:#333}.tick{stroke:#333}.body{stroke:#9cc9ff;"
      "stroke-width:%g;stroke-opacity:%g;stroke-linecap:round}</style>\n",
      width,
      bodies.count() < 100 ? 1 : 0.6);
  svg += formatted(
      "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", kPictureWidth, kPictureHeight);
  svg += textAt(kPictureLeft, kPictureTop - 18, "start", headingOf(caption, view));
  for (const Panel& panel : kPanels) {
    svg += formatted("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#070a12\"/>\n",
                     panel.left,
                     kPictureTop,
                     kPanel,
                     kPanel);
    addPoints(svg, bodies, panel, view);
    addAxes(svg, panel, view);
  }
  return svg + "</svg>\n";
}

}  // namespace nbody
