// Which friction, restitution and stiffness ratio explain measured bounces? Observations in the file, or in a CSV file
// with named columns beside it.
#include "carom/plan/fit.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "carom/core/text.hpp"

#include "kind.hpp"
#include "pictures/colors.hpp"
#include "pictures/lines.hpp"

namespace carom::scenario {

namespace {

using report::Document, report::Plot;
using Numbers = std::vector<double>;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
/// Rows a file may have.
constexpr std::size_t most_rows = 1'000'000;

struct Seen {
  std::vector<Numbers> w;
  Numbers before, after;
  double weight = 1.0;
};

struct Table {
  std::vector<std::string> columns;
  std::vector<Numbers> rows;
};

struct Problem {
  FitModel model = FitModel::planar;
  RestitutionLaw law = RestitutionLaw::energetic;
  std::vector<Seen> observations;
  std::optional<Table> file;
  std::vector<FitParameter> free;
  FitValues values;
  double restitution_speed = 1.0;
  FitLoss loss = FitLoss::squares;
  double loss_scale = 1.0;
  bool compare = false;
};

struct Fitted {
  FitProblem problem;
  FitResult fit;
  std::vector<FitComparison> models;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out(1);
  for (const char c : line)
    if (c == ',')
      out.emplace_back();
    else if (c != ' ' && c != '\t' && c != '\r')
      out.back() += c;
  return out;
}

/// A CSV file of numbers under a line of names; lines that start with # are remarks.
Type<Table> csv_file() {
  return custom<Table>(
      [](const Value& value, const Path& path, Mistakes& mistakes, Table& out) {
        if (value.kind() != Value::Kind::text) return wrong_type("the name of a CSV file", value, path, mistakes);
        const auto refuse = [&](const std::string& message) {
          mistakes.add(path, value.place(), message);
          return false;
        };
        const std::string file = (mistakes.folder / std::string(value.text())).string();
        std::ifstream in(file);
        if (!in) return refuse("cannot read " + file);
        int number = 0;
        for (std::string line; std::getline(in, line);) {
          ++number;
          if (line.empty() || line[0] == '#' || line == "\r") continue;
          const std::vector<std::string> cells = cells_of(line);
          if (out.columns.empty()) {
            out.columns = cells;
            continue;
          }
          const std::string where = "line " + std::to_string(number) + ": ";
          if (cells.size() != out.columns.size())
            return refuse(where + "has " + std::to_string(cells.size()) + " cells under " +
                          std::to_string(out.columns.size()) + " names");
          if (out.rows.size() == most_rows) return refuse("has more than a million rows");
          Numbers& row = out.rows.emplace_back();
          for (const std::string& cell : cells) {
            double x = 0.0;
            if (!parse_number(cell, x)) return refuse(where + "\"" + cell + "\" is not a number");
            row.push_back(x);
          }
        }
        return out.rows.empty() ? refuse("has no rows") : true;
      },
      R"({"type":"string"})");
}

const std::vector<std::string>& needed(bool planar) {
  static const std::vector<std::string> two = {"W_tt", "W_tn", "W_nn", "v_t", "v_n", "after_t", "after_n"};
  static const std::vector<std::string> three = {"W_t1t1", "W_t1t2", "W_t1n", "W_t2t2",   "W_t2n",    "W_nn",
                                                 "v_t1",   "v_t2",   "v_n",   "after_t1", "after_t2", "after_n"};
  return planar ? two : three;
}

bool has_column(const Table& table, const std::string& name) {
  return std::find(table.columns.begin(), table.columns.end(), name) != table.columns.end();
}

bool is_planar(const Problem& p) {
  if (p.file) return has_column(*p.file, "W_tt");
  return !p.observations.empty() && p.observations.front().w.size() == 2;
}

FitObservation observation(const Seen& seen) {
  ContactSpace space;
  Eigen::Vector3d after = Eigen::Vector3d::Zero();
  const std::size_t size = seen.w.size();
  for (std::size_t r = 0; r < size; ++r) {
    const auto i = static_cast<Eigen::Index>(r);
    for (std::size_t c = 0; c < size; ++c) space.inverse_inertia(i, static_cast<Eigen::Index>(c)) = seen.w[r][c];
    space.velocity[i] = seen.before[r];
    after[i] = seen.after[r];
  }
  if (size == 2)
    return planar_observation({space.inverse_inertia.topLeftCorner<2, 2>(), space.velocity.head<2>()}, after.head<2>(),
                              seen.weight);
  return {space, after, seen.weight, 0, false};
}

FitProblem fit_problem(const Problem& p) {
  FitProblem out;
  out.model = p.model;
  out.law = p.law;
  out.values = p.values;
  out.restitution_speed = p.restitution_speed;
  out.loss = p.loss;
  out.loss_scale = p.loss_scale;
  for (const FitParameter parameter : p.free) out.free.set(parameter);
  for (const Seen& seen : p.observations) out.observations.push_back(observation(seen));
  if (!p.file) return out;
  const bool planar = is_planar(p);
  std::vector<std::size_t> at;
  for (const std::string& name : needed(planar))
    at.push_back(static_cast<std::size_t>(std::find(p.file->columns.begin(), p.file->columns.end(), name) -
                                          p.file->columns.begin()));
  const auto weight = std::find(p.file->columns.begin(), p.file->columns.end(), "weight");
  for (const Numbers& row : p.file->rows) {
    const auto x = [&](std::size_t i) { return row[at[i]]; };
    Seen seen;
    if (planar)
      seen = {{{x(0), x(1)}, {x(1), x(2)}}, {x(3), x(4)}, {x(5), x(6)}};
    else
      seen = {{{x(0), x(1), x(2)}, {x(1), x(3), x(4)}, {x(2), x(4), x(5)}}, {x(6), x(7), x(8)}, {x(9), x(10), x(11)}};
    if (weight != p.file->columns.end()) seen.weight = row[static_cast<std::size_t>(weight - p.file->columns.begin())];
    out.observations.push_back(observation(seen));
  }
  return out;
}

void check(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  const auto refuse = [&](const char* field, const std::string& message) {
    mistakes.add(path.at(field), place_of(object, field), message);
  };
  if (p.file.has_value() == !p.observations.empty())
    return refuse(p.file ? "observations" : "file", "give either `observations` or `file`");
  if (p.file)
    for (const std::string& name : needed(is_planar(p)))
      if (!has_column(*p.file, name)) return refuse("file", "has no column " + name);
  const std::size_t size = is_planar(p) ? 2 : 3;
  for (const Seen& seen : p.observations) {
    bool fits = seen.w.size() == size && seen.before.size() == size && seen.after.size() == size;
    for (const Numbers& line : seen.w) fits = fits && line.size() == size;
    if (!fits) return refuse("observations", "must be all in the plane (2) or all in space (3)");
  }
  // The rest is the library's to judge, in its words.
  try {
    FitProblem whole = fit_problem(p);
    for (FitObservation& seen : whole.observations) validated(seen.space);
    if (p.model == FitModel::planar && size == 3) refuse("impact_model", "planar needs observations in the plane");
    if (p.model == FitModel::spatial && size == 2) refuse("impact_model", "for observations in the plane is planar");
    if (p.model == FitModel::one_step && p.law == RestitutionLaw::energetic)
      refuse("law", "must be newton or poisson for one_step");
    if (p.model != FitModel::compliant && whole.free.has(FitParameter::stiffness_ratio_root))
      refuse("free", "eta0 goes with compliant only");
  } catch (const InvalidInput& error) {
    refuse(p.file ? "file" : "observations", error.what());
  }
}

Fields<Problem> fields() {
  Fields<Seen> seen;
  const auto numbers = list_of(number(), 2, 3);
  seen.required("W", &Seen::w, list_of(numbers, 2, 3), "inverse inertia [1/kg], axes (t, n) or (t1, t2, n)")
      .required("v_before", &Seen::before, numbers, "of the contact point, A relative to B [m/s]")
      .required("v_after", &Seen::after, numbers, "[m/s]")
      .optional("weight", &Seen::weight, number(Range::at_least(0.0)), "default 1");
  Fields<FitValues> values;
  values.optional("mu", &FitValues::friction, number(Range::between(0.0, 10.0)), "friction coefficient")
      .optional("e", &FitValues::restitution, number(Range::between(0.0, 1.0)), "coefficient of restitution")
      .optional("eta0", &FitValues::stiffness_ratio_root, number(Range::between(1e-3, 1e3)),
                "square root of the stiffness ratio k_n / k_t")
      .optional("q", &FitValues::restitution_exponent, number(Range::between(0.0, 4.0)),
                "e falls with speed, e (v / v0)^-q");
  Fields<Problem> all;
  all.required("impact_model", &Problem::model, choice<FitModel>(), "the model that is fitted")
      .optional("law", &Problem::law, choice<RestitutionLaw>(), "restitution law (default energetic)")
      .optional("observations", &Problem::observations, list_of(object(seen), 1), "what was measured")
      .optional("file", &Problem::file, csv_file(), "the same from a CSV file with named columns")
      .required("free", &Problem::free, list_of(choice<FitParameter>(), 1), "what is fitted: mu, e, eta0, q")
      .optional("values", &Problem::values, object(values), "what is not free, and where to start (.3, .5, 1, 0)")
      .optional("restitution_speed", &Problem::restitution_speed, number(Range::positive()), "v0 of q [m/s], default 1")
      .optional("loss", &Problem::loss, choice<FitLoss>(), "default squares")
      .optional("loss_scale", &Problem::loss_scale, number(Range::positive()), "of huber [m/s]")
      .optional("compare", &Problem::compare, boolean(), "fit the other models too")
      .check(check);
  return all;
}

Fitted run(const Problem& p, const RunRequest& request) {
  Fitted out;
  out.problem = fit_problem(p);
  out.fit = fit_impacts(out.problem);
  if (p.compare && request.pictures)
    out.models =
        compare_models(out.problem, static_cast<int>(std::min<std::size_t>(5, out.problem.observations.size())));
  return out;
}

const char* symbol(FitParameter parameter) {
  switch (parameter) {
    case FitParameter::friction:
      return "friction $\\mu$";
    case FitParameter::restitution:
      return "restitution $e$";
    case FitParameter::stiffness_ratio_root:
      return "stiffness ratio root $\\eta_0$";
    default:
      return "exponent $q$ of restitution over speed";
  }
}

Facts facts(const Problem&, const Fitted& r) {
  Facts all;
  for (const FittedNumber& number : r.fit.free) {
    const std::string key = name(number.parameter);
    all.push_back({key, symbol(number.parameter), number.value, ""});
    all.push_back({key + "_error", "  its standard error", number.standard_error.value_or(missing), ""});
  }
  all.push_back({"residual", "residual, per component", r.fit.residual, "m/s"});
  all.push_back({"observations", "observations", static_cast<double>(r.problem.observations.size()), ""});
  return all;
}

Facts details(const Problem&, const Fitted&) { return {}; }

/// Predicted over observed, one component.
Plot predicted(const Fitted& r, int component, const char* plot_name, const char* title, const char* x, const char* y) {
  Plot plot = empty_plot(plot_name, title, "A perfect model puts every impact on the line.", x, y);
  plot.lines.push_back({{0, 0}, {1, 1}, {report::Color::muted, report::Dash::dashed, 1.2}, "", "", false});
  bool first = true;
  for (std::size_t i = 0; i < r.fit.per_observation.size(); ++i) {
    const double seen = r.problem.observations[i].velocity_after[component];
    plot.markers.push_back({{seen, seen + r.fit.per_observation[i].residual[component]},
                            report::MarkerShape::ring,
                            component == 2 ? report::Color::orange : report::Color::blue,
                            "",
                            first ? "one impact" : ""});
    first = false;
  }
  return plot;
}

Plot residuals(const Fitted& r) {
  Plot plot = empty_plot("residuals", "What the model leaves unexplained",
                         "Predicted minus observed velocity after. A cloud without shape is noise; one with a slope or "
                         "two heaps is physics that the model lacks.",
                         "tangential residual $r_{t1}$ [m/s]", "normal residual $r_n$ [m/s]");
  plot.axes_at_zero = true;
  for (const FitResidual& one : r.fit.per_observation)
    plot.markers.push_back(
        {{one.residual[0], one.residual[2]}, report::MarkerShape::ring, report::Color::blue, "", ""});
  return plot;
}

report::Table per_observation(const Fitted& r) {
  report::Table table{"observations", "Predicted and observed", {}};
  table.columns = {{"observation", "impact", ""},
                   {"approach", "approach", "m/s"},
                   {"slip", "slip before", "m/s"},
                   {"r_t1", "$r_{t1}$", "m/s"},
                   {"r_t2", "$r_{t2}$", "m/s"},
                   {"r_n", "$r_n$", "m/s"},
                   {"verdict", "verdict of the model", ""}};
  for (std::size_t i = 0; i < r.fit.per_observation.size(); ++i) {
    const Eigen::Vector3d& v = r.problem.observations[i].space.velocity;
    const Eigen::Vector3d& left = r.fit.per_observation[i].residual;
    table.add_row({static_cast<double>(i), -v[2], v.head<2>().norm(), left[0], left[1], left[2],
                   std::string(name(r.fit.per_observation[i].verdict))});
  }
  return table;
}

report::Table models(const Fitted& r) {
  report::Table table{"models", "The same impacts under other models", {}};
  table.columns = {{"model", "model", ""},         {"law", "law", ""},
                   {"mu", "$\\mu$", ""},           {"e", "$e$", ""},
                   {"eta0", "$\\eta_0$", ""},      {"residual", "residual", "m/s"},
                   {"held_out", "held out", "m/s"}};
  for (const FitComparison& one : r.models) {
    const FitValues& v = one.fit.materials[0];
    const bool compliant = one.model == FitModel::compliant;
    table.add_row({std::string(name(one.model)), std::string(name(one.law)), v.friction, v.restitution,
                   compliant ? v.stiffness_ratio_root : missing, one.fit.residual, one.held_out});
  }
  return table;
}

Document describe(const Problem&, const Fitted& r) {
  Document document;
  document.summary = std::string("The ") + name(r.problem.model) + " model, fitted to " +
                     std::to_string(r.problem.observations.size()) + " impacts by their velocities after.";
  if (!r.models.empty()) document.tables.push_back(models(r));
  document.tables.push_back(per_observation(r));
  document.plots.push_back(
      predicted(r, 0, "tangential", "Tangential velocity after", "observed [m/s]", "predicted [m/s]"));
  document.plots.push_back(predicted(r, 2, "normal", "Normal velocity after", "observed [m/s]", "predicted [m/s]"));
  document.plots.push_back(residuals(r));
  if (!r.fit.converged) document.notes.emplace_back("not_converged: the best that was found is shown.");
  for (const FittedNumber& number : r.fit.free) {
    if (number.unidentifiable)
      document.notes.push_back(std::string("unidentifiable: the data do not tell ") + name(number.parameter) +
                               "; other values explain them as well.");
    if (number.at_bound)
      document.notes.push_back(std::string("at_bound: ") + name(number.parameter) + " would go on beyond its bound.");
  }
  if (r.fit.no_redundancy) document.notes.emplace_back("no_redundancy: too few numbers to say how sure the fit is.");
  return document;
}

}  // namespace

Kind fit_kind() {
  return make_kind<Problem, Fitted>({"fit", "", "Friction, restitution and stiffness ratio from measured impacts",
                                     fields(), run, facts, details, describe});
}

}  // namespace carom::scenario
