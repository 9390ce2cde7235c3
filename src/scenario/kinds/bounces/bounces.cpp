// A ball bounces again and again on the ground, with friction and a contact that gives sideways; between bounces it
// flies under gravity, its spin unchanged (Jia 2012, section 8.1.2).
#include "carom/motion/bounces.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "carom/core/error.hpp"
#include "carom/core/shape.hpp"
#include "carom/motion/time_of_impact.hpp"

#include "kind.hpp"
#include "parts/compliant.hpp"
#include "parts/impact.hpp"
#include "parts/spatial.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Curve;
using report::Dash;
using report::Document;
using report::Plot;
using report::Point;
using report::Table;

struct BouncesScenario {
  double mass = 1.0, radius = 1.0, gravity = standard_gravity;
  bool hollow = false;
  Eigen::Vector3d velocity, angular_velocity = Eigen::Vector3d::Zero();
  CompliantSurface surface;
  Reading reading = Reading::model;
  int bounces = 8;
};

struct BouncesRun {
  Body ball;  ///< before the first bounce
  std::vector<Bounce> bounces, rigid;
};

/// The ball before the first bounce, touching the ground at the origin.
Body ball_of(const BouncesScenario& scenario) {
  const Shape shape = scenario.hollow ? Shape(SphericalShell{scenario.radius}) : Shape(Sphere{scenario.radius});
  Body ball = body_of(shape, scenario.mass);
  ball.position = scenario.radius * Eigen::Vector3d::UnitZ();
  ball.velocity = scenario.velocity;
  ball.angular_velocity = scenario.angular_velocity;
  return ball;
}

Fields<BouncesScenario> fields() {
  Fields<BouncesScenario> all;
  all.optional("mass", &BouncesScenario::mass, number(Range::positive()), "of the ball [kg] (default 1)")
      .required("radius", &BouncesScenario::radius, number(Range::positive()), "[m]")
      .optional("hollow", &BouncesScenario::hollow, boolean(), "a thin shell instead of a solid ball (default false)")
      .required("velocity", &BouncesScenario::velocity, vector<3>(), "before the first bounce, z up [m/s]")
      .optional("angular_velocity", &BouncesScenario::angular_velocity, vector<3>(),
                "before the first bounce [rad/s] (default 0)")
      .required("material", &BouncesScenario::surface, compliant_surface(), "the touching surfaces")
      .optional("reading", &BouncesScenario::reading, reading(),
                "the model (default), or what the paper's printed numbers follow")
      .optional("gravity", &BouncesScenario::gravity, number(Range::positive()), "[m/s^2] (default 9.81)")
      .optional("bounces", &BouncesScenario::bounces, integer(1, 1000), "how many to follow (default 8)")
      .check([](const BouncesScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
        if (!(s.velocity.z() < 0.0))
          mistakes.add(path.at("velocity"), place_of(root, "velocity"),
                       "must point down: its last component must be negative");
        try {
          contact_space(ball_of(s), immovable_body(), Contact{});
        } catch (const InvalidInput& error) {
          mistakes.add(path, root.place(),
                       "mass, radius and velocities make no ball to reckon with: " + error.message());
        }
      });
  return all;
}

/// What is below this share of the largest is not drawn: it is rounding.
constexpr double nothing = 1e-9;

BouncesRun run(const BouncesScenario& scenario, const RunRequest&) {
  BouncesRun result;
  result.ball = ball_of(scenario);
  BounceProblem problem;
  problem.ball = result.ball;
  problem.material = scenario.surface.material;
  problem.springs = TangentialSprings{scenario.surface.stiffness_ratio_root, scenario.reading};
  problem.gravity = scenario.gravity;
  problem.bounces = scenario.bounces;
  result.bounces = bounces_of(problem);
  problem.springs.reset();
  result.rigid = bounces_of(problem);
  return result;
}

/// Where on the ground.
Eigen::Vector2d place(const Bounce& bounce) { return bounce.ball.position.head<2>(); }

Table bounces_table(const char* name, const char* title, const std::vector<Bounce>& bounces) {
  Table table{name, title, {}};
  table.columns = {{"bounce", "bounce", ""},
                   {"time", "time", "s"},
                   {"place", "place", "m"},
                   {"velocity", "velocity after", "m/s"},
                   {"spin", "spin after", "rad/s"},
                   {"energy", "energy after", "J"},
                   {"restitution_loss", "lost normally", "J"},
                   {"friction_loss", "lost to friction", "J"},
                   {"flags", "flags", ""}};
  for (std::size_t i = 0; i < bounces.size(); ++i) {
    const Bounce& b = bounces[i];
    table.add_row({static_cast<double>(i + 1), b.time, std::vector<double>{place(b).x(), place(b).y()},
                   numbers(b.ball.velocity), numbers(b.ball.angular_velocity), b.energy.after,
                   b.energy.restitution_loss, b.energy.friction_loss, flag_list(b.flags)});
  }
  return table;
}

/// Whether the path over the ground is more than a line along x or y.
bool leaves_its_plane(const BouncesRun& run) {
  const auto moves = [&](int axis) {
    return std::any_of(run.bounces.begin(), run.bounces.end(),
                       [&](const Bounce& b) { return std::abs(place(b)[axis]) > nothing * place(b).norm(); });
  };
  return moves(0) && moves(1);
}

/// The path over the ground, seen from above.
Plot top_view(const BouncesRun& run) {
  Plot plot;
  plot.name = "top_view";
  plot.title = "The path, seen from above";
  plot.caption =
      "Dots: bounces. Each impact is planar, but friction acts along the slip of the contact point, which the spin "
      "turns "
      "out of the direction of flight: the path bends. Dotted: straight from the first bounce to the last.";
  plot.x.label = "$x$ [m]";
  plot.y.label = "$y$ [m]";
  plot.equal_scale = true;
  const auto path = [](const std::vector<Bounce>& bounces, report::Stroke stroke, const char* legend) {
    Curve curve{{}, stroke, legend};
    for (const Bounce& b : bounces) curve.points.push_back({place(b).x(), place(b).y()});
    return curve;
  };
  plot.curves = {path(run.rigid, {Color::muted, Dash::dashed, 1.6}, "rigid contact"),
                 path(run.bounces, {Color::blue, Dash::solid, 2.0}, "this model")};
  const Point first = plot.curves[1].points.front(), last = plot.curves[1].points.back();
  plot.curves.push_back({{first, last}, {Color::ink, Dash::dotted, 1.2}, ""});
  constexpr std::size_t most_numbered = 5;  // later bounces crowd together
  for (std::size_t i = 0; i < run.bounces.size(); ++i)
    plot.markers.push_back({plot.curves[1].points[i], report::MarkerShape::circle, Color::blue,
                            i < most_numbered ? fmt::format("{}", i + 1) : "", ""});
  return plot;
}

/// The flight, seen from the side along which it goes less far.
Plot side_view(const BouncesScenario& scenario, const BouncesRun& run) {
  Plot plot;
  plot.name = "side_view";
  const Eigen::Vector2d extent = [&] {
    Eigen::Vector2d low = Eigen::Vector2d::Zero(), high = low;
    for (const Bounce& b : run.bounces) low = low.cwiseMin(place(b)), high = high.cwiseMax(place(b));
    return Eigen::Vector2d(high - low);
  }();
  const int right = extent.x() >= extent.y() ? 0 : 1;
  plot.title = "The flight, seen from the side";
  plot.caption = "Path of the ball's lowest point. Dots: bounces.";
  plot.x.label = right == 0 ? "$x$ [m]" : "$y$ [m]";
  plot.y.label = "height over the ground [m]";
  // The lowest point of the ball, some time after it was on the ground.
  const Eigen::Vector3d gravity = -scenario.gravity * Eigen::Vector3d::UnitZ();
  const auto seen = [&](const Eigen::Vector2d& from, const Eigen::Vector3d& velocity, double time) {
    const Eigen::Vector3d at = flight_position({from.x(), from.y(), 0.0}, velocity, gravity, time);
    return Point{at[right], at.z()};
  };
  const auto path = [&](const std::vector<Bounce>& bounces, report::Stroke stroke, const char* legend) {
    Curve curve{{}, stroke, legend};
    constexpr int samples = 40;
    for (const Bounce& b : bounces) {
      const double whole = flight_time(std::max(b.ball.velocity.z(), 0.0), scenario.gravity);
      for (int k = 0; k <= samples; ++k) curve.points.push_back(seen(place(b), b.ball.velocity, whole * k / samples));
    }
    return curve;
  };
  // The way down to the first bounce, from as high as the ball flies next.
  Curve in{{}, {Color::ink, Dash::dotted, 1.4}, "before the first bounce"};
  const double top = rise_height(run.bounces.front().ball.velocity.z(), scenario.gravity);
  const double from = fall_time(top, -scenario.velocity.z(), scenario.gravity);
  constexpr int samples = 20;
  for (int k = samples; k >= 0; --k)
    in.points.push_back(seen(Eigen::Vector2d::Zero(), scenario.velocity, -from * k / samples));
  plot.curves = {path(run.rigid, {Color::muted, Dash::dashed, 1.6}, "rigid contact"),
                 path(run.bounces, {Color::blue, Dash::solid, 2.0}, "this model"), std::move(in)};
  for (const Bounce& b : run.bounces)
    plot.markers.push_back({{place(b)[right], 0.0}, report::MarkerShape::circle, Color::blue, "", ""});
  return plot;
}

template <class Quantity>
Plot by_bounce(const BouncesRun& run, const char* name, const char* title, const char* label, const char* symbol,
               const Eigen::Vector3d& before, const Quantity& quantity) {
  Plot plot;
  plot.name = name;
  plot.title = title;
  plot.caption =
      "Solid: this model. Dashed: rigid contact, which rolls after one bounce or a few and then keeps its motion.";
  plot.x.label = "bounce";
  plot.y.label = label;
  plot.axes_at_zero = true;
  constexpr Color colors[] = {Color::blue, Color::orange, Color::green};
  constexpr const char* axes[] = {"x", "y", "z"};
  double largest = before.norm();
  for (const Bounce& b : run.bounces) largest = std::max(largest, quantity(b).norm());
  for (int axis = 0; axis < 3; ++axis) {
    const auto curve_of = [&](const std::vector<Bounce>& bounces, report::Stroke stroke, std::string legend) {
      Curve curve{{{0.0, before[axis]}}, stroke, std::move(legend)};
      for (std::size_t i = 0; i < bounces.size(); ++i)
        curve.points.push_back({static_cast<double>(i + 1), quantity(bounces[i])[axis]});
      return curve;
    };
    Curve curve =
        curve_of(run.bounces, {colors[axis], Dash::solid, 2.0}, std::string("$") + symbol + "_" + axes[axis] + "$");
    if (std::all_of(curve.points.begin(), curve.points.end(),
                    [&](const Point& p) { return std::abs(p.y) <= nothing * largest; }))
      continue;
    plot.curves.push_back(curve_of(run.rigid, {colors[axis], Dash::dashed, 1.4}, ""));
    for (const Point& p : curve.points) plot.markers.push_back({p, report::MarkerShape::circle, colors[axis], "", ""});
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

Facts facts(const BouncesScenario& scenario, const BouncesRun& run) {
  const double eta0 = scenario.surface.stiffness_ratio_root;
  Facts facts = {{"stiffness_ratio", "stiffness ratio $\\eta_0^2 = k_n/k_t$", eta0 * eta0, ""},
                 {"bounces", "bounces", static_cast<double>(run.bounces.size()), ""},
                 {"energy_before", "energy before", kinetic_energy(run.ball), "J"}};
  if (run.bounces.empty()) return facts;
  const Bounce& last = run.bounces.back();
  facts.insert(facts.end(), {{"energy_after", "energy after the last", last.energy.after, "J"},
                             {"velocity_after", "velocity after the last", numbers(last.ball.velocity), "m/s"},
                             {"spin_after", "spin after the last", numbers(last.ball.angular_velocity), "rad/s"}});
  return facts;
}

/// The bounces one by one.
Facts details(const BouncesScenario&, const BouncesRun& run) {
  Facts facts;
  for (std::size_t i = 0; i < run.bounces.size(); ++i)
    add_motion(facts, "the ball after bounce " + std::to_string(i + 1), "bounce_" + std::to_string(i + 1),
               "$(x, y, z)$", numbers(run.bounces[i].ball.velocity), numbers(run.bounces[i].ball.angular_velocity));
  return facts;
}

Document describe(const BouncesScenario& scenario, const BouncesRun& run) {
  Document document;
  const bool all = run.bounces.size() == static_cast<std::size_t>(scenario.bounces);
  document.summary = all ? fmt::format("The ball bounces {} times.", run.bounces.size())
                         : fmt::format("After {} bounces the ball stays on the ground.", run.bounces.size());
  if (run.bounces.empty()) return document;
  document.tables = {bounces_table("bounces", "Just after each bounce", run.bounces),
                     bounces_table("rigid", "The same with a rigid contact", run.rigid)};
  if (run.bounces.size() > 1) document.plots = {side_view(scenario, run)};
  if (leaves_its_plane(run)) document.plots.push_back(top_view(run));
  document.plots.push_back(by_bounce(run, "velocity", "Velocity after each bounce", "velocity [m/s]", "V",
                                     run.ball.velocity, [](const Bounce& b) { return b.ball.velocity; }));
  document.plots.push_back(by_bounce(run, "spin", "Spin after each bounce", "spin [rad/s]", "\\omega",
                                     run.ball.angular_velocity,
                                     [](const Bounce& b) { return b.ball.angular_velocity; }));
  return document;
}

}  // namespace

Kind bounces_kind() {
  return make_kind<BouncesScenario, BouncesRun>(
      {"bounces", "", "A ball bounces again and again, with friction and a contact that gives sideways", fields(), run,
       facts, details, describe});
}

}  // namespace carom::scenario
