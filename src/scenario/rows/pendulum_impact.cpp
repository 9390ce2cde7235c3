#include "carom/motion/pendulum_impact.hpp"

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

void check_sizes(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  const auto check = [&](const char* name, std::size_t size) {
    if (size == p.lengths.size()) return;
    mistakes.add(path.at(name), place_of(object, name),
                 "must be as many as `lengths`, " + std::to_string(p.lengths.size()) + ", got " + std::to_string(size));
  };
  if (!p.masses.empty()) check("masses", p.masses.size());
  if (!p.inertias.values.empty()) check("inertias", p.inertias.values.size());
  if (p.angles.size() > 0) check("angles", static_cast<std::size_t>(p.angles.size()));
  if (p.rates.size() > 0) check("rates", static_cast<std::size_t>(p.rates.size()));
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

void check_coefficients(const Problem& p, const Value& object, const Path& path, Mistakes& mistakes) {
  if (rigid(p) || p.mu || !p.friction) return;
  const Path inside = path.at("friction");
  const Value* friction = object.find("friction");
  if (!p.friction->given_mu_s) mistakes.add_missing(inside.at("mu_s"), *friction, "is required (or `mu`)");
  if (!p.friction->given_mu_c) mistakes.add_missing(inside.at("mu_c"), *friction, "is required (or `mu`)");
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
      .check({"lengths"}, check_sizes)
      .check({"law"}, check_law)
      .check({"law", "e"}, check_e)
      .check({"law", "friction", "mu"}, check_coefficients);
  return fields;
}

struct Answer {
  PendulumVerdict verdict = PendulumVerdict::no_impact;
  std::optional<double> loss_fraction;
  std::optional<Eigen::VectorXd> rates_after;
  std::optional<Eigen::Vector2d> impulse;
  ForcesFlags flags;
};

Answer solve(const Problem& given) {
  const PendulumImpact impact = pendulum_impact(typed(given));
  Answer answer;
  answer.verdict = impact.verdict;
  answer.flags.set(ForcesFlag::event_limit, impact.verdict == PendulumVerdict::event_limit);
  if (impact.verdict == PendulumVerdict::sticks || impact.verdict == PendulumVerdict::event_limit) return answer;
  answer.loss_fraction = impact.loss_fraction;
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
