#include "sweep.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "carom/core/text.hpp"

#include "colors.hpp"

namespace carom::scenario {

namespace {

using report::Column;
using report::Dash;
using report::Plot;

/// What changes by less than this share of the largest does not change: it is rounding.
constexpr double nothing = 1e-9;

/// As many pictures are made when a sweep does not say what to show.
constexpr std::size_t most_pictures = 12;

/// One number of every run.
struct Series {
  std::string fact;   ///< as it was asked for
  std::string label;  ///< of the fact
  std::string unit;
  std::string component;  ///< "x"; empty if the fact is a number
  int index = 0;          ///< of the component
  std::vector<double> values;
};

bool changes(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low, largest = 0.0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
    largest = std::max(largest, std::abs(value));
  }
  return high - low > nothing * largest;
}

/// "velocity after $(t1, t2, n)$": what its components are called, and the label without it.
std::vector<std::string> component_names(std::string& label, std::size_t size) {
  const std::size_t open = label.find("$("), close = label.find(")$");
  std::vector<std::string> names;
  if (open != std::string::npos && close != std::string::npos && open < close) {
    std::string_view rest = std::string_view(label).substr(open + 2, close - open - 2);
    for (std::size_t comma = rest.find(", "); comma != std::string_view::npos; comma = rest.find(", ")) {
      names.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(comma + 2);
    }
    names.emplace_back(rest);
    label.erase(open, close + 2 - open);
    while (!label.empty() && label.back() == ' ') label.pop_back();
  }
  for (std::size_t i = names.size(); i < size; ++i) names.push_back(std::to_string(i));
  return names;
}

/// The numbers behind a fact, or behind one of its components.
std::vector<Series> series_of(const report::Table& table, const std::string& fact) {
  const std::size_t bracket = fact.find('[');
  const std::string key = fact.substr(0, bracket);
  const auto column =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const Column& c) { return c.key == key; });
  if (column == table.columns.end()) return {};
  if (const auto* numbers = std::get_if<std::vector<double>>(&column->cells))
    return {{fact, column->label, column->unit, "", 0, *numbers}};
  const auto* vectors = std::get_if<std::vector<std::vector<double>>>(&column->cells);
  if (vectors == nullptr) return {};
  std::size_t size = 0;
  for (const auto& vector : *vectors) size = std::max(size, vector.size());
  std::string label = column->label;
  const std::vector<std::string> names = component_names(label, size);
  std::vector<Series> all;
  for (std::size_t i = 0; i < size; ++i) {
    if (bracket != std::string::npos && fact.substr(bracket) != "[" + std::to_string(i) + "]") continue;
    Series one{fact, label, column->unit, names[i], static_cast<int>(i), {}};
    for (const auto& vector : *vectors)
      one.values.push_back(i < vector.size() ? vector[i] : std::numeric_limits<double>::quiet_NaN());
    all.push_back(std::move(one));
  }
  return all;
}

std::string axis_label(const SweptField& field) {
  return (field.label.empty() ? field.path : field.label) + (field.degrees && field.label.empty() ? " [deg]" : "");
}

std::string with_unit(const std::string& label, const std::string& unit) {
  return unit.empty() ? label : label + " [" + unit + "]";
}

/// The numbers of the values, in rising order, each value once.
std::vector<std::size_t> rising(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  order.erase(
      std::unique(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] == values[b]; }),
      order.end());
  return order;
}

/// The borders of cells around values, half way between neighbours.
std::vector<double> edges_around(const SweptField& field, const std::vector<std::size_t>& order) {
  std::vector<double> at;
  at.reserve(order.size());
  for (const std::size_t i : order) at.push_back(field.logarithmic ? std::log(field.values[i]) : field.values[i]);
  const std::size_t n = at.size();
  std::vector<double> edges = {n > 1 ? at[0] - 0.5 * (at[1] - at[0]) : at[0] - 0.5};
  for (std::size_t i = 0; i + 1 < n; ++i) edges.push_back(0.5 * (at[i] + at[i + 1]));
  edges.push_back(n > 1 ? at[n - 1] + 0.5 * (at[n - 1] - at[n - 2]) : at[0] + 0.5);
  if (field.logarithmic)
    for (double& edge : edges) edge = std::exp(edge);
  return edges;
}

class Painter {
public:
  explicit Painter(const SweepResult& result) : result_(result), fields_(result.sweep.fields) {}

  std::vector<Plot> plots() {
    for (const ShownFacts& shown : result_.sweep.show.empty() ? what_changes() : result_.sweep.show) show(shown);
    return std::move(plots_);
  }

private:
  bool is_map() const { return fields_.size() == 2 && !fields_[1].listed; }
  bool is_family() const { return fields_.size() == 2 && fields_[1].listed; }

  std::vector<ShownFacts> what_changes() const {
    std::vector<ShownFacts> all;
    for (std::size_t c = fields_.size(); c < result_.table.columns.size() && all.size() < most_pictures; ++c) {
      const std::string& key = result_.table.columns[c].key;
      const std::vector<Series> found = series_of(result_.table, key);
      if (std::any_of(found.begin(), found.end(), [](const Series& s) { return changes(s.values); }))
        all.push_back({{key}});
    }
    return all;
  }

  void show(const ShownFacts& shown) {
    std::vector<std::vector<Series>> facts;
    for (const std::string& fact : shown.facts) {
      std::vector<Series> found = series_of(result_.table, fact);
      std::erase_if(found, [&](const Series& s) { return !changes(s.values) && found.size() > 1; });
      facts.push_back(std::move(found));
    }
    if (facts.front().empty()) return;
    if (!is_map() && !is_family()) {
      Plot plot = started(shown, facts.front().front(), false);
      for (std::size_t f = 0; f < facts.size(); ++f)
        for (const Series& series : facts[f])
          plot.curves.push_back(curve(series, f, colors[static_cast<std::size_t>(series.index) % std::size(colors)],
                                      legend_of(series, facts), 0));
      add_marks(plot, shown);
      finish(std::move(plot), shown);
      return;
    }
    // Two fields: a picture per component.
    for (const Series& first : facts.front()) {
      Plot plot = started(shown, first, facts.front().size() > 1);
      if (is_map()) {
        add_map(plot, first, shown);
      } else {
        for (std::size_t f = 0; f < facts.size(); ++f)
          for (const Series& series : facts[f])
            if (series.index == first.index) add_family(plot, series, f, facts.size() > 1);
        add_marks(plot, shown);
      }
      finish(std::move(plot), shown);
    }
  }

  Plot started(const ShownFacts& shown, const Series& series, bool one_component) {
    Plot plot;
    plot.name = unused("sweep_" + series.fact.substr(0, series.fact.find('[')) +
                       (series.component.empty() || (!one_component && series.fact.find('[') == std::string::npos)
                            ? ""
                            : "_" + std::to_string(series.index)));
    const std::string component = one_component ? ", $" + series.component + "$" : "";
    plot.title = (shown.title.empty() ? series.label : shown.title) + component;
    if (!plot.title.empty()) plot.title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(plot.title[0])));
    plot.caption = shown.caption;
    plot.x.label = axis_label(fields_[0]);
    plot.x.logarithmic = fields_[0].logarithmic;
    plot.y.label = shown.label.empty() ? with_unit(series.label + component, series.unit) : shown.label;
    plot.axes_at_zero = !is_map();
    return plot;
  }

  /// Plots name files: the second one of a name gets a number.
  std::string unused(const std::string& wanted) {
    std::string name;
    for (const char c : wanted) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    for (int n = 2; !names_.insert(name).second; ++n) name = name.substr(0, wanted.size()) + "_" + std::to_string(n);
    return name;
  }

  static std::string legend_of(const Series& series, const std::vector<std::vector<Series>>& facts) {
    if (facts.size() == 1 && facts.front().size() == 1) return "";
    std::string legend = facts.size() > 1 ? series.label : "";
    if (!series.component.empty()) legend += (legend.empty() ? "$" : ", $") + series.component + "$";
    return legend;
  }

  /// One value of the second field, counted from 0; of a sweep over one field, 0.
  report::Curve curve(const Series& series, std::size_t fact, report::Color color, std::string legend,
                      std::size_t second) const {
    constexpr Dash dashes[] = {Dash::solid, Dash::dashed, Dash::dotted, Dash::dash_dot};
    report::Curve curve{{}, {color, dashes[fact % std::size(dashes)], fact == 0 ? 2.0 : 1.4}, std::move(legend)};
    const std::size_t width = fields_.size() == 2 ? fields_[1].values.size() : 1;
    for (const std::size_t i : rising(fields_[0].values))
      if (const std::size_t run = i * width + second; run < series.values.size())
        curve.points.push_back({fields_[0].values[i], series.values[run]});
    return curve;
  }

  void add_family(Plot& plot, const Series& series, std::size_t fact, bool several) const {
    const SweptField& second = fields_[1];
    for (std::size_t j = 0; j < second.values.size(); ++j) {
      std::string legend = (second.label.empty() ? second.path : second.label) + " = " + number_text(second.values[j]) +
                           (second.degrees ? " deg" : "");
      if (several) legend += ", " + series.label;
      plot.curves.push_back(curve(series, fact, colors[j % std::size(colors)], std::move(legend), j));
    }
  }

  /// A dot on each curve so far, where the first field passes the fact asked for. Curves come value by value of the
  /// second field, once for every fact shown.
  void add_marks(Plot& plot, const ShownFacts& shown) const {
    if (shown.mark_at.empty()) return;
    const std::vector<Series> found = series_of(result_.table, shown.mark_at);
    if (found.empty()) return;
    const std::size_t families = is_family() ? fields_[1].values.size() : 1;
    bool named = false;
    for (std::size_t c = 0; c < plot.curves.size(); ++c) {
      const report::Curve at = curve(found.front(), 0, report::Color::ink, "", c % families);
      const std::vector<report::Point>& points = plot.curves[c].points;
      for (std::size_t i = 0; i + 1 < std::min(points.size(), at.points.size()); ++i) {
        const double before = points[i].x - at.points[i].y, after = points[i + 1].x - at.points[i + 1].y;
        if (!(before <= 0.0 && after > 0.0) && !(before > 0.0 && after <= 0.0)) continue;
        const double share = before / (before - after);
        plot.markers.push_back({{points[i].x + share * (points[i + 1].x - points[i].x),
                                 points[i].y + share * (points[i + 1].y - points[i].y)},
                                report::MarkerShape::circle,
                                report::Color::ink,
                                "",
                                std::exchange(named, true) ? "" : found.front().label});
      }
    }
  }

  void add_map(Plot& plot, const Series& series, const ShownFacts& shown) const {
    const std::vector<std::size_t> columns = rising(fields_[0].values), rows = rising(fields_[1].values);
    report::HeatMap map;
    map.x_edges = edges_around(fields_[0], columns);
    map.y_edges = edges_around(fields_[1], rows);
    map.contours = shown.contours;
    map.label = shown.label.empty() ? with_unit(series.label, series.unit) : shown.label;
    for (const std::size_t j : rows)
      for (const std::size_t i : columns) {
        const std::size_t run = i * fields_[1].values.size() + j;
        map.values.push_back(run < series.values.size() ? series.values[run]
                                                        : std::numeric_limits<double>::quiet_NaN());
      }
    plot.y.label = axis_label(fields_[1]);
    plot.y.logarithmic = fields_[1].logarithmic;
    plot.heat_map = std::move(map);
  }

  /// Do the curves count something?
  static bool counts(const Plot& plot) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const report::Curve& curve : plot.curves)
      for (const report::Point& point : curve.points) {
        if (!std::isfinite(point.y)) continue;
        if (point.y != std::round(point.y)) return false;
        low = std::min(low, point.y);
        high = std::max(high, point.y);
      }
    return high > low;
  }

  void finish(Plot plot, const ShownFacts& shown) {
    plot.y.whole = plot.y.whole || (!is_map() && counts(plot));
    for (const MeasuredPoints& measured : result_.sweep.measured) {
      if (is_map() || std::find(shown.facts.begin(), shown.facts.end(), measured.fact) == shown.facts.end()) continue;
      for (std::size_t i = 0; i < measured.at.size(); ++i)
        plot.markers.push_back({{measured.at[i], measured.values[i]},
                                report::MarkerShape::circle,
                                report::Color::red,
                                "",
                                i == 0 ? "measured: " + measured.source : ""});
    }
    plots_.push_back(std::move(plot));
  }

  const SweepResult& result_;
  const std::vector<SweptField>& fields_;
  std::vector<Plot> plots_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<Plot> sweep_pictures(const SweepResult& result) { return Painter(result).plots(); }

}  // namespace carom::scenario
