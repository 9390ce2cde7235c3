// Which stiffness and damping give a contact the restitution and the time of touch it is to have?
#include <cmath>
#include <limits>

#include "carom/contact/parameters.hpp"

#include "kind.hpp"
#include "normal_impact.hpp"
#include "parts/contact.hpp"
#include "pictures/colors.hpp"
#include "pictures/lines.hpp"

namespace carom::scenario {

namespace {

using report::Document, report::Plot, report::Point;
using Problem = ContactParametersProblem;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// As a file gives it: e may be a law of the speed.
struct Given : Problem {
  Restitution given_e;
};
Problem at_its_speed(const Given& given) {
  Problem problem = given;
  problem.e = compliant_restitution(given.given_e, given.speed.value_or(0.0));
  return problem;
}

Fields<Given> fields() {
  Fields<Given> all;
  all.optional("law", &Problem::law, choice<ContactLaw>(), "of the force (default gonthier)")
      .required("mass", &Problem::mass, number(Range::positive()), "[kg]; of two bodies m1 m2 / (m1 + m2)")
      .required("e", &Given::given_e, restitution_law(), restitution_words)
      .required("duration", &Problem::duration, number(Range::positive()), "of the touch [s]")
      .optional("exponent", &Problem::exponent, number(Range::positive()), "p (default 1.5, for linear 1)")
      .optional("speed", &Problem::speed, number(Range::positive()), "of approach [m/s], needed unless p = 1")
      .check({"e"},
             [](const Given& g, const Value& object, const Path& path, Mistakes& mistakes) {
               check_compliant_e(g.given_e, DampingLaw::gonthier, object, path, mistakes);
               if (!is_constant(g.given_e) && !g.speed)
                 mistakes.add_missing(path.at("speed"), object, "is required where e is a law of it");
             })
      .check({"law", "exponent", "speed"},
             [](const Given& p, const Value& object, const Path& path, Mistakes& mistakes) {
               const bool linear = p.law == ContactLaw::linear;
               if (linear && p.exponent.value_or(1.0) != 1.0)
                 mistakes.add(path.at("exponent"), place_of(object, "exponent"), "must be 1 for the law linear");
               else if (!p.speed && p.exponent.value_or(linear ? 1.0 : 1.5) != 1.0)
                 mistakes.add_missing(path.at("speed"), object, "is required unless the exponent is 1");
             });
  return all;
}

ContactParameters run(const Given& given, const RunRequest&) { return contact_parameters(at_its_speed(given)); }

Facts facts(const Given& problem, const ContactParameters& p) {
  const bool linear = problem.law == ContactLaw::linear;
  Facts all = {{"stiffness", "stiffness $k$", p.stiffness, linear ? "N/m" : "N/m$^p$"},
               {"damping", linear ? "damping $c$" : "damping $A$", p.damping, linear ? "N s/m" : ""},
               {"nominal_e", "restitution to give the law", p.nominal_e.value_or(missing), ""},
               {"max_indentation", "deepest indentation", p.max_indentation.value_or(missing), "m"},
               {"peak_force", "peak force", p.peak_force.value_or(missing), "N"}};
  if (linear) {
    all.push_back({"solref_time_constant", "MuJoCo solref: time constant", p.solref ? (*p.solref)[0] : missing, "s"});
    all.push_back({"solref_damping_ratio", "MuJoCo solref: damping ratio", p.solref ? (*p.solref)[1] : missing, ""});
  }
  if (!is_constant(problem.given_e))
    all.push_back({"restitution", "restitution at this speed, $e$", at_its_speed(problem).e, ""});
  return all;
}

Facts details(const Given&, const ContactParameters&) { return {}; }

/// Every law with what it needs for the same restitution and time of touch.
report::Table all_laws(const Problem& problem) {
  report::Table table{"laws", "The same restitution and time of touch from every law", {}};
  table.columns = {{"law", "law", ""},
                   {"stiffness", "$k$", "N/m$^p$"},
                   {"damping", "$A$, linear: $c$ [N s/m]", ""},
                   {"nominal_e", "give it $e$ =", ""},
                   {"max_indentation", "indentation", "m"},
                   {"peak_force", "peak force", "N"}};
  for (const auto& [law, called] : names_of<ContactLaw>) {
    Problem other = problem;
    other.law = law;
    if (law == ContactLaw::linear) other.exponent.reset();
    if (law != ContactLaw::linear && !other.speed && other.exponent.value_or(1.5) != 1.0) continue;
    const ContactParameters p = contact_parameters(other);
    table.add_row({std::string(called), p.stiffness, p.damping, p.nominal_e.value_or(missing),
                   p.max_indentation.value_or(missing), p.peak_force.value_or(missing)});
  }
  return table;
}

/// k d + c d' over the touch, in closed form.
std::vector<Point> linear_force(const Problem& problem) {
  Problem linear = problem;
  linear.law = ContactLaw::linear;
  linear.exponent.reset();
  const ContactParameters p = contact_parameters(linear);
  const double b = p.damping / (2.0 * problem.mass), w2 = p.stiffness / problem.mass - b * b,
               w = std::sqrt(std::abs(w2)), v = problem.speed.value_or(1.0);
  return sampled(0.0, problem.duration, 300, [&](double t) {
    const double s = w * t < 1e-9 ? t : (w2 > 0.0 ? std::sin(w * t) : std::sinh(w * t)) / w,
                 c = w2 > 0.0 ? std::cos(w * t) : std::cosh(w * t), decay = std::exp(-b * t);
    const double x = v * s * decay, rate = v * decay * (c - b * s);
    return std::max(0.0, p.stiffness * x + p.damping * rate);
  });
}

Plot forces(const Problem& problem) {
  Plot plot =
      empty_plot("force", "Force over the touch",
                 "Both deliver the same restitution in the same time. The linear spring and damper starts with a "
                 "jump: its damper feels the full speed at once.",
                 "time [s]", "force [N]");
  const double v = problem.speed.value_or(1.0),
               p = problem.law == ContactLaw::linear ? 1.5 : problem.exponent.value_or(1.5);
  Problem smooth = problem;
  smooth.law = ContactLaw::gonthier;
  smooth.exponent = p;
  smooth.speed = v;
  const ContactParameters found = contact_parameters(smooth);
  std::vector<Point> points;
  for (const TouchSample& s : touch_samples(problem.mass, found.stiffness, p, found.damping, v, 300))
    points.push_back({s.t, s.force});
  plot.curves.push_back(
      line(std::move(points), colors[0], "$k \\delta^{" + number_text(p) + "} (1 + A \\delta'/v_i)$"));
  plot.curves.push_back(line(linear_force(problem), colors[1], "$k \\delta + c \\delta'$"));
  return plot;
}

Document describe(const Given& given, const ContactParameters& p) {
  const Problem problem = at_its_speed(given);
  Document document;
  document.summary = "Give your engine this stiffness and damping, and it delivers this restitution in this time.";
  if (problem.law == ContactLaw::linear)
    document.summary +=
        " MuJoCo does with constant impedance (solimp dmin = dmax), refsafe off and steps that are short against the "
        "touch.";
  document.tables.push_back(all_laws(problem));
  document.plots.push_back(forces(problem));
  if (p.flags.has(ContactParametersFlag::out_of_reach))
    document.notes.push_back("out_of_reach: no e in [0, 1] gives this law the damping it would need.");
  if (p.flags.has(ContactParametersFlag::undamped))
    document.notes.push_back("undamped: e = 1 needs no damper; MuJoCo's time constant would be infinite.");
  if (p.flags.has(ContactParametersFlag::no_speed))
    document.notes.push_back("no_speed: indentation and force are drawn for 1 m/s and grow with the speed.");
  return document;
}

}  // namespace

Kind contact_parameters_kind() {
  return make_kind<Given, ContactParameters>({"contact_parameters", "",
                                              "Stiffness and damping for a restitution and a time of touch", fields(),
                                              run, facts, details, describe});
}

}  // namespace carom::scenario
