// One law at a time on measured planar impacts. The parameters minimise the mean relative error, not squares: outliers
// of a motion capture would rule squares. The error is no smooth function of them, so they are found by a grid and then
// by trying steps that shrink.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "carom/core/error.hpp"
#include "carom/core/parallel.hpp"
#include "carom/core/text.hpp"
#include "carom/impact/compliant.hpp"
#include "carom/impact/one_step.hpp"
#include "carom/impact/planar.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/scenario/validate.hpp"

namespace carom::scenario {

namespace {

/// An impact as it was measured, and what the models need of it.
struct Measured {
  Eigen::Matrix<double, 2, 3> jacobian;  ///< (t, n) against (v_x, v_y, omega)
  Eigen::Vector3d before, after;
  PlanarContactSpace space;
};

constexpr std::array<const char*, 12> columns = {"t_vx",     "t_vy",     "t_w",       "n_vx",
                                                 "n_vy",     "n_w",      "vx_before", "vy_before",
                                                 "w_before", "vx_after", "vy_after",  "w_after"};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) {
    while (!cell.empty() && (cell.back() == '\r' || cell.back() == ' ')) cell.pop_back();
    cells.push_back(cell);
  }
  return cells;
}

std::vector<Measured> read(const std::filesystem::path& file, const Eigen::Vector3d& inverse_mass) {
  const auto refuse = [&](int line, const std::string& message) {
    return BadScenario(file.string(), {{line, "", message}});
  };
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file)) throw refuse(0, "cannot be opened");
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = cells_of(line);
  std::array<std::size_t, columns.size()> at{};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto found = std::find(names.begin(), names.end(), columns[c]);
    if (found == names.end()) throw refuse(1, std::string("has no column ") + columns[c]);
    at[c] = static_cast<std::size_t>(found - names.begin());
  }
  std::vector<Measured> all;
  for (int number = 2; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \r") == std::string::npos) continue;
    const std::vector<std::string> cells = cells_of(line);
    std::array<double, columns.size()> x{};
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (at[c] >= cells.size() || !parse_number(cells[at[c]], x[c]) || !std::isfinite(x[c]))
        throw refuse(number, std::string(columns[c]) + ": must be a number, got " +
                                 (at[c] < cells.size() ? "\"" + cells[at[c]] + "\"" : "nothing"));
    Measured& m = all.emplace_back();
    m.jacobian << x[0], x[1], x[2], x[3], x[4], x[5];
    m.before = {x[6], x[7], x[8]};
    m.after = {x[9], x[10], x[11]};
    if (m.after.head<2>().norm() == 0.0) throw refuse(number, "has no velocity after: no relative error");
    m.space.inverse_inertia = m.jacobian * inverse_mass.asDiagonal() * m.jacobian.transpose();
    m.space.velocity = m.jacobian * m.before;
  }
  if (all.size() < 10) throw refuse(0, fmt::format("has {} impacts: too few for a fit and a test", all.size()));
  return all;
}

using Parameters = std::vector<double>;

/// A law with its parameters: mu, e and perhaps a third.
struct Law {
  std::string name;
  std::vector<std::string> parameter_names;
  std::vector<std::vector<double>> grid;  ///< where the search starts
  Eigen::Vector2d (*impulse)(const PlanarContactSpace& space, const Parameters& p);
};

Eigen::Vector2d planar(const PlanarContactSpace& space, double mu, double e, RestitutionLaw law) {
  PlanarProblem problem;
  problem.space = space;
  problem.material = {.friction = mu, .restitution = e};
  problem.law = law;
  return planar_outcome(problem).impulse;
}

/// The plane as a contact in space that nothing drives out of it.
ContactSpace in_space(const PlanarContactSpace& plane) {
  ContactSpace space;
  space.inverse_inertia.setZero();
  space.inverse_inertia(0, 0) = plane.inverse_inertia(0, 0);
  space.inverse_inertia(0, 2) = space.inverse_inertia(2, 0) = plane.inverse_inertia(0, 1);
  space.inverse_inertia(2, 2) = plane.inverse_inertia(1, 1);
  space.inverse_inertia(1, 1) = plane.inverse_inertia(0, 0);
  space.velocity = {plane.velocity[0], 0.0, plane.velocity[1]};
  return space;
}

Eigen::Vector2d compliant(const PlanarContactSpace& space, double mu, double e, double eta0) {
  CompliantProblem problem;
  problem.space = in_space(space);
  problem.material = {.friction = mu, .restitution = e};
  problem.stiffness_ratio_root = eta0;
  const Eigen::Vector3d impulse = compliant_outcome(problem).impulse;
  return {impulse[0], impulse[2]};
}

/// e falls with the approach speed: e0 (v/2.5)^-q, at most 1.
double slowed(const PlanarContactSpace& space, double e0, double q) {
  return std::min(1.0, e0 * std::pow(std::max(std::abs(space.velocity[1]), 1e-3) / 2.5, -q));
}

std::vector<Law> laws() {
  const std::vector<double> mu = {.05, .1, .15, .2, .3, .5}, e = {.4, .5, .6, .7, .8};
  using Space = const PlanarContactSpace&;
  using P = const Parameters&;
  return {
      {"tangential springs",
       {"mu", "e", "eta0"},
       {mu, e, {.2, .35, .6, 1.0}},
       [](Space s, P p) { return compliant(s, p[0], p[1], p[2]); }},
      {"tangential springs, e falls with speed",
       {"mu", "e0", "eta0", "q"},
       {mu, e, {.2, .35, .6}, {0.0, .6}},
       [](Space s, P p) { return compliant(s, p[0], slowed(s, p[1], p[3]), p[2]); }},
      {"tangential springs, eta0 of a Hertz sphere",
       {"mu", "e"},
       {mu, e},
       [](Space s, P p) { return compliant(s, p[0], p[1], std::sqrt(17.0 / 14.0)); }},
      {"Poisson", {"mu", "e"}, {mu, e}, [](Space s, P p) { return planar(s, p[0], p[1], RestitutionLaw::poisson); }},
      {"energetic",
       {"mu", "e"},
       {mu, e},
       [](Space s, P p) { return planar(s, p[0], p[1], RestitutionLaw::energetic); }},
      {"energetic, e falls with speed",
       {"mu", "e0", "q"},
       {mu, e, {0.0, .6}},
       [](Space s, P p) { return planar(s, p[0], slowed(s, p[1], p[2]), RestitutionLaw::energetic); }},
      {"Newton", {"mu", "e"}, {mu, e}, [](Space s, P p) { return planar(s, p[0], p[1], RestitutionLaw::newton); }},
      {"one step (engines)",
       {"mu", "e"},
       {mu, e},
       [](Space s, P p) {
         OneStepProblem problem;
         problem.space = in_space(s);
         problem.material = {.friction = p[0], .restitution = p[1]};
         const Eigen::Vector3d impulse = one_step_outcome(problem).impulse;
         return Eigen::Vector2d(impulse[0], impulse[2]);
       }},
  };
}

class Fit {
public:
  Fit(const std::vector<Measured>& all, const Eigen::Vector3d& inverse_mass, const Law& law, const Progress& progress)
      : all_(all), inverse_mass_(inverse_mass), law_(law), progress_(progress) {}

  double error(const Measured& m, const Parameters& p) const {
    const Eigen::Vector3d after =
        m.before + inverse_mass_.asDiagonal() * m.jacobian.transpose() * law_.impulse(m.space, p);
    return (after - m.after).head<2>().norm() / m.after.head<2>().norm();
  }

  /// Least mean error over the even or the odd rows: the best of a grid, then shrinking steps.
  Parameters best(std::size_t half) const {
    std::vector<Parameters> starts{{}};
    for (const std::vector<double>& values : law_.grid) {
      std::vector<Parameters> longer;
      for (const Parameters& start : starts)
        for (const double x : values) longer.push_back(start), longer.back().push_back(x);
      starts = std::move(longer);
    }
    std::vector<double> errors(starts.size());
    parallel_for(starts.size(), 1, 0, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) errors[i] = mean(half, starts[i]);
    });
    std::vector<std::size_t> order(starts.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return errors[a] < errors[b]; });
    Parameters best;
    double least = 0.0;
    for (std::size_t k = 0; k < std::min<std::size_t>(3, order.size()); ++k) {
      auto [found, error] = improved(half, starts[order[k]], errors[order[k]]);
      if (best.empty() || error < least) best = std::move(found), least = error;
    }
    return best;
  }

private:
  double mean(std::size_t half, const Parameters& p) const {
    if (progress_.is_cancelled()) throw Cancelled();
    double total = 0.0;
    std::size_t count = 0;
    for (std::size_t i = half; i < all_.size(); i += 2, ++count) total += error(all_[i], p);
    return total / static_cast<double>(count);
  }

  static bool legal(const Parameters& p) {
    return p[0] >= 0.0 && p[1] >= 0.0 && p[1] <= 1.0 &&
           std::all_of(p.begin() + 2, p.end(), [](double x) { return x >= 0.0 && x < 10.0; }) &&
           (p.size() < 3 || p[2] >= 0.0);
  }

  std::pair<Parameters, double> improved(std::size_t half, Parameters p, double error) const {
    for (double step = .05; step > 1e-4;) {
      bool better = false;
      for (std::size_t k = 0; k < p.size(); ++k)
        for (const double sign : {1.0, -1.0}) {
          Parameters tried = p;
          tried[k] += sign * step;
          if (!legal(tried) || (law_.parameter_names[k] == "eta0" && tried[k] < .01)) continue;
          if (const double now = mean(half, tried); now < error) p = tried, error = now, better = true;
        }
      if (!better) step /= 2.0;
    }
    return {std::move(p), error};
  }

  const std::vector<Measured>& all_;
  const Eigen::Vector3d& inverse_mass_;
  const Law& law_;
  const Progress& progress_;
};

}  // namespace

std::vector<PlanarLawError> validate_planar_impacts(const std::filesystem::path& csv, double mass, double gyration,
                                                    const Progress& progress) {
  require_positive("mass", mass);
  require_positive("gyration", gyration);
  const Eigen::Vector3d inverse_mass(1.0 / mass, 1.0 / mass, 1.0 / (mass * gyration * gyration));
  const std::vector<Measured> all = read(csv, inverse_mass);
  const std::vector<Law> tried = laws();
  std::vector<PlanarLawError> results;
  for (const Law& law : tried) {
    const Fit fit(all, inverse_mass, law, progress);
    PlanarLawError result{law.name, fit.best(0), fit.best(1), law.parameter_names};
    std::vector<double> errors;
    for (std::size_t i = 0; i < all.size(); ++i)
      errors.push_back(fit.error(all[i], i % 2 == 0 ? result.odd_parameters : result.parameters));
    for (const double error : errors) result.mean += error / static_cast<double>(errors.size());
    const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
    std::nth_element(errors.begin(), middle, errors.end());
    result.median = *middle;
    results.push_back(std::move(result));
    progress.step(static_cast<double>(results.size()) / static_cast<double>(tried.size()));
  }
  return results;
}

report::Document describe(const std::vector<PlanarLawError>& errors, const std::string& source) {
  report::Document document;
  document.title = "Measured planar impacts";
  document.kind = "validate";
  document.summary = source +
                     ": the parameters are fitted to the mean error of every other impact, the errors are those of the "
                     "impacts in between, and the reverse.";
  report::Table table{"laws", "Error of the velocity of the centre, over the measured velocity", {}};
  table.columns = {{"law", "law", ""},
                   {"median", "median", ""},
                   {"mean", "mean", ""},
                   {"fitted", "fitted (first half)", ""},
                   {"fitted_odd", "fitted (second half)", ""}};
  const auto shown = [](const PlanarLawError& error, const std::vector<double>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
      text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ", ", error.parameter_names[i], values[i]);
    return text;
  };
  for (const PlanarLawError& error : errors)
    table.add_row(
        {error.law, error.median, error.mean, shown(error, error.parameters), shown(error, error.odd_parameters)});
  document.tables = {std::move(table)};
  return document;
}

}  // namespace carom::scenario
