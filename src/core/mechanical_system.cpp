#include "carom/core/mechanical_system.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "carom/core/contact_graph.hpp"
#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"

#include "system_checks.hpp"

namespace carom {

namespace {

/// Coordinates of a movable body: velocity and angular velocity.
constexpr Eigen::Index body_coordinates = 6;

std::string size_text(const Eigen::MatrixXd& m) { return std::to_string(m.rows()) + " x " + std::to_string(m.cols()); }

void require_at_rest(const Body& body, std::size_t i) {
  const auto require_none = [i](const char* field, const Eigen::Vector3d& v) {
    if ((v.array() != 0.0).any())
      throw InvalidInput("bodies[" + std::to_string(i) + "]." + field,
                         "must be zero for an immovable body of a mechanical system, which has no coordinates for it");
  };
  require_none("velocity", body.velocity);
  require_none("angular_velocity", body.angular_velocity);
}

Eigen::Index movable_count(std::span<const Body> bodies) {
  Eigen::Index count = 0;
  for (const Body& body : bodies) count += body.immovable ? 0 : 1;
  return count;
}

}  // namespace

bool is_definite(const Eigen::MatrixXd& matrix, Eigen::Index terms) {
  if (!(matrix.diagonal().array() > 0.0).all()) return false;
  // The usual bound n eps on the rounding of a Gram matrix of unit vectors, with room for its constant.
  const double rounding = 8.0 * static_cast<double>(terms) * std::numeric_limits<double>::epsilon();
  const Eigen::VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
  return symmetric_eigenvalues(scaled)[0] > rounding;
}

Cholesky checked_system(const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& jacobian,
                        const Eigen::VectorXd& velocity, Eigen::Index rows) {
  const Eigen::Index n = mass_matrix.rows();
  if (n == 0 || mass_matrix.cols() != n)
    throw InvalidInput("mass_matrix", "must be square and not empty, got " + size_text(mass_matrix));
  if (!mass_matrix.allFinite()) throw InvalidInput("mass_matrix", "must be finite");
  if (!(mass_matrix.diagonal().array() > 0.0).all()) throw InvalidInput("mass_matrix", "must be positive definite");
  const Eigen::VectorXd scale = mass_matrix.diagonal().cwiseSqrt();  // coordinates may have unlike units
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (std::abs(mass_matrix(i, j) - mass_matrix(j, i)) > symmetry_tolerance * scale[i] * scale[j])
        throw InvalidInput("mass_matrix", "must be symmetric, got " + number_text(mass_matrix(j, i)) + " and " +
                                              number_text(mass_matrix(i, j)) + " across the diagonal");
  if (jacobian.rows() != rows || jacobian.cols() != n)
    throw InvalidInput("jacobian",
                       "must be " + std::to_string(rows) + " x " + std::to_string(n) + ", got " + size_text(jacobian));
  if (!jacobian.allFinite()) throw InvalidInput("jacobian", "must be finite");
  if (velocity.size() != n)
    throw InvalidInput("velocity",
                       "must have length " + std::to_string(n) + ", got " + std::to_string(velocity.size()));
  if (!velocity.allFinite()) throw InvalidInput("velocity", "must be finite");
  const Eigen::MatrixXd symmetric = 0.5 * mass_matrix + 0.5 * mass_matrix.transpose();
  if (!is_definite(symmetric, n)) throw InvalidInput("mass_matrix", "must be positive definite");
  return Cholesky(symmetric);
}

MechanicalSystem system_of(std::span<const Body> bodies, std::span<const PairContact> contacts) {
  const ContactGraph graph(bodies, contacts);
  const Eigen::Index n = body_coordinates * movable_count(bodies);
  MechanicalSystem system{Eigen::MatrixXd::Zero(n, n),
                          Eigen::MatrixXd::Zero(3 * static_cast<Eigen::Index>(contacts.size()), n),
                          Eigen::VectorXd::Zero(n)};
  std::vector<Eigen::Index> start;
  Eigen::Index next = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    start.push_back(next);
    if (body.immovable) {
      require_at_rest(body, i);
      continue;
    }
    system.mass_matrix.diagonal().segment<3>(next).setConstant(body.mass);
    system.mass_matrix.block<3, 3>(next + 3, next + 3) = world_inertia(body);
    system.velocity.segment<3>(next) = body.velocity;
    system.velocity.segment<3>(next + 3) = body.angular_velocity;
    next += body_coordinates;
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactGraph::Edge& edge = graph.edges()[k];
    for (const std::size_t side : {0U, 1U}) {
      const Body& body = bodies[edge.body[side]];
      if (body.immovable) continue;
      const double sign = side == 0 ? 1.0 : -1.0;
      const Eigen::Vector3d arm = edge.point - body.position;
      for (Eigen::Index axis = 0; axis < 3; ++axis) {  // velocity of the point along it: axis.(v + omega x arm)
        const Eigen::Vector3d direction = edge.frame.col(axis);
        auto row = system.jacobian.row(3 * static_cast<Eigen::Index>(k) + axis);
        row.segment<3>(start[edge.body[side]]) = sign * direction.transpose();
        row.segment<3>(start[edge.body[side]] + 3) = sign * arm.cross(direction).transpose();
      }
    }
  }
  return system;
}

void set_velocities(std::span<Body> bodies, const Eigen::VectorXd& velocity) {
  const Eigen::Index n = body_coordinates * movable_count(bodies);
  if (velocity.size() != n)
    throw InvalidInput("velocity",
                       "must have length " + std::to_string(n) + ", got " + std::to_string(velocity.size()));
  Eigen::Index next = 0;
  for (Body& body : bodies) {
    if (body.immovable) continue;
    body.velocity = velocity.segment<3>(next);
    body.angular_velocity = velocity.segment<3>(next + 3);
    next += body_coordinates;
  }
}

Eigen::MatrixXd contact_factor(const MechanicalSystem& system) {
  const Cholesky factor = checked_system(system.mass_matrix, system.jacobian, system.velocity, system.jacobian.rows());
  Eigen::MatrixXd half = factor.lower_solve(system.jacobian.transpose());
  if (!std::isfinite(half.squaredNorm())) throw InvalidInput("jacobian", "J M^-1 J^T must be finite");
  return half;
}

double kinetic_energy(const MechanicalSystem& system) {
  return 0.5 * system.velocity.dot(system.mass_matrix * system.velocity);
}

}  // namespace carom
