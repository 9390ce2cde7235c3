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

/// Velocity and angular velocity of every body, (t1, t2, n) at every contact.
struct InSpace {
  static constexpr int coordinates = 6, axes = 3;
  using Coordinates = Eigen::Matrix<double, coordinates, 1>;

  Coordinates of(const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) const {
    return (Coordinates() << linear, angular).finished();
  }
  Eigen::Matrix<double, coordinates, coordinates> mass(const Body& body) const {
    Eigen::Matrix<double, coordinates, coordinates> m = decltype(m)::Zero();
    m.diagonal().head<3>().setConstant(body.mass);
    m.bottomRightCorner<3, 3>() = world_inertia(body);
    return m;
  }
  Eigen::Matrix3d directions(const PairContact& contact) const { return contact_frame(contact); }
  void set(Body& body, const Coordinates& q) const {
    body.velocity = q.head<3>();
    body.angular_velocity = q.tail<3>();
  }
};

/// Velocity and angular velocity in a plane, (t, n) at every contact.
struct InPlane {
  static constexpr int coordinates = 3, axes = 2;
  using Coordinates = Eigen::Matrix<double, coordinates, 1>;

  explicit InPlane(const MotionPlane& plane) : right(plane.right), up(plane.up), axis(right.cross(up)) {
    // Written so that what is not finite fails too.
    const bool sound = std::abs(right.norm() - 1.0) <= unit_tolerance && std::abs(up.norm() - 1.0) <= unit_tolerance &&
                       std::abs(right.dot(up)) <= unit_tolerance;
    if (!sound) throw InvalidInput("plane", "must be two orthogonal unit vectors");
  }
  Coordinates of(const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) const {
    return {linear.dot(right), linear.dot(up), angular.dot(axis)};
  }
  Eigen::Matrix3d mass(const Body& body) const {
    return Eigen::Vector3d(body.mass, body.mass, axis.dot(world_inertia(body) * axis)).asDiagonal();
  }
  Eigen::Matrix<double, 3, 2> directions(const PairContact& contact) const {
    return (Eigen::Matrix<double, 3, 2>() << contact.normal.cross(axis), contact.normal).finished();
  }
  void set(Body& body, const Coordinates& q) const {
    body.velocity = q[0] * right + q[1] * up;
    body.angular_velocity = q[2] * axis;
  }

  Eigen::Vector3d right, up, axis;
};

template <class Motion>
MechanicalSystem assembled(std::span<const Body> bodies, std::span<const PairContact> contacts, const Motion& motion) {
  const ContactGraph graph(bodies, contacts);
  const Eigen::Index n = Motion::coordinates * movable_count(bodies);
  MechanicalSystem system{Eigen::MatrixXd::Zero(n, n),
                          Eigen::MatrixXd::Zero(Motion::axes * static_cast<Eigen::Index>(contacts.size()), n),
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
    system.mass_matrix.block<Motion::coordinates, Motion::coordinates>(next, next) = motion.mass(body);
    system.velocity.segment<Motion::coordinates>(next) = motion.of(body.velocity, body.angular_velocity);
    next += Motion::coordinates;
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactGraph::Edge& edge = graph.edges()[k];
    const auto directions = motion.directions(contacts[k]);
    for (const std::size_t side : {0U, 1U}) {
      const Body& body = bodies[edge.body[side]];
      if (body.immovable) continue;
      const double sign = side == 0 ? 1.0 : -1.0;
      const Eigen::Vector3d arm = edge.point - body.position;
      for (Eigen::Index axis = 0; axis < Motion::axes; ++axis) {  // velocity of the point along it: d.(v + omega x arm)
        const Eigen::Vector3d direction = directions.col(axis);
        system.jacobian.row(Motion::axes * static_cast<Eigen::Index>(k) + axis)
            .template segment<Motion::coordinates>(start[edge.body[side]]) =
            sign * motion.of(direction, arm.cross(direction)).transpose();
      }
    }
  }
  return system;
}

template <class Motion>
void set_all(std::span<Body> bodies, const Eigen::VectorXd& velocity, const Motion& motion) {
  const Eigen::Index n = Motion::coordinates * movable_count(bodies);
  if (velocity.size() != n)
    throw InvalidInput("velocity",
                       "must have length " + std::to_string(n) + ", got " + std::to_string(velocity.size()));
  Eigen::Index next = 0;
  for (Body& body : bodies) {
    if (body.immovable) continue;
    motion.set(body, velocity.segment<Motion::coordinates>(next));
    next += Motion::coordinates;
  }
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
  return assembled(bodies, contacts, InSpace{});
}
MechanicalSystem system_of(std::span<const Body> bodies, std::span<const PairContact> contacts,
                           const MotionPlane& plane) {
  return assembled(bodies, contacts, InPlane(plane));
}

void set_velocities(std::span<Body> bodies, const Eigen::VectorXd& velocity) { set_all(bodies, velocity, InSpace{}); }
void set_velocities(std::span<Body> bodies, const Eigen::VectorXd& velocity, const MotionPlane& plane) {
  set_all(bodies, velocity, InPlane(plane));
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
