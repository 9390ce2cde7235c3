#include "force_closure.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "carom/core/linear_algebra.hpp"

namespace carom::soft {

namespace {

/// Entries of the programme's table below this are zero: wrenches are of size 1.
constexpr double pivot_tolerance = 1e-11;
/// Six independent wrenches, and a combination with all weights above this share of their mean.
constexpr double closure_tolerance = 1e-9;
constexpr int most_pivots = 10'000;

/// Largest c.x with A x = b, x >= 0 (b >= 0), by the simplex method from artificial unknowns, Bland's rule: it ends.
/// Negative if there is no such x.
double largest(Eigen::MatrixXd a, Eigen::VectorXd b, const Eigen::VectorXd& c) {
  const Eigen::Index rows = a.rows(), columns = a.cols();
  Eigen::MatrixXd table(rows + 2, columns + rows + 1);  // the last rows: what to raise, then minus the artificial sum
  table.setZero();
  table.topLeftCorner(rows, columns) = a;
  table.block(0, columns, rows, rows).setIdentity();
  table.col(columns + rows).head(rows) = b;
  table.row(rows).head(columns) = -c.transpose();
  table.row(rows + 1).head(columns) = -a.colwise().sum();
  table(rows + 1, columns + rows) = -b.sum();
  std::vector<Eigen::Index> basis;
  for (Eigen::Index r = 0; r < rows; ++r) basis.push_back(columns + r);
  const auto improve = [&](Eigen::Index goal) {
    for (int pivots = 0; pivots < most_pivots; ++pivots) {
      Eigen::Index enter = 0;
      while (enter < columns && table(goal, enter) >= -pivot_tolerance) ++enter;
      if (enter == columns) return true;
      Eigen::Index leave = -1;
      for (Eigen::Index r = 0; r < rows; ++r) {
        if (table(r, enter) <= pivot_tolerance) continue;
        if (leave < 0) {
          leave = r;
          continue;
        }
        const double here = table(r, columns + rows) * table(leave, enter),
                     best = table(leave, columns + rows) * table(r, enter);
        if (here < best || (here == best && basis[std::size_t(r)] < basis[std::size_t(leave)])) leave = r;
      }
      if (leave < 0) return false;  // no bound
      table.row(leave) /= table(leave, enter);
      for (Eigen::Index r = 0; r < rows + 2; ++r)
        if (r != leave) table.row(r) -= table(r, enter) * table.row(leave).eval();
      basis[std::size_t(leave)] = enter;
    }
    return false;
  };
  if (!improve(rows + 1) || table(rows + 1, columns + rows) < -closure_tolerance) return -1.0;
  if (!improve(rows)) return -1.0;
  return table(rows, columns + rows);
}

}  // namespace

bool has_force_closure(const std::vector<ConeAt>& cones, double size) {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const ConeAt& cone : cones) middle += cone.point / double(cones.size());
  Eigen::MatrixXd wrenches(6, Eigen::Index(cones.size()) * cone_edges);
  Eigen::Index column = 0;
  for (const ConeAt& cone : cones) {
    Eigen::Index least = 0;
    cone.normal.cwiseAbs().minCoeff(&least);
    const Eigen::Vector3d u = cone.normal.cross(Eigen::Vector3d::Unit(least)).normalized(), v = cone.normal.cross(u);
    for (int k = 0; k < cone_edges; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / cone_edges;
      const Eigen::Vector3d f =
          (cone.normal + cone.friction * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
      wrenches.col(column++) << f, (cone.point - middle).cross(f) / size;
    }
  }
  if (PivotedQr(wrenches, closure_tolerance).rank() < 6) return false;
  // Weights t + m_i, m_i >= 0, that balance and add up to their number: the largest t.
  const Eigen::Index count = wrenches.cols();
  Eigen::MatrixXd a(7, count + 1);
  a << wrenches, wrenches.rowwise().sum(), Eigen::RowVectorXd::Ones(count), double(count);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(7), c = Eigen::VectorXd::Zero(count + 1);
  b[6] = double(count);
  c[count] = 1.0;
  return largest(std::move(a), std::move(b), c) > closure_tolerance;
}

}  // namespace carom::soft
