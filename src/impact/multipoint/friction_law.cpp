// Does an answer obey Coulomb's law, and where not? Over all splits of its impulses the least summed violation is a
// small conic programme: linear in the plane, of second-order cones in space.
#include <cmath>

#include "conic_program.hpp"
#include "least_distance.hpp"
#include "system.hpp"

namespace carom::multipoint {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

/// Price of the size of a split against its violation: of splits that violate alike, the smallest. Small enough to
/// decide nothing else, large enough to be seen above the rounding of the programme.
constexpr double price_of_size = 1e-5;

/// Splits origin + basis x with a violation v_i per contact: least sum of v_i.
class ViolationProgram {
public:
  ViolationProgram(const System& system, const VectorXd& origin)
      : system_(system), origin_(origin), width_(system.null.cols()) {
    const Index variables = width_ + system.contacts + 1;
    program_.cost = VectorXd::Zero(variables);
    program_.cost.segment(width_, system.contacts).setOnes();
    program_.cost[variables - 1] = price_of_size;
    program_.g.resize(0, variables);
    MatrixXd rows = MatrixXd::Zero(width_ + 1, variables);  // |x| <= the last variable
    rows(0, variables - 1) = -1.0;
    rows.block(1, 0, width_, width_) = -MatrixXd::Identity(width_, width_);
    program_.add(rows, VectorXd::Zero(width_ + 1));
  }

  /// |M p_i| <= v_i + m . p_i, for the impulse p_i of contact i.
  void add(Index i, bool violable, const VectorXd& m, const MatrixXd& matrix) {
    const Index d = system_.dimension;
    MatrixXd weights(matrix.rows() + 1, d);
    weights.row(0) = m.transpose();
    weights.bottomRows(matrix.rows()) = matrix;
    const MatrixXd moved = weights * system_.null.middleRows(system_.tangent(i), d);
    VectorXd constants = weights * origin_.segment(system_.tangent(i), d);
    MatrixXd rows = MatrixXd::Zero(weights.rows(), program_.cost.size());
    rows.leftCols(width_) = -moved;
    if (violable) rows(0, width_ + i) = -1.0;
    // What no split can move holds already, up to rounding.
    if (!violable && moved.norm() <= slack) return;
    program_.add(rows, constants);
  }
  void add_nonnegative_violation(Index i) {
    MatrixXd row = MatrixXd::Zero(1, program_.cost.size());
    row(0, width_ + i) = -1.0;
    program_.add(row, VectorXd::Zero(1));
  }

  std::optional<VectorXd> least() const {
    const auto y = minimise(program_);
    if (!y) return std::nullopt;
    return VectorXd(origin_ + system_.null * y->head(width_));
  }

private:
  const System& system_;
  const VectorXd& origin_;
  Index width_;
  ConicProgram program_;
};

}  // namespace

std::vector<int> friction_law_broken_at(const System& system, const VectorXd& impulses) {
  const Index d = system.dimension;
  const VectorXd after = system.after(impulses);
  std::vector<Law> laws;
  for (Index i = 0; i < system.contacts; ++i) laws.push_back(system.slip_law(after, i));
  if (lawful_split(system, impulses, laws)) return {};

  const double size = std::max(impulses.norm(), tolerance);
  const VectorXd origin = system.minimum_norm(impulses) / size;
  const std::vector<Cone> push(static_cast<std::size_t>(system.contacts), Cone{Cone::Kind::pushing, 0.0, 0.0});
  const bool pushes = ConeSplit(origin, system.null, system.dimension).least(push).has_value();

  const VectorXd normal = VectorXd::Unit(d, d - 1);
  MatrixXd tangents = MatrixXd::Zero(d - 1, d);
  tangents.leftCols(d - 1).setIdentity();
  // Per contact the M and m of its violation max(0, |M p| - m . p).
  const auto rule = [&](Index i, MatrixXd& matrix, VectorXd& m) {
    matrix = tangents;
    m = VectorXd::Zero(d);
    if (!pushes) {
      matrix.resize(0, d);
      m = normal;
    } else if (laws[static_cast<std::size_t>(i)] == Law::stick) {
      m = system.mu_s(i) * normal;
    } else {
      matrix.col(d - 1) = system.mu_d(i) * after.segment(system.tangent(i), d - 1).normalized();
    }
  };
  VectorXd split = origin;
  MatrixXd matrix;
  VectorXd m;
  if (system.null.cols() > 0) {
    ViolationProgram program(system, origin);
    for (Index i = 0; i < system.contacts; ++i) {
      rule(i, matrix, m);
      program.add(i, true, m, matrix);
      if (m.squaredNorm() > 0.0) program.add_nonnegative_violation(i);
      if (pushes) program.add(i, false, normal, MatrixXd(0, d));
    }
    if (const auto least = program.least()) split = *least;
  }
  double largest = 0.0;
  for (Index i = 0; i < system.contacts; ++i) largest = std::max(largest, split.segment(system.tangent(i), d).norm());
  std::vector<int> broken;
  for (Index i = 0; i < system.contacts; ++i) {
    rule(i, matrix, m);
    const VectorXd p = split.segment(system.tangent(i), d);
    if ((matrix * p).norm() - m.dot(p) > friction_law_share * largest)
      broken.push_back(system.original[static_cast<std::size_t>(i)]);
  }
  return broken;
}

}  // namespace carom::multipoint
