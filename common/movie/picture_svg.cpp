#include <array>
#include <cstdio>

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

template <class... Values>
void add(std::string& svg, const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  svg += text;
}

void addAxes(std::string& svg, const Panel& panel, const PictureView& view) {
  const int bottom = kPictureTop + kPanel;
  for (const AxisMark& mark : axisMarks(view, panel)) {
    add(svg,
        "<path class=\"tick\" d=\"M%.1f %.1f%s\"/>",
        mark.x,
        mark.y,
        mark.below ? "v6" : "h-6");
    add(svg,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
        mark.below ? mark.x : mark.x - 10,
        mark.below ? mark.y + 22 : mark.y + 5,
        mark.below ? "middle" : "end",
        mark.text.c_str());
  }
  const int middle = kPanel / 2;
  add(svg,
      "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">x</text>\n",
      panel.left + middle,
      bottom + 46);
  add(svg,
      "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%c</text>\n",
      panel.left - 62,
      kPictureTop + middle,
      panel.vertical == 1 ? 'y' : 'z');
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
      add(layers[layer++ % kLayers], "M%.1f %.1fh0", panel.left + point.x, kPictureTop + point.y);
  }
  for (const std::string& path : layers) svg += "<path class=\"body\" d=\"" + path + "\"/>\n";
}

}  // namespace

std::string svgPicture(const Bodies& bodies, const std::string& caption) {
  const PictureView view = viewOf(bodies);
  std::string svg;
  add(svg,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
      "height=\"%d\">\n",
      kPictureWidth,
      kPictureHeight,
      kPictureWidth,
      kPictureHeight);
  const double width = bodies.count() < 100 ? 6 : bodies.count() < 5000 ? 2.4 : 1.7;
  add(svg,
      "<style>text{font:16px sans-serif;fill:#333}.tick{stroke:#333}.body{stroke:#9cc9ff;"
      "stroke-width:%g;stroke-opacity:%g;stroke-linecap:round}</style>\n",
      width,
      bodies.count() < 100 ? 1 : 0.6);
  add(svg, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", kPictureWidth, kPictureHeight);
  // A file's name may be longer than add() takes.
  add(svg, "<text x=\"%d\" y=\"%d\">", kPictureLeft, kPictureTop - 18);
  svg += escaped(headingOf(caption, view)) + "</text>\n";
  for (const Panel& panel : kPanels) {
    add(svg,
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#070a12\"/>\n",
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
