// The batting task of Wang 2017, figure 4.1, and random ones.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "carom/core/inertia.hpp"
#include "carom/core/shape.hpp"
#include "carom/plan/batting.hpp"

namespace carom::testing {

inline const std::vector<Eigen::Vector3d> figure_vertices = {
    {0, 0, 0}, {0.433013, -0.5, 0.25}, {0.866025, 0.5, 0.5}, {-0.0334936, -0.25, 0.558013}};

inline Contact figure_contact() {
  const double angle = std::numbers::pi / 3;
  return {Eigen::Vector3d::Zero(), {std::sin(angle), 0.0, std::cos(angle)}};
}

/// The tetrahedron, from its vertices.
inline Body figure_object() {
  Body body = body_of(Polyhedron{figure_vertices, {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}}, 1.0);
  body.position = Eigen::Vector3d(0.316386, -0.0625, 0.327003);
  body.velocity = {-1, 0.6, -0.4};
  return body;
}
/// The plate 1 x 1 x .1, its thickness along the normal.
inline Body figure_bat() {
  Body body = body_of(Box{{1.0, 1.0, 0.1}}, 1.0);
  body.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 3, Eigen::Vector3d::UnitY()));
  body.position = -0.05 * figure_contact().normal;
  return body;
}
inline Eigen::Matrix3d figure_frame() {
  return Eigen::AngleAxisd(std::numbers::pi / 3, Eigen::Vector3d::UnitY()).matrix();
}

/// Figure 4.1 with the true inertia.
inline BattingProblem figure_problem(const Eigen::Vector3d& target = {5, -0.2, -2}) {
  return batting_problem(figure_object(), figure_bat(), figure_contact(), {.5, .95}, target);
}
/// The same with the W that the printed numbers follow from.
inline BattingProblem printed_problem(const Eigen::Vector3d& target = {5, -0.2, -2}) {
  BattingProblem p = figure_problem(target);
  p.frame = figure_frame();
  p.inverse_inertia << 7.815931160362582, -1.7043119172497683, 1.4097349232687622, -1.7043119172497685,
      9.249871645356253, 0.5445064057942409, 1.4097349232687624, 0.5445064057942409, 2.480568036047395;
  return p;
}

class BattingCases {
public:
  explicit BattingCases(std::uint64_t seed) : random_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double normal() { return std::normal_distribution<double>()(random_); }
  Eigen::Vector3d vector() { return {normal(), normal(), normal()}; }

  /// A target in the window of the text.
  Eigen::Vector3d window() { return {5.0, uniform(-4, 4), uniform(-4, 4)}; }

  /// Two random bodies in contact, and a target that some contact velocity reaches: the flight it leads to is followed
  /// for a random time.
  BattingProblem feasible(RestitutionLaw law) { return reached(law, false); }
  /// The same with a strongly coupled W, such that mu |W_tn| > W_nn.
  BattingProblem jamming(RestitutionLaw law) { return reached(law, true); }

private:
  BattingProblem reached(RestitutionLaw law, bool jams) {
    for (;;) {
      BattingProblem p;
      Eigen::Matrix3d w = Eigen::Matrix3d::Zero();
      const Eigen::Matrix3d turn = Eigen::Quaterniond(normal(), normal(), normal(), normal()).normalized().matrix();
      for (int body = 0; body < 2; ++body) {
        const double mass = std::exp(uniform(-1, 1));
        if (body == 0) p.mass = mass;
        const Eigen::Vector3d q(uniform(.05, 1), uniform(.05, 1), uniform(.05, 1));
        const Eigen::Vector3d moments = mass * Eigen::Vector3d(q[1] + q[2], q[0] + q[2], q[0] + q[1]) * 0.3;
        const Eigen::Matrix3d axes = Eigen::Quaterniond(normal(), normal(), normal(), normal()).normalized().matrix();
        const Eigen::Matrix3d inverse = axes * moments.cwiseInverse().asDiagonal() * axes.transpose();
        const Eigen::Vector3d r(uniform(-1, 1), uniform(-1, 1), body == 0 ? uniform(-1, -.2) : uniform(.2, 1));
        Eigen::Matrix3d skew;
        skew << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
        w += Eigen::Matrix3d::Identity() / mass - skew * inverse * skew;
      }
      if (jams) {
        const Eigen::Vector3d values(1.0, std::exp(uniform(-3, 0)), std::exp(uniform(-4, -2)));
        w = turn.transpose() * values.asDiagonal() * turn;
      }
      p.inverse_inertia = 0.5 * (w + w.transpose());
      p.frame = turn;
      p.position = vector();
      p.velocity = 2.0 * vector();
      p.point_velocity = p.velocity + vector();
      p.material = {uniform(0.05, 1.2), uniform(0.0, 1.0)};
      p.law = law;
      if (jams && p.material.friction * p.inverse_inertia.block<2, 1>(0, 2).norm() <= p.inverse_inertia(2, 2)) continue;
      p.gravity = uniform(0, 1) < 0.1 ? 0.0 : 9.8;
      Eigen::Vector3d v = 3.0 * vector();
      v[2] = -std::abs(v[2]);
      const SpatialOutcome hit = spatial_outcome({{p.inverse_inertia, v}, p.material, law});
      if (hit.verdict != Verdict::separated) continue;
      const double time = uniform(0.1, 2.0);
      p.target = p.position + time * (p.velocity + p.frame * hit.impulse / p.mass) -
                 0.5 * p.gravity * time * time * Eigen::Vector3d::UnitZ();
      return p;
    }
  }

  std::mt19937_64 random_;
};

}  // namespace carom::testing
