#include "carom/motion/pendulum_impact.hpp"

#include <cmath>

#include "carom/core/error.hpp"

#include "model.hpp"
#include "parts/contact.hpp"
#include "parts/links.hpp"

namespace carom::scenario {

namespace {

struct Problem {
  std::vector<double> lengths, masses;
  Inertias inertias;
  Eigen::VectorXd angles, rates;
  AngleConvention convention = AngleConvention::relative;
  PendulumImpactLaw law = PendulumImpactLaw::regularized;
  Restitution e;
  std::optional<double> mu, stiffness, exponent, gravity;
  std::optional<GivenFriction> friction;
};

bool rigid(const Problem& p) { return p.law != PendulumImpactLaw::regularized; }

/// One per link, once both lists could be read.
void check_size(const char* name, std::size_t size, const Problem& p, const Value& object, const Path& path,
                Mistakes& mistakes) {
  if (size == p.lengths.size()) return;
  mistakes.add(path.at(name), place_of(object, name),
               "must be as many as `lengths`, " + std::to_string(p.lengths.size()) + ", got " + std::to_string(size));
}

void check_masses(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  check_size("masses", p.masses.size(), p, object, path, mistakes);
}
void check_inertias(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!p.inertias.points) check_size("inertias", p.inertias.values.size(), p, object, path, mistakes);
}
void check_angles(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  check_size("angles", static_cast<std::size_t>(p.angles.size()), p, object, path, mistakes);
}
void check_rates(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  check_size("rates", static_cast<std::size_t>(p.rates.size()), p, object, path, mistakes);
}

/// What goes with the law, and what does not.
void check_law(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  for (const char* name : {"stiffness", "exponent", "friction", "gravity"}) {
    const Value* given = object.find(name);
    const bool there = given != nullptr && !given->is_null();
    if (rigid(p) && there)
      mistakes.add(path.at(name), given->place(), "goes with the law regularized only");
    else if (!rigid(p) && !there)
      mistakes.add_missing(path.at(name), object, "is required with the law regularized");
  }
  const Value* mu = object.find("mu");
  if (rigid(p) && (mu == nullptr || mu->is_null())) mistakes.add_missing(path.at("mu"), object, "is required");
}

void check_e(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!rigid(p)) check_compliant_e(p.e, DampingLaw::gonthier, object, path, mistakes);
}

void check_friction(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  if (rigid(p) || p.mu || !p.friction) return;
  const Path inside = path.at("friction");
  const Value* friction = object.find("friction");
  if (!p.friction->given_mu_s) mistakes.add_missing(inside.at("mu_s"), *friction, "is required (or `mu`)");
  if (!p.friction->given_mu_c) mistakes.add_missing(inside.at("mu_c"), *friction, "is required (or `mu`)");
  scenario::check_coefficients(*p.friction, *friction, inside, mistakes);
}

PendulumImpactProblem typed(const Problem& p) {
  PendulumImpactProblem problem;
  const double gravity = p.gravity.value_or(0.0);
  problem.chain = chain_of(p.lengths, p.masses, p.inertias, gravity);
  problem.angles = p.angles;
  problem.rates = p.rates;
  problem.convention = p.convention;
  problem.law = p.law;
  problem.e = p.e;
  problem.mu = p.mu.value_or(0.0);
  if (rigid(p)) return problem;
  problem.surface = {*p.stiffness, *p.exponent, p.e, *p.friction};
  if (p.mu) problem.surface.friction.mu_s = problem.surface.friction.mu_c = *p.mu;
  return problem;
}

Fields<Problem> problem() {
  const auto positive = list_of(number(Range::positive()), 1, most_links);
  Fields<Problem> fields = row_fields<Problem>();
  fields.required("lengths", &Problem::lengths, positive, "of the links [m]")
      .required("masses", &Problem::masses, positive, "[kg]")
      .required("inertias", &Problem::inertias, link_inertias(), "about the centres [kg m^2], or \"point\"")
      .required("angles", &Problem::angles, vector_of_any_size(), "from straight down [rad]")
      .required("rates", &Problem::rates, vector_of_any_size(), "[rad/s]")
      .required("angle_convention", &Problem::convention, choice<AngleConvention>(), "of angles and rates")
      .required("e", &Problem::e, restitution_law(), "coefficient of restitution")
      .optional("mu", &Problem::mu, number(Range::at_least(0.0)), "friction; replaces both coefficients of `friction`")
      .required("law", &Problem::law, choice<PendulumImpactLaw>(), "forces over time, or a rigid law")
      .optional("stiffness", &Problem::stiffness, number(Range::positive()), "k [N/m^p]")
      .optional("exponent", &Problem::exponent, number(Range::positive()), "p")
      .optional("friction", &Problem::friction, bristle_friction(false), "of the tip on the floor")
      .optional("gravity", &Problem::gravity, number(Range::at_least(0.0)), "[m/s^2]")
      .check({"lengths", "masses"}, check_masses)
      .check({"lengths", "inertias"}, check_inertias)
      .check({"lengths", "angles"}, check_angles)
      .check({"lengths", "rates"}, check_rates)
      .check({"law"}, check_law)
      .check({"law", "e"}, check_e)
      .check({"law", "friction", "mu"}, check_friction);
  return fields;
}

struct Answer {
  PendulumVerdict verdict = PendulumVerdict::no_impact;
  std::optional<double> loss_fraction;
  std::optional<Eigen::VectorXd> rates_after;
  std::optional<Eigen::Vector2d> impulse;
  ForcesFlags flags;
};

/// The row's name for a member of the library's problem: links[1].length is lengths[1].
std::string row_field(std::string field, const Problem& given) {
  constexpr std::string_view links = "chain.links[", surface = "surface.", chain = "chain.";
  if (field.starts_with(links)) {
    const std::size_t end = field.find(']');
    const std::string number = field.substr(links.size() - 1, end + 2 - links.size()), member = field.substr(end + 2);
    return (member == "length" ? "lengths" : member == "mass" ? "masses" : "inertias") + number;
  }
  for (const std::string_view part : {surface, chain})
    if (field.starts_with(part)) field = field.substr(part.size());
  if (given.mu && (field == "friction.mu_s" || field == "friction.mu_c")) return "mu";
  return field;
}

Answer solve(const Problem& given) {
  PendulumImpact impact;
  try {
    impact = pendulum_impact(typed(given));
  } catch (const InvalidInput& error) {
    throw InvalidInput(row_field(error.field(), given), error.message());
  }
  Answer answer;
  answer.verdict = impact.verdict;
  answer.flags.set(ForcesFlag::event_limit, impact.limited);
  if (impact.verdict == PendulumVerdict::sticks) return answer;
  answer.loss_fraction = impact.loss_fraction;
  answer.flags.set(ForcesFlag::overflow, !std::isfinite(impact.loss_fraction) || !impact.rates_after.allFinite() ||
                                             !impact.impulse.allFinite());
  answer.rates_after = impact.rates_after;
  answer.impulse = impact.impulse;
  return answer;
}

Fields<Answer> result() {
  Fields<Answer> fields;
  fields.required("verdict", &Answer::verdict, choice<PendulumVerdict>(), "what came of it")
      .required("loss_fraction", &Answer::loss_fraction, nullable(number()), "of the kinetic energy before")
      .required("rates_after", &Answer::rates_after, nullable(vector_of_any_size()), "[rad/s]")
      .required("impulse", &Answer::impulse, nullable(vector<2>()), "on the tip [N s], (t, n)")
      .required("flags", &Answer::flags, flag_names<ForcesFlag>(), "what to know beside");
  return fields;
}

}  // namespace

RowModel pendulum_impact_rows() { return row_model("pendulum_impact", problem(), solve, result()); }

}  // namespace carom::scenario
