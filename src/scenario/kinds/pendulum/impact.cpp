// What does it cost a pendulum to strike the floor with its tip? Forces over time beside the rigid laws: Gonthier et
// al. 2004, Figures 22 and 23.
#include <cmath>
#include <limits>

#include "carom/contact/rigid_limit.hpp"
#include "carom/core/contact_space.hpp"
#include "carom/motion/pendulum_impact.hpp"

#include "kind.hpp"
#include "parts/contact.hpp"
#include "parts/links.hpp"
#include "pictures/colors.hpp"
#include "pictures/lines.hpp"

namespace carom::scenario {

namespace {

using Eigen::Vector2d, Eigen::VectorXd;
using report::Color, report::Dash, report::Document, report::Plot, report::Point;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct TipScenario {
  std::vector<double> lengths, masses, angles, rates;
  Inertias inertias;
  AngleConvention convention = AngleConvention::relative;
  Restitution e;
  double mu = 0.0, stiffness = 1e9, exponent = 1.5, gravity = 9.81;
  GivenFriction friction;
  std::vector<double> compare, stiffening;
};

/// What each law makes of it; the last is what the regularized one tends to when everything stiffens.
struct Losses {
  double regularized = missing, energetic = missing, poisson = missing, newton = missing, limit = missing;
};

struct TipRun {
  PendulumImpact regularized;
  Losses losses;  // [%]
  std::vector<double> mus;
  std::vector<Losses> over_mu;
  std::vector<std::vector<Losses>> compared;  // for other restitutions
  std::vector<double> stiffened;              // the loss at each v_s of `stiffening`
};

void check_sizes(const TipScenario& s, const Value& object, const Path& path, Mistakes& mistakes) {
  const auto check = [&](const char* name, std::size_t size) {
    if (size != s.lengths.size())
      mistakes.add(
          path.at(name), place_of(object, name),
          "must be as many as `lengths`, " + std::to_string(s.lengths.size()) + ", got " + std::to_string(size));
  };
  check("masses", s.masses.size());
  check("angles", s.angles.size());
  check("rates", s.rates.size());
  if (!s.inertias.points) check("inertias", s.inertias.values.size());
}

Fields<TipScenario> fields() {
  using S = TipScenario;
  const auto positive = list_of(number(Range::positive()), 1, most_links);
  const auto turns = list_of(angle(), 1, most_links);
  Fields<S> all;
  all.required("lengths", &S::lengths, positive, "of the links [m]")
      .required("masses", &S::masses, positive, "[kg]")
      .required("inertias", &S::inertias, link_inertias(), "about the centres [kg m^2], or point")
      .required("angles", &S::angles, turns, "from straight down [rad], at the touch")
      .required("rates", &S::rates, list_of(number(), 1, most_links), "[rad/s]")
      .optional("angle_convention", &S::convention, choice<AngleConvention>(), "of angles and rates (default relative)")
      .required("e", &S::e, restitution_law(), restitution_words)
      .required("mu", &S::mu, number(Range::at_least(0.0)), "friction")
      .optional("stiffness", &S::stiffness, number(Range::positive()), "k [N/m^p] (default 1e9)")
      .optional("exponent", &S::exponent, number(Range::positive()), "p (default 1.5)")
      .optional("gravity", &S::gravity, number(Range::at_least(0.0)), "[m/s^2] (default 9.81)")
      .required("friction", &S::friction, bristle_friction(false), "bristles of the tip; mu replaces mu_s and mu_c")
      .optional("compare", &S::compare, list_of(number(Range::between(0.01, 1.0)), 1, 4),
                "other restitutions, drawn over friction too")
      .optional("stiffening", &S::stiffening, list_of(number(Range::positive()), 2, 20),
                "Stribeck speeds [m/s], falling, at which to show what the losses tend to: gravity off, stiffness and "
                "sigma0 growing with 1/v_s^2 from their values at the first")
      .check({"lengths", "masses", "inertias", "angles", "rates"}, check_sizes)
      .check({"e"}, [](const S& s, const Value& object, const Path& path, Mistakes& mistakes) {
        check_compliant_e(s.e, DampingLaw::gonthier, object, path, mistakes);
      });
  return all;
}

PendulumImpactProblem problem_of(const TipScenario& s, const Restitution& e, double mu) {
  PendulumImpactProblem p;
  p.chain = chain_of(s.lengths, s.masses, s.inertias, s.gravity);
  p.angles = Eigen::Map<const VectorXd>(s.angles.data(), static_cast<Eigen::Index>(s.angles.size()));
  p.rates = Eigen::Map<const VectorXd>(s.rates.data(), static_cast<Eigen::Index>(s.rates.size()));
  p.convention = s.convention;
  p.mu = mu;
  p.e = e;
  p.surface = {s.stiffness, s.exponent, e, s.friction};
  p.surface.friction.mu_s = p.surface.friction.mu_c = mu;
  return p;
}

Losses losses_of(PendulumImpactProblem p) {
  Losses all;
  const auto loss = [&](PendulumImpactLaw law) {
    p.law = law;
    const PendulumImpact impact = pendulum_impact(p);
    return impact.verdict == PendulumVerdict::separated || impact.verdict == PendulumVerdict::no_impact
               ? 100.0 * impact.loss_fraction
               : missing;
  };
  all.regularized = loss(PendulumImpactLaw::regularized);
  all.energetic = loss(PendulumImpactLaw::energetic);
  all.poisson = loss(PendulumImpactLaw::poisson);
  all.newton = loss(PendulumImpactLaw::newton);
  const VectorXd angles = absolute_angles(p.convention, p.angles), rates = absolute_angles(p.convention, p.rates);
  const MechanicalSystem system = tip_system(p.chain, angles, rates);
  const PlanarContactSpace space = planar_contact_space(system);
  MechanicalSystem after = system;
  const double e = compliant_restitution(p.e, -space.velocity[1]);
  after.velocity = velocity_after(system, rigid_limit(space.inverse_inertia, space.velocity, p.mu, e));
  all.limit = 100.0 * (1.0 - kinetic_energy(after) / kinetic_energy(system));
  return all;
}

/// What is lost when everything is stiffer, as v_s goes to zero.
double stiffened_loss(const TipScenario& s, double v_s) {
  PendulumImpactProblem p = problem_of(s, s.e, s.mu);
  const double grown = std::pow(s.stiffening.front() / v_s, 2.0);
  p.chain.gravity = 0.0;
  p.surface.stiffness *= grown;
  p.surface.friction.v_s = v_s;
  p.surface.friction.sigma0 *= grown;
  p.surface.friction.sigma1 *= std::sqrt(grown);
  const PendulumImpact impact = pendulum_impact(p);
  return impact.verdict == PendulumVerdict::separated ? 100.0 * impact.loss_fraction : missing;
}

TipRun run(const TipScenario& s, const RunRequest& request) {
  TipRun run;
  const PendulumImpactProblem p = problem_of(s, s.e, s.mu);
  run.regularized = pendulum_impact(p);
  run.losses = losses_of(p);
  if (!request.pictures) return run;
  for (int i = 0; i <= 20; ++i) run.mus.push_back(0.05 * i);
  const auto over_mu = [&](const Restitution& e) {
    std::vector<Losses> all;
    for (const double mu : run.mus) all.push_back(losses_of(problem_of(s, e, mu)));
    return all;
  };
  run.over_mu = over_mu(s.e);
  for (const double e : s.compare) run.compared.push_back(over_mu(e));
  for (const double v_s : s.stiffening) run.stiffened.push_back(stiffened_loss(s, v_s));
  return run;
}

Facts facts(const TipScenario&, const TipRun& run) {
  return {{"verdict", "verdict", std::string(name(run.regularized.verdict)), ""},
          {"loss", "energy lost, forces over time", run.losses.regularized, "%"},
          {"loss_limit", "what that tends to when all stiffens", run.losses.limit, "%"},
          {"loss_energetic", "energetic law", run.losses.energetic, "%"},
          {"loss_poisson", "Poisson's law", run.losses.poisson, "%"},
          {"loss_newton", "Newton's law", run.losses.newton, "%"},
          {"impulse_t", "impulse along the floor", run.regularized.impulse[0], "N s"},
          {"impulse_n", "impulse of the floor", run.regularized.impulse[1], "N s"},
          {"duration", "time of touch", run.regularized.duration, "s"}};
}

Facts details(const TipScenario&, const TipRun&) { return {}; }

std::vector<Point> curve_of(const TipRun& run, const std::vector<Losses>& losses, double Losses::*member) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < losses.size(); ++i)
    if (std::isfinite(losses[i].*member)) points.push_back({run.mus[i], losses[i].*member});
  return points;
}

/// "$e = 0.5$"
std::string words_of(const Restitution& e) {
  const auto* number = std::get_if<double>(&e.law());
  return number != nullptr ? "$e = " + number_text(*number) + "$" : "$e$ by its law";
}

Plot laws_plot(const TipScenario& s, const TipRun& run) {
  Plot plot = empty_plot("laws", "Energy lost over friction, law by law",
                         "Forces over time beside the rigid laws. Newton's law may create energy: below zero.",
                         "friction $\\mu$", "energy lost [%]");
  plot.title += " (" + words_of(s.e) + ")";
  plot.curves = {line(curve_of(run, run.over_mu, &Losses::regularized), Color::blue, "forces over time"),
                 line(curve_of(run, run.over_mu, &Losses::limit), Color::ink, "its stiff limit", Dash::dotted),
                 line(curve_of(run, run.over_mu, &Losses::energetic), Color::green, "energetic", Dash::dashed),
                 line(curve_of(run, run.over_mu, &Losses::poisson), Color::orange, "Poisson", Dash::dash_dot),
                 line(curve_of(run, run.over_mu, &Losses::newton), Color::red, "Newton", Dash::dashed)};
  plot.y.low = -20.0;
  plot.y.high = 60.0;
  return plot;
}

Plot restitutions_plot(const TipScenario& s, const TipRun& run) {
  Plot plot = empty_plot("losses", "Energy lost over friction", "Solid: forces over time. Dashed: energetic law.",
                         "friction $\\mu$", "energy lost [%]");
  const auto add = [&](const std::vector<Losses>& losses, const Restitution& e, std::size_t i) {
    plot.curves.push_back(
        line(curve_of(run, losses, &Losses::regularized), colors[i % std::size(colors)], words_of(e)));
    plot.curves.push_back(
        line(curve_of(run, losses, &Losses::energetic), colors[i % std::size(colors)], "", Dash::dashed));
  };
  add(run.over_mu, s.e, 0);
  for (std::size_t i = 0; i < run.compared.size(); ++i) add(run.compared[i], s.compare[i], i + 1);
  return plot;
}

/// How the losses come nearer to what they tend to.
Plot limit_plot(const TipScenario& s, const TipRun& run) {
  Plot plot = empty_plot("limit", "What is left when everything stiffens",
                         "Distance of the energy lost from the stiff limit and from the energetic law. It goes to zero "
                         "with $v_S$ for the limit only: where $e < 1$ and slip stops, that is a law of its own.",
                         "$v_S$ [m/s]", "distance [percentage points]");
  plot.x.logarithmic = plot.y.logarithmic = true;
  std::vector<Point> limit, energetic;
  for (std::size_t i = 0; i < run.stiffened.size(); ++i) {
    const double to_limit = std::abs(run.stiffened[i] - run.losses.limit),
                 to_energetic = std::abs(run.stiffened[i] - run.losses.energetic);
    if (to_limit > 0.0) limit.push_back({s.stiffening[i], to_limit});
    if (to_energetic > 0.0) energetic.push_back({s.stiffening[i], to_energetic});
  }
  plot.curves = {line(std::move(limit), Color::blue, "to the stiff limit"),
                 line(std::move(energetic), Color::green, "to the energetic law", Dash::dashed)};
  return plot;
}

Plot drawing(const TipScenario& s) {
  Plot plot = empty_plot("pendulum", "The pendulum at the touch", "", "", "");
  plot.bare = plot.equal_scale = true;
  const PendulumImpactProblem p = problem_of(s, s.e, s.mu);
  const VectorXd angles = absolute_angles(p.convention, p.angles);
  Point at{0.0, 0.0};
  std::vector<Point> links = {at};
  double reach = 0.0;
  for (Eigen::Index i = 0; i < angles.size(); ++i) {
    const double length = p.chain.links[static_cast<std::size_t>(i)].length;
    at.x += length * std::sin(angles[i]);
    at.y -= length * std::cos(angles[i]);
    reach += length;
    links.push_back(at);
    plot.markers.push_back({at, report::MarkerShape::circle, Color::blue, "", ""});
  }
  plot.curves.push_back({links, {Color::blue, Dash::solid, 3.0}, ""});
  plot.curves.push_back({{{at.x - 0.4 * reach, at.y}, {at.x + 0.4 * reach, at.y}}, {Color::ink, Dash::solid, 2.0}, ""});
  plot.markers.push_back({{0.0, 0.0}, report::MarkerShape::square, Color::ink, "hinge", ""});
  return plot;
}

Document describe(const TipScenario& s, const TipRun& run) {
  Document document;
  switch (run.regularized.verdict) {
    case PendulumVerdict::separated:
      document.summary = "The tip strikes the floor and leaves it again.";
      break;
    case PendulumVerdict::no_impact:
      document.summary = "The tip does not approach the floor: nothing happens.";
      break;
    default:
      document.summary = "The tip does not leave the floor within a second.";
  }
  report::Table table{"losses", "Energy lost over friction", {}};
  table.columns = {{"mu", "$\\mu$", ""},
                   {"regularized", "forces over time", "%"},
                   {"limit", "its stiff limit", "%"},
                   {"energetic", "energetic", "%"},
                   {"poisson", "Poisson", "%"},
                   {"newton", "Newton", "%"}};
  for (std::size_t i = 0; i < run.mus.size(); i += 2) {
    const Losses& l = run.over_mu[i];
    table.add_row({run.mus[i], l.regularized, l.limit, l.energetic, l.poisson, l.newton});
  }
  document.tables.push_back(std::move(table));
  document.plots = {drawing(s), laws_plot(s, run), restitutions_plot(s, run)};
  if (!run.stiffened.empty()) {
    report::Table limit{"stiffening", "What it tends to when everything stiffens", {}};
    limit.columns = {{"v_s", "$v_S$", "m/s"},
                     {"loss", "energy lost", "%"},
                     {"from_limit", "from the stiff limit", "points"},
                     {"from_energetic", "from the energetic law", "points"}};
    for (std::size_t i = 0; i < run.stiffened.size(); ++i)
      limit.add_row({s.stiffening[i], run.stiffened[i], run.stiffened[i] - run.losses.limit,
                     run.stiffened[i] - run.losses.energetic});
    document.tables.push_back(std::move(limit));
    document.plots.push_back(limit_plot(s, run));
  }
  if (run.losses.newton < -1e-9) document.notes.push_back("Newton's law creates energy here.");
  return document;
}

}  // namespace

Kind pendulum_impact_kind() {
  return make_kind<TipScenario, TipRun>({"pendulum", "impact",
                                         "A pendulum strikes the floor with its tip: what it costs", fields(), run,
                                         facts, details, describe});
}

}  // namespace carom::scenario
