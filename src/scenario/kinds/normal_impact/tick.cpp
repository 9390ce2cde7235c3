// Will a fixed tick survive this contact? The steps with which explicit methods of order 3 stay bounded, and with which
// they are accurate, against stiffness, damping of the bristles and mass.
#include <cmath>
#include <functional>
#include <limits>

#include "carom/contact/normal_force.hpp"
#include "carom/motion/stepper.hpp"

#include "kind.hpp"
#include "parts/contact.hpp"
#include "pictures/lines.hpp"

namespace carom::scenario {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

using report::Color, report::Dash, report::Document, report::Plot, report::Point;

struct TickScenario {
  double mass = 1.0, stiffness = 1e6, exponent = 1.5, speed = 1.0, tick = 1e-3;
  Restitution e;
  std::optional<double> tangential_mass, slip, load;
  GivenFriction friction;
};

struct TickAnswer {
  double touch = 0.0, accurate = 0.0, stable = 0.0;
  double stable_lugre = 0.0;  ///< with the same numbers under LuGre; none without coefficients
};

Fields<TickScenario> fields() {
  using S = TickScenario;
  Fields<S> all;
  all.required("mass", &S::mass, number(Range::positive()), "that the contact shows along the normal [kg]")
      .optional("tangential_mass", &S::tangential_mass, number(Range::positive()),
                "and across it [kg] (default 2/7 of the mass: a solid ball)")
      .required("stiffness", &S::stiffness, number(Range::positive()), "k [N/m^p]")
      .optional("exponent", &S::exponent, number(Range::positive()), "p (default 1.5)")
      .required("e", &S::e, restitution_law(), restitution_words)
      .required("speed", &S::speed, number(Range::positive()), "of approach [m/s]")
      .required("friction", &S::friction, bristle_friction(false), "bristles; their coefficients matter for lugre only")
      .optional("slip", &S::slip, number(Range::at_least(0.0)), "for lugre [m/s] (default the speed)")
      .optional("load", &S::load, number(Range::at_least(0.0)), "for lugre [N] (default the weight, 9.81 m/s^2 mass)")
      .optional("tick", &S::tick, number(Range::positive()), "[s] (default 1e-3)")
      .check({"e"}, [](const S& s, const Value& object, const Path& path,
                       Mistakes& mistakes) { check_compliant_e(s.e, DampingLaw::gonthier, object, path, mistakes); })
      .check({"friction"}, [](const S& s, const Value& object, const Path& path, Mistakes& mistakes) {
        const Value& friction = *object.find("friction");
        const Path inside = path.at("friction");
        check_coefficients(s.friction, friction, inside, mistakes);
        const bool lugre = s.friction.model == FrictionModel::lugre;
        if (lugre && !s.friction.given_mu_s) mistakes.add_missing(inside.at("mu_s"), friction, "is required for lugre");
        if (lugre && !s.friction.given_mu_c) mistakes.add_missing(inside.at("mu_c"), friction, "is required for lugre");
      });
  return all;
}

TickAnswer answer_for(const TickScenario& s) {
  const ContactSurface surface{s.stiffness, s.exponent, s.e, s.friction};
  const double across = s.tangential_mass.value_or(2.0 / 7.0 * s.mass);
  const Sliding sliding{s.slip.value_or(s.speed), s.load.value_or(9.81 * s.mass)};
  ContactSurface lugre = surface;
  lugre.friction.model = FrictionModel::lugre;
  return {normal_impact({DampingLaw::gonthier, s.mass, s.stiffness, s.exponent, s.e, s.speed}).duration,
          accurate_substep(surface, s.mass, across, s.speed, sliding),
          stable_substep(surface, s.mass, across, s.speed, sliding),
          s.friction.given_mu_s && s.friction.given_mu_c ? stable_substep(lugre, s.mass, across, s.speed, sliding)
                                                         : missing};
}

TickAnswer run(const TickScenario& s, const RunRequest&) { return answer_for(s); }

Facts facts(const TickScenario& s, const TickAnswer& a) {
  return {{"verdict", "at this tick the contact",
           std::string(s.tick <= a.accurate ? "is accurate"
                       : s.tick <= a.stable ? "survives"
                                            : "explodes"),
           ""},
          {"touch", "time of touch", a.touch, "s"},
          {"stable_step", "longest step that stays bounded", a.stable, "s"},
          {"accurate_step", "longest accurate step", a.accurate, "s"},
          {"lugre_step", "longest step that stays bounded with LuGre in slip", a.stable_lugre, "s"},
          {"substeps", "substeps a tick needs", std::ceil(s.tick / a.accurate * (1.0 - 1e-12)), ""},
          {"stable_margin", "$\\log_{10}$ (stable step / tick)", std::log10(a.stable / s.tick), ""},
          {"accurate_margin", "$\\log_{10}$ (accurate step / tick)", std::log10(a.accurate / s.tick), ""}};
}

Facts details(const TickScenario&, const TickAnswer&) { return {}; }

/// Both steps while one number goes through six decades around its value.
Plot against(const TickScenario& s, const char* name, const char* label,
             const std::function<double&(TickScenario&)>& member) {
  Plot plot = empty_plot(name, (std::string("Steps against ") + label).c_str(),
                         "Below the upper line steps of order 3 stay bounded, below the lower one they are accurate.",
                         label, "step [s]");
  plot.x.logarithmic = plot.y.logarithmic = true;
  std::vector<Point> stable, accurate;
  TickScenario other = s;
  const double here = member(other);
  for (int i = 0; i <= 120; ++i) {
    const double value = here * std::pow(10.0, -3.0 + i / 20.0);
    member(other) = value;
    const TickAnswer a = answer_for(other);
    stable.push_back({value, a.stable});
    accurate.push_back({value, a.accurate});
  }
  const TickAnswer now = answer_for(s);
  plot.curves = {line(std::move(stable), Color::blue, "stays bounded"),
                 line(std::move(accurate), Color::green, "accurate", Dash::dashed),
                 line({{here * 1e-3, s.tick}, {here * 1e3, s.tick}}, Color::red, "tick", Dash::dotted)};
  plot.markers = {{{here, now.stable}, report::MarkerShape::circle, Color::blue, "", ""},
                  {{here, now.accurate}, report::MarkerShape::circle, Color::green, "", ""}};
  return plot;
}

/// The longest bounded step while the speed of slip goes through six decades: LuGre's falls with it.
Plot over_slip(const TickScenario& s) {
  Plot plot =
      empty_plot("over_slip", "Steps against slip, beside LuGre",
                 "LuGre's bristles give way at the rate $\\sigma_0 |v|/g$: the faster the slip, the shorter the "
                 "steps. With a dwell time the speed does not matter.",
                 "slip [m/s]", "longest bounded step [s]");
  plot.x.logarithmic = plot.y.logarithmic = true;
  std::vector<Point> dwell, lugre;
  TickScenario other = s;
  other.friction.model = FrictionModel::dwell;
  const double first = 1e-2 * s.friction.v_s, last = 1e6 * first;
  for (int i = 0; i <= 120; ++i) {
    other.slip = first * std::pow(10.0, i / 20.0);
    const TickAnswer a = answer_for(other);
    dwell.push_back({*other.slip, a.stable});
    lugre.push_back({*other.slip, a.stable_lugre});
  }
  plot.curves = {line(std::move(dwell), Color::blue, "dwell time"),
                 line(std::move(lugre), Color::muted, "LuGre", Dash::dashed),
                 line({{first, s.tick}, {last, s.tick}}, Color::red, "tick", Dash::dotted)};
  return plot;
}

/// What a contact is: depth, normal, and the point of action at the lever R.
Plot sketch() {
  Plot plot =
      empty_plot("contact", "The contact",
                 "A ball deep in a plane, much exaggerated. The force acts at the lever $R$ from the centre, along "
                 "the normal $n$ and against the slip.",
                 "", "");
  plot.bare = plot.equal_scale = true;
  constexpr double depth = 0.18;
  std::vector<Point> ball;
  for (int i = 0; i < 96; ++i)
    ball.push_back({std::cos(2.0 * M_PI * i / 96.0), 1.0 - depth + std::sin(2.0 * M_PI * i / 96.0)});
  plot.curves = {{std::move(ball), {Color::blue, Dash::solid, 2.0}, "", true},
                 {{{-1.8, 0.0}, {1.8, 0.0}}, {Color::ink, Dash::solid, 2.0}, ""},
                 {{{0.0, 1.0 - depth}, {0.0, -depth}}, {Color::muted, Dash::dashed, 1.6}, ""},
                 {{{-1.3, 0.0}, {-1.3, 0.6}}, {Color::orange, Dash::solid, 2.0}, "", false, true},
                 {{{0.0, -depth}, {1.4, -depth}}, {Color::muted, Dash::dotted, 1.4}, ""}};
  plot.markers = {{{0.0, 1.0 - depth}, report::MarkerShape::circle, Color::blue, "centre", ""},
                  {{0.0, -depth}, report::MarkerShape::cross, Color::red, "point of action", ""},
                  {{1.5, -0.5 * depth}, report::MarkerShape::none, Color::muted, "$\\delta$", ""},
                  {{-1.3, 0.7}, report::MarkerShape::none, Color::orange, "$n$", ""},
                  {{0.1, 0.5 * (1.0 - depth)}, report::MarkerShape::none, Color::muted, "$R$", ""}};
  return plot;
}

Document describe(const TickScenario& s, const TickAnswer& a) {
  Document document;
  document.summary = s.tick <= a.accurate ? "The tick is short enough for this contact."
                     : s.tick <= a.stable ? "The contact survives this tick, but it is not accurate: take substeps."
                                          : "Explicit steps of this length explode: take substeps.";
  document.plots = {
      sketch(),
      against(s, "over_stiffness", "stiffness $k$ [N/m$^p$]", [](TickScenario& t) -> double& { return t.stiffness; }),
      against(s, "over_sigma1", "damping of the bristles $\\sigma_1$ [N s/m]",
              [](TickScenario& t) -> double& { return t.friction.sigma1; }),
      against(s, "over_mass", "mass [kg]", [](TickScenario& t) -> double& { return t.mass; })};
  if (s.friction.given_mu_s && s.friction.given_mu_c) document.plots.push_back(over_slip(s));
  return document;
}

}  // namespace

Kind tick_kind() {
  return make_kind<TickScenario, TickAnswer>(
      {"tick", "", "Will a fixed tick survive this contact?", fields(), run, facts, details, describe});
}

}  // namespace carom::scenario
