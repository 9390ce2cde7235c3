#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"
#include "carom/plan/batting_moves.hpp"

#include "aim.hpp"

namespace carom {

namespace {

BattingProblem problem_of(const BattingScene& scene, const BatPose& pose) {
  BattingProblem out = batting_problem(scene.object, pose.bat, pose.contact, scene.material, scene.target);
  out.law = scene.law;
  out.gravity = scene.gravity;
  out.springs = scene.springs;
  if (scene.limits) out.reach = BatReach{*scene.limits, pose.contact.point - pose.bat.position};
  return out;
}

/// Evenly from -most to most.
double on_grid(double most, int i, int count) { return count > 1 ? most * (2.0 * i / (count - 1) - 1.0) : 0.0; }

}  // namespace

BatPose moved_bat(const BattingScene& scene, const Eigen::Vector2d& tilt, const Eigen::Vector2d& shift, double radius) {
  const Eigen::Matrix3d frame = contact_frame(scene.contact);
  BatPose out{tilt, shift, scene.bat, scene.contact};
  const double angle = tilt.norm();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  if (angle > 0.0) turn = Eigen::AngleAxisd(angle, frame.leftCols<2>() * (tilt / angle));
  out.bat.orientation = (turn * scene.bat.orientation).normalized();
  out.contact.normal = turn * scene.contact.normal;
  out.contact.point += radius * (scene.contact.normal - out.contact.normal);
  out.bat.position =
      out.contact.point + turn * (scene.bat.position - scene.contact.point - frame.leftCols<2>() * shift);
  return out;
}

bool penetrates(const BatPose& pose, const std::vector<Eigen::Vector3d>& object_points) {
  return std::any_of(object_points.begin(), object_points.end(), [&](const Eigen::Vector3d& x) {
    const Eigen::Vector3d away = x - pose.contact.point;
    return pose.contact.normal.dot(away) < -penetration_tolerance * away.norm();
  });
}

bool on_face(const std::vector<Eigen::Vector2d>& face, const Eigen::Vector2d& point) {
  double size = 0.0, least = 0.0, most = 0.0;  // of the areas spanned with the edges
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Eigen::Vector2d edge = face[(i + 1) % face.size()] - face[i], to = point - face[i];
    const double area = edge[0] * to[1] - edge[1] * to[0];
    least = std::min(least, area);
    most = std::max(most, area);
    size = std::max(size, edge.squaredNorm());
  }
  return least >= -penetration_tolerance * size || most <= penetration_tolerance * size;
}

namespace {

bool cuts(const BatPose& pose, const BatMoves& moves) {
  if (penetrates(pose, moves.object_points)) return true;
  if (!moves.object_support) return false;
  const Eigen::Vector3d deepest = moves.object_support(-pose.contact.normal), away = deepest - pose.contact.point;
  // (The rounding of a contact point that has rolled is that of the whole object.)
  const double size = std::max(away.norm(), moves.object_radius);
  return pose.contact.normal.dot(away) < -penetration_tolerance * size;
}

}  // namespace

BatSearch search_bat(const BattingScene& scene, const BatMoves& moves, BatSearchFor what, BattingObjective objective,
                     const BattingSpread& spread) {
  if (!(moves.most_tilt >= 0.0 && moves.most_tilt < 0.5 * std::numbers::pi))
    throw InvalidInput("most_tilt", "must lie in [0, pi/2), got " + number_text(moves.most_tilt));
  if (moves.tilts < 1) throw InvalidInput("tilts", "must be >= 1, got " + std::to_string(moves.tilts));
  if (moves.shifts < 1) throw InvalidInput("shifts", "must be >= 1, got " + std::to_string(moves.shifts));
  if (!moves.most_shift.allFinite()) throw InvalidInput("most_shift", "must be finite");
  if (!(moves.object_radius >= 0.0) || !std::isfinite(moves.object_radius))
    throw InvalidInput("object_radius", "must be >= 0, got " + number_text(moves.object_radius));
  if (what == BatSearchFor::closed_form && scene.springs)
    throw InvalidInput("law", "of tangential springs has no closed form");
  const int tilts = moves.most_tilt > 0.0 ? moves.tilts : 1, shifts = moves.most_shift.isZero(0.0) ? 1 : moves.shifts;
  std::vector<std::pair<Eigen::Vector2d, Eigen::Vector2d>> poses;
  for (int i = 0; i < tilts; ++i)
    for (int j = 0; j < tilts; ++j)
      for (int k = 0; k < shifts; ++k)
        for (int l = 0; l < shifts; ++l)
          poses.push_back({{on_grid(moves.most_tilt, i, tilts), on_grid(moves.most_tilt, j, tilts)},
                           {on_grid(moves.most_shift[0], k, shifts), on_grid(moves.most_shift[1], l, shifts)}});
  std::stable_sort(poses.begin(), poses.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.norm(), a.second.norm()) < std::pair(b.first.norm(), b.second.norm());
  });
  BatSearch out;
  double best = std::numeric_limits<double>::infinity(), closest = best;
  bool best_beyond = true;
  for (const auto& [tilt, shift] : poses) {
    const BatPose pose = moved_bat(scene, tilt, shift, moves.object_radius);
    ++out.tried;
    if (cuts(pose, moves)) {
      ++out.penetrating;
      continue;
    }
    if (!moves.face.empty() && !on_face(moves.face, shift)) {
      ++out.off_face;
      continue;
    }
    const BattingProblem problem = problem_of(scene, pose);
    if (what == BatSearchFor::any && feasible_times(problem).empty()) continue;
    if (what == BatSearchFor::closed_form && closed_form_plans(problem).empty()) continue;
    BattingPlan plan = what == BatSearchFor::closed_form ? plan_closed_form(problem, objective, 0, spread)
                                                         : plan_batting(problem, objective, 0, spread);
    if (!plan.found) {
      if (plan.closest_miss < closest) {
        closest = plan.closest_miss;
        if (!out.plan.found) {
          out.pose = pose;
          out.plan = plan;
        }
      }
      continue;
    }
    const double value =
        what == BatSearchFor::best ? batting::worth(batting::Aim(problem), plan.shot, objective, spread) : 0.0;
    const bool beyond = plan.flags.has(BattingFlag::beyond_limits);
    if (out.plan.found && (beyond != best_beyond ? beyond : !(value < best))) continue;
    best = value;
    best_beyond = beyond;
    out.pose = pose;
    out.plan = std::move(plan);
    if (what != BatSearchFor::best && !beyond) break;
  }
  if (!out.plan.found && !std::isfinite(closest)) {
    const BatPose still = moved_bat(scene, Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero());
    out.pose = still;
    out.plan.closest_miss = batting::closest_of_cone(batting::Aim(problem_of(scene, still)));
  }
  return out;
}

}  // namespace carom
