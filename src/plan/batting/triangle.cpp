#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <random>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"
#include "carom/plan/batting_triangle.hpp"

#include "aim.hpp"

namespace carom {

using batting::Aim;

namespace {

using Vertices = std::array<Eigen::Vector3d, 3>;
using Images = std::array<Eigen::Vector2d, 3>;

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; }

/// Does a triangle hold the origin?
bool holds(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
  const double x = cross(a, b), y = cross(b, c), z = cross(c, a);
  return (x >= 0.0 && y >= 0.0 && z >= 0.0) || (x <= 0.0 && y <= 0.0 && z <= 0.0);
}

/// Distance of the origin from a segment.
double distance_to(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  const Eigen::Vector2d ab = b - a;
  const double share = ab.squaredNorm() > 0.0 ? std::clamp(-a.dot(ab) / ab.squaredNorm(), 0.0, 1.0) : 0.0;
  return (a + share * ab).norm();
}

/// The plane of the target, and flights through it.
class Screen {
public:
  explicit Screen(const Aim& aim) : aim_(aim) {
    const BattingProblem& p = aim.problem;
    const Eigen::Vector3d to_target = p.target - p.position;
    normal_ = to_target.normalized();
    Eigen::Vector3d right = normal_.cross(Eigen::Vector3d::UnitZ());
    if (right.norm() < 1e-9) right = Eigen::Vector3d::UnitY();  // straight up or down: any axis will do
    right.normalize();
    axes << right, right.cross(normal_);
  }

  std::optional<Eigen::Vector2d> pass(const Eigen::Vector3d& velocity) {
    const BattingProblem& p = aim_.problem;
    const Eigen::Vector3d v_contact = p.frame.transpose() * velocity;
    if (!(v_contact[2] < 0.0)) return std::nullopt;
    ++impacts;
    const Eigen::Vector3d impulse = p.frame * batting::forward(aim_, v_contact);
    const Eigen::Vector3d v = p.velocity + impulse / p.mass, away = p.position - p.target;
    closest = std::min(closest, closest_approach(p, impulse).distance);
    // normal.(away + v t - g t^2 z/2) = 0, the first t > 0
    const double a = -0.5 * p.gravity * normal_[2], b = normal_.dot(v), c = normal_.dot(away);
    double time = -1.0;
    if (a == 0.0) {
      if (b > 0.0) time = -c / b;
    } else {
      const double square = b * b - 4.0 * a * c;
      if (square < 0.0) return std::nullopt;
      const double q = -0.5 * (b + std::copysign(std::sqrt(square), b));
      for (const double t : {q / a, c / q})
        if (t > 0.0 && (time < 0.0 || t < time)) time = t;
    }
    if (!(time > 0.0)) return std::nullopt;
    return axes.transpose() * (away + time * (v - 0.5 * p.gravity * time * Eigen::Vector3d::UnitZ()));
  }

  /// Around the edge of a triangle, in small steps.
  std::optional<int> winding(const Vertices& corners) {
    constexpr int steps = 64;
    double angle = 0.0;
    std::optional<Eigen::Vector2d> before = pass(corners[0]);
    for (std::size_t i = 0; i < 3; ++i)
      for (int k = 1; k <= steps && before; ++k) {
        const auto here = pass(corners[i] + (corners[(i + 1) % 3] - corners[i]) * (static_cast<double>(k) / steps));
        if (here) angle += std::atan2(cross(*before, *here), before->dot(*here));
        before = here;
      }
    if (!before) return std::nullopt;
    return static_cast<int>(std::lround(angle / (2.0 * std::numbers::pi)));
  }

  Eigen::Matrix<double, 3, 2> axes;
  int impacts = 0;
  double closest = std::numeric_limits<double>::infinity();

private:
  const Aim& aim_;
  Eigen::Vector3d normal_;
};

bool pass_all(Screen& screen, VelocityTriangle& triangle) {
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = screen.pass(triangle.velocities[i]);
    if (!at) return false;
    triangle.projections[i] = *at;
  }
  return true;
}

/// Algorithm 5: the vertex across the edge nearest to the target is reflected to its other side.
bool bound_target(Screen& screen, VelocityTriangle& t) {
  constexpr int most = 60;
  if (!pass_all(screen, t)) return false;
  for (int i = 0; i < most; ++i) {
    const Images& p = t.projections;
    if (holds(p[0], p[1], p[2])) return true;
    std::size_t k = 0;
    for (std::size_t j = 1; j < 3; ++j)
      if (distance_to(p[(j + 1) % 3], p[(j + 2) % 3]) < distance_to(p[(k + 1) % 3], p[(k + 2) % 3])) k = j;
    const Eigen::Vector3d middle = 0.5 * (t.velocities[(k + 1) % 3] + t.velocities[(k + 2) % 3]);
    // A little further out each time, so that it does not come back to where it was.
    const Eigen::Vector3d moved = middle + 1.2 * (middle - t.velocities[k]);
    const auto at = screen.pass(moved);
    if (!at) return false;
    t.velocities[k] = moved;
    t.projections[k] = *at;
  }
  return false;
}

std::size_t nearest(const Images& p) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (p[i].norm() < p[best].norm()) best = i;
  return best;
}

/// Puts a fourth velocity in place of the vertex whose absence leaves the target inside. @return false if there is none
bool replace_vertex(Screen& screen, VelocityTriangle& t, const Eigen::Vector3d& fourth) {
  const auto at = screen.pass(fourth);
  if (!at) return false;
  const Images p = t.projections;
  for (std::size_t k = 0; k < 3; ++k)
    if (holds(*at, p[(k + 1) % 3], p[(k + 2) % 3])) {
      t.velocities[k] = fourth;
      t.projections[k] = *at;
      return true;
    }
  return false;
}

/// Where the fourth velocity of the midpoint update goes: the middle of the edge nearer to the target of the two at the
/// farthest vertex.
Eigen::Vector3d next_midpoint(const VelocityTriangle& t) {
  const Images& p = t.projections;
  std::size_t far = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (p[i].norm() > p[far].norm()) far = i;
  const std::size_t one = (far + 1) % 3, other = (far + 2) % 3;
  const std::size_t near = distance_to(p[far], p[one]) <= distance_to(p[far], p[other]) ? one : other;
  return 0.5 * (t.velocities[far] + t.velocities[near]);
}

Eigen::Vector3d centroid(const VelocityTriangle& t) {
  return (t.velocities[0] + t.velocities[1] + t.velocities[2]) / 3.0;
}

/// Random guesses of the size that the least impulse takes.
class Guesses {
public:
  Guesses(const Aim& aim, std::uint64_t seed) : aim_(aim), random_(seed) {
    double least = std::numeric_limits<double>::infinity();
    for (double time = 0.1 * aim.unit; time < 10.0 * aim.unit; time *= 1.1)
      least = std::min(least, aim.impulse(time).norm());
    scale_ = aim.w * least / (1.0 + aim.e);
  }
  Vertices next() {
    Vertices out;
    for (Eigen::Vector3d& v : out)
      v = aim_.problem.frame * (scale_ * Eigen::Vector3d(uniform(-1.5, 1.5), uniform(-1.5, 1.5), uniform(-2.5, -0.2)));
    return out;
  }

private:
  double uniform(double low, double high) {  // the same numbers with every library
    return low + (high - low) * (static_cast<double>(random_() >> 11) * 0x1p-53);
  }
  const Aim& aim_;
  std::mt19937_64 random_;
  double scale_;
};

}  // namespace

std::optional<Eigen::Vector2d> triangle_projection(const BattingProblem& problem,
                                                   const Eigen::Vector3d& contact_velocity) {
  require_valid(problem);
  const Aim aim(problem);
  return Screen(aim).pass(contact_velocity);
}

std::optional<int> winding_number(const BattingProblem& problem, const std::array<Eigen::Vector3d, 3>& velocities) {
  require_valid(problem);
  const Aim aim(problem);
  return Screen(aim).winding(velocities);
}

TriangleRun bounding_triangle(const BattingProblem& problem, const TriangleSettings& settings) {
  require_valid(problem);
  if (!(settings.tolerance > 0.0))
    throw InvalidInput("tolerance", "must be > 0, got " + number_text(settings.tolerance));
  if (settings.restarts < 0) throw InvalidInput("restarts", "must be >= 0, got " + std::to_string(settings.restarts));
  if (settings.rounds < 1) throw InvalidInput("rounds", "must be >= 1, got " + std::to_string(settings.rounds));
  const Aim aim(problem);
  if (!(aim.distance > 0.0)) {
    TriangleRun nothing;
    nothing.at_target = true;
    nothing.closest = std::numeric_limits<double>::quiet_NaN();
    return nothing;
  }
  Screen screen(aim);
  Guesses guesses(aim, settings.seed);
  TriangleRun run;
  run.plane = screen.axes;
  for (int attempt = 0; attempt <= settings.restarts && !run.found; ++attempt) {
    run.attempts = attempt + 1;
    run.rounds = 0;
    run.history.clear();
    VelocityTriangle t;
    t.velocities = attempt == 0 && settings.start ? *settings.start : guesses.next();
    if (!bound_target(screen, t)) continue;
    const Vertices bounding = t.velocities;
    run.history.push_back(t);
    Eigen::Vector3d fourth = centroid(t);
    bool inside = true;
    while (inside && run.rounds < settings.rounds &&
           t.projections[nearest(t.projections)].norm() > settings.tolerance) {
      inside = replace_vertex(screen, t, fourth);
      if (!inside) break;
      ++run.rounds;
      run.history.push_back(t);
      fourth = settings.update == TriangleUpdate::centroid ? centroid(t) : next_midpoint(t);
    }
    const std::size_t best = nearest(t.projections);
    if (t.projections[best].norm() > settings.tolerance) continue;
    run.found = true;
    run.impacts = screen.impacts;
    run.shot = batting::shot_of(aim, problem.frame.transpose() * t.velocities[best], BattingMethod::bounding_triangle);
    run.winding = screen.winding(bounding).value_or(0);
  }
  if (!run.found) run.impacts = screen.impacts;
  run.closest = std::isfinite(screen.closest) ? screen.closest : std::numeric_limits<double>::quiet_NaN();
  return run;
}

}  // namespace carom
