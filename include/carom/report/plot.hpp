// How is a picture described?
// A 2-D plot: lines, curves, markers, a grid of colours, two axes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace carom::report {

/// Colours come from one palette that reads in print, on a dark page and to colour-blind eyes; `ink` is the text's.
enum class Color { ink, muted, blue, orange, green, purple, red, sky, yellow };

struct Point {
  double x = 0.0, y = 0.0;
};

enum class Dash { solid, dashed, dotted, dash_dot };
/// `dot` is small, for the tail of an arrow; `none` draws its label only.
enum class MarkerShape { circle, square, diamond, triangle, cross, ring, dot, none };

struct Stroke {
  Color color = Color::ink;
  Dash dash = Dash::solid;
  double width = 1.5;  ///< [px]
};

/// A polyline (closed: joined back to its start), optionally with an arrow head at its end; a short arrow has a small
/// one. One with a fill is an area: it lies below everything else, and labels may stand on it.
struct Curve {
  std::vector<Point> points;
  Stroke stroke;       ///< a width of 0 draws none
  std::string legend;  ///< "" to leave it out of the legend
  bool closed = false;
  bool arrow = false;
  double fill = 0.0;  ///< how densely its inside has its colour: 0 (not at all) to 1
};

/// A straight line across the whole frame (or, as a ray, from `through` on), labelled where it leaves the frame.
/// On logarithmic axes `direction` counts decades, so (1, 2) is the slope of a square law.
struct Line {
  Point through;
  Point direction;
  Stroke stroke;
  std::string label;  ///< written at the line's end inside the frame
  std::string legend;
  bool ray = false;
};

/// Markers that coincide are drawn around one another and share one label.
struct Marker {
  Point at;
  MarkerShape shape = MarkerShape::circle;
  Color color = Color::ink;
  std::string label;  ///< written beside it, clear of other markers and labels
  std::string legend;
};

/// A grid of values drawn in colour with a colour bar, blended from cell to cell (not along an axis of categories or
/// whole numbers, nor when every value is whole). Values of both signs get a diverging palette with zero marked on the
/// bar. NaN cells are left blank.
struct HeatMap {
  std::vector<double> x_edges, y_edges;  ///< increasing, one more than cells
  std::vector<double> values;            ///< row by row from the lowest y
  std::string label;                     ///< of the colour bar
  std::vector<double> contours = {};     ///< values along which a line is drawn, also across the bar
};

/// Triangles drawn one over the other, each coloured by its value and darker or lighter as light falls on it, with a
/// colour bar: a surface seen from somewhere. Values that are not finite are grey.
struct Faces {
  struct Triangle {
    Point corners[3];
    double value = 0.0;
    double light = 1.0;  ///< 0: in the dark, 1: facing the light
  };
  std::vector<Triangle> triangles;  ///< those behind first
  std::string label;                ///< of the colour bar
  std::optional<double> low, high;  ///< the colours reach at least so far, to compare pictures
};

/// A filled polygon, of the same colour on every page, darker where less light falls on it.
struct Polygon {
  std::vector<Point> corners;
  Color color = Color::blue;
  double light = 1.0;    ///< 0: in the dark, 1: facing the light
  bool outlined = true;  ///< with a thin dark edge; without, it joins its neighbours
};

struct Axis {
  std::string label;
  std::optional<double> low, high;  ///< range; what is not given is chosen to show everything drawn (lines excepted)
  bool logarithmic = false;
  bool whole = false;  ///< it counts things: ticks at whole numbers only
  /// Names of what stands at 1, 2, 3, ...: they take the place of numbers.
  std::vector<std::string> categories = {};
};

/// A 2-D plot. Elements are drawn in the order of the members.
struct Plot {
  std::string name;  ///< file stem, snake_case, unique in its document
  std::string title;
  std::string caption;  ///< one or two sentences: what to look at
  Axis x, y;
  bool equal_scale = false;   ///< one unit of x is as long as one unit of y
  bool axes_at_zero = false;  ///< also draw thin axes through the origin
  bool bare = false;          ///< a drawing rather than a graph: no frame, ticks, grid or axis labels
  std::optional<HeatMap> heat_map;
  std::optional<Faces> faces;
  std::vector<Polygon> polygons;  ///< those behind first
  std::vector<Line> lines;
  std::vector<Curve> curves;
  std::vector<Marker> markers;
};

}  // namespace carom::report

#pragma GCC visibility pop
