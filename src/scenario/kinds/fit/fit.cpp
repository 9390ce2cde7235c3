// Which friction, restitution and stiffness ratio explain measured bounces? Observations in the file, or in a CSV file
// with named columns beside it.
#include "carom/plan/fit.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "kind.hpp"
#include "parts/body_after.hpp"
#include "parts/spatial.hpp"
#include "pictures/colors.hpp"
#include "pictures/lines.hpp"
#include "table.hpp"

namespace carom::scenario {

namespace {

using report::Document, report::Plot;
using Numbers = std::vector<double>;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct Seen {
  std::vector<Numbers> w;
  Numbers before, after;
  std::optional<std::vector<NamedBody>> bodies;
  std::optional<Contact> contact;
  std::optional<std::vector<std::optional<BodyAfter>>> bodies_after;
  double weight = 1.0;
  std::string material;
};

struct Problem {
  FitModel model = FitModel::planar;
  RestitutionLaw law = RestitutionLaw::energetic;
  std::optional<Reading> reading;
  std::vector<Seen> observations;
  std::optional<FitTable> file;
  std::vector<FitParameter> free;
  std::optional<std::vector<FitParameter>> per_material;
  FitValues values;
  double restitution_speed = 1.0;
  FitLoss loss = FitLoss::squares;
  double loss_scale = 1.0;
  bool compare = false;
};

struct Fitted {
  FitProblem problem;
  std::vector<std::string> materials;  ///< their names, in the order of the problem; one without a name if there is one
  FitResult fit;
  std::vector<FitComparison> models;
  bool too_few_to_compare = false;
};

bool is_planar(const Problem& p) {
  if (p.file) return p.file->planar();
  return !p.observations.empty() && !p.observations.front().bodies && p.observations.front().w.size() == 2;
}

FitObservation observation(const Seen& seen) {
  if (seen.bodies) {
    std::vector<Body> after;
    for (std::size_t i = 0; i < 2; ++i) {
      after.push_back((*seen.bodies)[i].body);
      if (const auto& moves = (*seen.bodies_after)[i]) {
        after.back().velocity = moves->velocity;
        after.back().angular_velocity = moves->angular_velocity;
      }
    }
    return observed_collision((*seen.bodies)[0].body, (*seen.bodies)[1].body, *seen.contact, after[0], after[1],
                              seen.weight);
  }
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

/// The row of a file.
Seen seen_in(const FitTable& file, std::size_t row) {
  const bool planar = file.planar();
  Numbers x;
  for (const std::string& name : needed_columns(planar)) x.push_back(file.rows[row][file.column(name)]);
  Seen out;
  if (planar) {
    out.w = {{x[0], x[1]}, {x[1], x[2]}};
    out.before = {x[3], x[4]};
    out.after = {x[5], x[6]};
  } else {
    out.w = {{x[0], x[1], x[2]}, {x[1], x[3], x[4]}, {x[2], x[4], x[5]}};
    out.before = {x[6], x[7], x[8]};
    out.after = {x[9], x[10], x[11]};
  }
  if (file.column("weight") < file.columns.size()) out.weight = file.rows[row][file.column("weight")];
  if (!file.materials.empty()) out.material = file.materials[row];
  return out;
}

std::vector<Seen> all_seen(const Problem& p) {
  if (!p.file) return p.observations;
  std::vector<Seen> out;
  for (std::size_t i = 0; i < p.file->rows.size(); ++i) out.push_back(seen_in(*p.file, i));
  return out;
}

/// The names of the materials, in the order in which they turn up.
std::vector<std::string> materials_of(const std::vector<Seen>& all) {
  std::vector<std::string> out;
  for (const Seen& seen : all)
    if (std::find(out.begin(), out.end(), seen.material) == out.end()) out.push_back(seen.material);
  return out;
}

FitProblem fit_problem(const Problem& p) {
  FitProblem out;
  out.model = p.model;
  out.law = p.law;
  out.reading = p.reading.value_or(Reading::model);
  out.values = p.values;
  out.restitution_speed = p.restitution_speed;
  out.loss = p.loss;
  out.loss_scale = p.loss_scale;
  for (const FitParameter parameter : p.free) out.free.set(parameter);
  const std::vector<Seen> all = all_seen(p);
  const std::vector<std::string> materials = materials_of(all);
  if (materials.size() > 1)
    for (const FitParameter parameter : p.per_material.value_or(p.free)) out.per_material.set(parameter);
  for (const Seen& seen : all) {
    out.observations.push_back(observation(seen));
    out.observations.back().material =
        static_cast<std::size_t>(std::find(materials.begin(), materials.end(), seen.material) - materials.begin());
  }
  return out;
}

void check_seen(const Seen& seen, const Value& object, const Path& path, Mistakes& mistakes) {
  const bool by_space = !seen.w.empty() || !seen.before.empty() || !seen.after.empty();
  const bool by_bodies = seen.bodies || seen.contact || seen.bodies_after;
  if (by_space == by_bodies)
    return mistakes.add(path, object.place(),
                        "needs either `W`, `v_before` and `v_after`, or `bodies`, `contact` and `after`");
  const auto require = [&](bool given, const char* field) {
    if (!given) mistakes.add(path.at(field), object.place(), "is required");
  };
  if (by_space) {
    require(!seen.w.empty(), "W");
    require(!seen.before.empty(), "v_before");
    return require(!seen.after.empty(), "v_after");
  }
  require(seen.bodies.has_value(), "bodies");
  require(seen.contact.has_value(), "contact");
  require(seen.bodies_after.has_value(), "after");
  if (!seen.bodies || !seen.bodies_after) return;
  const Path list = path.at("after");
  for (int i = 0; i < 2; ++i) {
    const bool immovable = (*seen.bodies)[static_cast<std::size_t>(i)].body.immovable;
    if (immovable != !(*seen.bodies_after)[static_cast<std::size_t>(i)].has_value())
      mistakes.add(list.at(i), place_of(object, "after"),
                   immovable ? "must be null: this body is immovable" : "must not be null: this body can move");
  }
}

void check(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  const auto refuse = [&](const char* field, const std::string& message) {
    mistakes.add(path.at(field), place_of(object, field), message);
  };
  if (p.file.has_value() == !p.observations.empty())
    return refuse(p.file ? "observations" : "file", "give either `observations` or `file`");
  const auto repeats = [](const std::vector<FitParameter>& list) -> const char* {
    for (auto one = list.begin(); one != list.end(); ++one)
      if (std::find(list.begin(), one, *one) != one) return name(*one);
    return nullptr;
  };
  if (const char* twice = repeats(p.free)) return refuse("free", std::string("names ") + twice + " twice");
  if (p.per_material) {
    if (const char* twice = repeats(*p.per_material))
      return refuse("per_material", std::string("names ") + twice + " twice");
    for (const FitParameter parameter : *p.per_material)
      if (std::find(p.free.begin(), p.free.end(), parameter) == p.free.end())
        return refuse("per_material", std::string(name(parameter)) + " is not free");
  }
  if (p.reading && p.model != FitModel::compliant) return refuse("reading", "goes with compliant only");
  const std::vector<Seen> all = all_seen(p);
  const std::size_t size = is_planar(p) ? 2 : 3;
  const char* const where = p.file ? "file" : "observations";
  bool weighs = false;
  // What is wrong with an observation is the library's to judge, in its words.
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Seen& seen = all[i];
    const std::string which =
        p.file ? "line " + std::to_string(p.file->lines[i]) + ": " : "[" + std::to_string(i) + "] ";
    bool fits =
        seen.bodies ? size == 3 : seen.w.size() == size && seen.before.size() == size && seen.after.size() == size;
    for (const Numbers& line : seen.w) fits = fits && line.size() == size;
    if (!fits) return refuse(where, "must be all in the plane (2) or all in space (3)");
    if (!(seen.weight >= 0.0)) return refuse(where, which + "weight must be >= 0");
    if (p.file && !p.file->materials.empty() && seen.material.empty()) return refuse(where, which + "has no material");
    weighs = weighs || seen.weight > 0.0;
    try {
      if (size == 2)  // (the third direction of an observation in the plane is made up)
        validated(PlanarContactSpace{Eigen::Matrix2d{{seen.w[0][0], seen.w[0][1]}, {seen.w[1][0], seen.w[1][1]}},
                                     {seen.before[0], seen.before[1]}});
      else
        validated(observation(seen).space);
    } catch (const InvalidInput& error) {
      const bool w = error.field() == "inverse_inertia";
      return refuse(where, which + (w ? "W " : error.field() + " ") + error.message());
    }
  }
  if (!weighs) return refuse(where, "must have a weight above 0");
  if (p.model == FitModel::planar && size == 3) refuse("impact_model", "planar needs observations in the plane");
  if (p.model == FitModel::spatial && size == 2) refuse("impact_model", "for observations in the plane is planar");
  if (p.model == FitModel::one_step && p.law == RestitutionLaw::energetic)
    refuse("law", "must be newton or poisson for one_step");
  if (p.model != FitModel::compliant &&
      std::find(p.free.begin(), p.free.end(), FitParameter::stiffness_ratio_root) != p.free.end())
    refuse("free", "eta0 goes with compliant only");
}

Fields<Problem> fields() {
  Fields<Seen> seen;
  const auto numbers = list_of(number(), 2, 3);
  seen.optional("W", &Seen::w, list_of(numbers, 2, 3), "inverse inertia [1/kg], axes (t, n) or (t1, t2, n)")
      .optional("v_before", &Seen::before, numbers, "of the contact point, A relative to B [m/s]")
      .optional("v_after", &Seen::after, numbers, "[m/s]")
      .optional("bodies", &Seen::bodies, list_of(spatial_body(), 2, 2), "A and B before, in place of W")
      .optional("contact", &Seen::contact, spatial_contact(), "where they touch")
      .optional("after", &Seen::bodies_after, list_of(body_after(), 2, 2), "A and B after; null for an immovable one")
      .optional("weight", &Seen::weight, number(Range::at_least(0.0)), "default 1")
      .optional("material", &Seen::material, text(), "which of several materials (default: all the same)")
      .check(check_seen);
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
      .optional("reading", &Problem::reading, choice<Reading>(), "of compliant (default model)")
      .optional("observations", &Problem::observations, list_of(object(seen), 1), "what was measured")
      .optional("file", &Problem::file, fit_table(), "the same from a CSV file with named columns")
      .required("free", &Problem::free, list_of(choice<FitParameter>(), 1), "what is fitted: mu, e, eta0, q")
      .optional("per_material", &Problem::per_material, list_of(choice<FitParameter>()),
                "what each material has for itself (default: all that is free); the rest they share")
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
  out.materials = materials_of(all_seen(p));
  out.fit = fit_impacts(out.problem);
  out.too_few_to_compare = p.compare && out.problem.observations.size() < 2;
  if (p.compare && request.pictures && !out.too_few_to_compare)
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
    std::string key = name(number.parameter), label = symbol(number.parameter);
    if (r.problem.per_material.has(number.parameter)) {
      const std::string& material = r.materials[number.material];
      key += "_";
      for (const char c : material) key += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
      label += ", " + material;
    }
    all.push_back({key, label, number.value, ""});
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
    const auto shared = [&](FitParameter p) { return r.problem.per_material.has(p) ? missing : v[p]; };
    table.add_row({std::string(name(one.model)), std::string(name(one.law)), shared(FitParameter::friction),
                   shared(FitParameter::restitution), compliant ? shared(FitParameter::stiffness_ratio_root) : missing,
                   one.fit.residual, one.held_out});
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
  if (r.too_few_to_compare)
    document.notes.emplace_back("Other models are judged by impacts left out of their fit: that needs two or more.");
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
