#include "factor.hpp"

#include <algorithm>
#include <limits>

#include "carom/impact/simultaneous.hpp"

namespace carom::simultaneous {

namespace {

constexpr Eigen::Index block_rows = 6;

/// Friction that cannot change any contact velocity by more than this share of the impact speed is left out: far below
/// rounding.
constexpr double negligible_friction = 1e-18;

}  // namespace

Factor::Factor(const ContactGraph& graph) : block_count_(graph.body_count()) {
  parts_.reserve(2 * graph.contact_count());
  first_.reserve(graph.contact_count() + 1);
  for (const ContactGraph::Edge& edge : graph.edges()) {
    for (const std::size_t side : {0U, 1U}) parts_.push_back({edge.body[side], edge.half[side]});
    first_.push_back(parts_.size());
  }
}

Factor::Factor(const Eigen::MatrixXd& factor)
    : block_count_(static_cast<std::size_t>((factor.rows() + block_rows - 1) / block_rows)) {
  first_.reserve(static_cast<std::size_t>(factor.cols() / 3) + 1);
  for (Eigen::Index column = 0; column < factor.cols(); column += 3) {
    for (std::size_t block = 0; block < block_count_; ++block) {
      const Eigen::Index row = block_rows * static_cast<Eigen::Index>(block);
      const Eigen::Index rows = std::min(block_rows, factor.rows() - row);
      Part part{block};
      part.half.topRows(rows) = factor.block(row, column, rows, 3);
      if ((part.half.array() != 0.0).any()) parts_.push_back(part);
    }
    first_.push_back(parts_.size());
  }
}

double Factor::normal_admittance(std::size_t contact) const {
  double sum = 0.0;
  for (const Part& part : parts(contact)) sum += part.half.col(2).squaredNorm();
  return sum;
}

double Factor::velocity_rounding(const std::vector<Eigen::Vector3d>& impulses) const {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  constexpr double half_ulp = 0.5 * std::numeric_limits<double>::epsilon();
  std::vector<Vector6> pushed(block_count_, Vector6::Zero());
  for (std::size_t c = 0; c < impulses.size(); ++c)
    for (const Part& part : parts(c)) pushed[part.block] += part.half.cwiseAbs() * impulses[c].cwiseAbs();
  double largest = 0.0;
  for (const Part& part : parts_)
    largest = std::max(largest, (part.half.cwiseAbs().transpose() * pushed[part.block]).maxCoeff());
  return half_ulp * largest;
}

double friction_reach(const Factor& factor) {
  double largest = 0.0, least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < factor.contact_count(); ++c) {
    double size = 0.0;
    for (const Factor::Part& part : factor.parts(c)) size += part.half.squaredNorm();
    largest = std::max(largest, size);
    const double normal = factor.normal_admittance(c);
    if (normal > 0.0) least = std::min(least, normal);
  }
  return largest / least;
}

double effective_friction(double mu, double reach) {
  const double bounded = std::min(mu, largest_simultaneous_friction);
  return bounded * reach < negligible_friction ? 0.0 : bounded;
}

}  // namespace carom::simultaneous
