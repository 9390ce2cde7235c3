#include "carom/core/contact_space.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"

#include "body_algebra.hpp"
#include "system_checks.hpp"

namespace carom {

namespace {

template <int N>
std::optional<std::string> problem_of(const Eigen::Matrix<double, N, N>& w) {
  if (!w.allFinite()) return "must be finite";
  const double largest = w.cwiseAbs().maxCoeff();
  if (!(largest > 0.0)) return "must be positive definite, got zeros";
  // Entries far from the limits of doubles need no scaling; others by a power of two: no rounding here, and no overflow
  // or underflow below.
  constexpr double smallest = 0x1p-100, greatest = 0x1p100;
  Eigen::Matrix<double, N, N> rest = w;
  if (!(largest > smallest && largest < greatest)) rest /= std::exp2(std::ilogb(largest));
  const double tolerance = symmetry_tolerance * rest.cwiseAbs().maxCoeff();
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(rest(i, j) - rest(j, i)) > tolerance)
        return "must be symmetric, got " + number_text(w(j, i)) + " and " + number_text(w(i, j)) +
               " across the diagonal";
  rest = (0.5 * rest + 0.5 * rest.transpose()).eval();
  for (int k = 0; k < N; ++k) {  // positive definite iff every pivot of the elimination is positive
    if (!(rest(k, k) > 0.0)) return "must be positive definite";
    for (int i = k + 1; i < N; ++i) {
      const double ratio = rest(i, k) / rest(k, k);
      for (int j = k + 1; j < N; ++j) rest(i, j) -= ratio * rest(k, j);
    }
  }
  return std::nullopt;
}

template <int N>
BasicContactSpace<N> checked(const BasicContactSpace<N>& space) {
  if (const auto problem = problem_of<N>(space.inverse_inertia)) throw InvalidInput("inverse_inertia", *problem);
  if (!space.velocity.allFinite()) throw InvalidInput("velocity", "must be finite");
  BasicContactSpace<N> result = space;
  // Halves before the sum: entries near the largest double must not overflow.
  result.inverse_inertia = 0.5 * space.inverse_inertia + 0.5 * space.inverse_inertia.transpose();
  return result;
}

/// Re-throw what is wrong with part of an argument under the argument's name.
template <class Check>
void check_part(const std::string& prefix, const Check& check) {
  try {
    check();
  } catch (const InvalidInput& error) {
    throw InvalidInput(prefix + "." + error.field(), error.message());
  }
}

template <class B, class C>
C checked_pair(const B& a, const B& b, const C& contact) {
  if (a.immovable && b.immovable) throw InvalidInput("bodies", "both are immovable: one must be free to move");
  check_part("bodies[0]", [&] { require_valid(a); });
  check_part("bodies[1]", [&] { require_valid(b); });
  C result;
  check_part("contact", [&] { result = validated(contact); });
  return result;
}

/// The contact space of valid bodies; only magnitudes near the ends of double's range can make it unsound.
template <int N>
BasicContactSpace<N> checked_of_bodies(const BasicContactSpace<N>& space) {
  if (const auto problem = problem_of<N>(space.inverse_inertia))
    throw InvalidInput("bodies", "their inverse inertia at the contact " + *problem);
  if (!space.velocity.allFinite())
    throw InvalidInput("bodies", "their relative velocity at the contact must be finite");
  return checked<N>(space);
}

/// J M^-1 J^T, checked.
Eigen::MatrixXd system_inverse_inertia(const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& jacobian,
                                       const Eigen::VectorXd& velocity, Eigen::Index rows) {
  const auto factor = checked_system(mass_matrix, jacobian, velocity, rows);
  const Eigen::MatrixXd half = factor.lower_solve(jacobian.transpose());
  Eigen::MatrixXd w = half.transpose() * half;
  if (!w.allFinite()) throw InvalidInput("jacobian", "J M^-1 J^T must be finite");
  if (!is_definite(w, half.rows()))
    throw InvalidInput("jacobian", "its rows must be independent: the contact cannot move in some direction");
  return w;
}

template <int N>
BasicContactSpace<N> from_system(const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& jacobian,
                                 const Eigen::VectorXd& velocity) {
  const Eigen::MatrixXd w = system_inverse_inertia(mass_matrix, jacobian, velocity, N);
  const Eigen::VectorXd v = jacobian * velocity;
  return checked<N>({w, v});
}

/// Inverse inertia of one body at a point r from its centre of mass, contact axes: 1/m + [r]x^T J^-1 [r]x, from the
/// inertia's factor J = L L^T, so that it is symmetric and positive definite by construction.
void add_body(Eigen::Matrix3d& w, const Body& body, const Eigen::Vector3d& point, const Eigen::Matrix3d& frame) {
  if (body.immovable) return;
  const Eigen::Vector3d r = point - body.position;
  Eigen::Matrix3d skew;
  skew << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  const Eigen::Matrix3d half = inertia_factor(body).matrixL().solve(rotation_of(body).transpose() * (skew * frame));
  w += Eigen::Matrix3d::Identity() / body.mass + half.transpose() * half;
}

}  // namespace

std::optional<std::string> inverse_inertia_problem(const Eigen::Matrix2d& w) { return problem_of<2>(w); }
std::optional<std::string> inverse_inertia_problem(const Eigen::Matrix3d& w) { return problem_of<3>(w); }

PlanarContactSpace validated(const PlanarContactSpace& space) { return checked<2>(space); }
ContactSpace validated(const ContactSpace& space) { return checked<3>(space); }

PlanarContactSpace contact_space(const PlanarBody& a, const PlanarBody& b, const PlanarContact& contact) {
  const PlanarContact c = checked_pair(a, b, contact);
  const Eigen::Matrix2d frame = contact_frame(c);
  PlanarContactSpace space;
  space.inverse_inertia.setZero();
  for (const PlanarBody* body : {&a, &b}) {
    if (body->immovable) continue;
    // Wang and Mason 1992, eqs. 19-21 (the sign of B3 corrected), with (x, y) the centre of mass seen from the contact.
    const Eigen::Vector2d xy = frame.transpose() * (body->position - c.point);
    const double x = xy[0], y = xy[1];
    Eigen::Matrix2d k;
    k << y * y, -x * y, -x * y, x * x;
    space.inverse_inertia += k / body->inertia + Eigen::Matrix2d::Identity() / body->mass;
  }
  space.velocity = frame.transpose() * (velocity_at(a, c.point) - velocity_at(b, c.point));
  return checked_of_bodies<2>(space);
}

ContactSpace contact_space(const Body& a, const Body& b, const Contact& contact) {
  const Contact c = checked_pair(a, b, contact);
  const Eigen::Matrix3d frame = contact_frame(c);
  ContactSpace space;
  space.inverse_inertia.setZero();
  add_body(space.inverse_inertia, a, c.point, frame);
  add_body(space.inverse_inertia, b, c.point, frame);
  space.velocity = frame.transpose() * (velocity_at(a, c.point) - velocity_at(b, c.point));
  return checked_of_bodies<3>(space);
}

PlanarContactSpace planar_contact_space(const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& jacobian,
                                        const Eigen::VectorXd& velocity) {
  return from_system<2>(mass_matrix, jacobian, velocity);
}

ContactSpace contact_space(const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& jacobian,
                           const Eigen::VectorXd& velocity) {
  return from_system<3>(mass_matrix, jacobian, velocity);
}

Eigen::VectorXd velocity_after(const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& jacobian,
                               const Eigen::VectorXd& velocity, const Eigen::VectorXd& impulse) {
  const auto factor = checked_system(mass_matrix, jacobian, velocity, jacobian.rows());
  if (impulse.size() != jacobian.rows())
    throw InvalidInput(
        "impulse", "must have length " + std::to_string(jacobian.rows()) + ", got " + std::to_string(impulse.size()));
  if (!impulse.allFinite()) throw InvalidInput("impulse", "must be finite");
  return velocity + factor.solve(jacobian.transpose() * impulse);
}

PlanarContactSpace planar_contact_space(const MechanicalSystem& system) {
  return planar_contact_space(system.mass_matrix, system.jacobian, system.velocity);
}

ContactSpace contact_space(const MechanicalSystem& system) {
  return contact_space(system.mass_matrix, system.jacobian, system.velocity);
}

Eigen::VectorXd velocity_after(const MechanicalSystem& system, const Eigen::VectorXd& impulse) {
  return velocity_after(system.mass_matrix, system.jacobian, system.velocity, impulse);
}

Eigen::Vector2d velocity_after(const PlanarContactSpace& space, const Eigen::Vector2d& impulse) {
  return space.velocity + space.inverse_inertia * impulse;
}
Eigen::Vector3d velocity_after(const ContactSpace& space, const Eigen::Vector3d& impulse) {
  return space.velocity + space.inverse_inertia * impulse;
}

double kinetic_energy(const PlanarContactSpace& space) {
  // One elimination step: the sum of two squares keeps its digits however unlike the two directions are.
  const Eigen::Matrix2d& w = space.inverse_inertia;
  const Eigen::Vector2d& v = space.velocity;
  const double ratio = w(1, 0) / w(0, 0);
  const double rest = v[1] - ratio * v[0];
  return 0.5 * (v[0] * v[0] / w(0, 0) + rest * rest / (w(1, 1) - ratio * w(0, 1)));
}

double kinetic_energy(const ContactSpace& space) {
  // A sum of squares, as in the plane; the pivoting of LDLT keeps it so.
  const Eigen::LDLT<Eigen::Matrix3d> factor(space.inverse_inertia);
  const Eigen::Vector3d rest = factor.matrixL().solve(factor.transpositionsP() * space.velocity);
  return 0.5 * (rest.array().square() / factor.vectorD().array()).sum();
}

void apply_impulse(PlanarBody& a, PlanarBody& b, const PlanarContact& contact, const Eigen::Vector2d& impulse) {
  const Eigen::Vector2d world = contact_frame(contact) * impulse;
  apply_impulse(a, contact.point, world);
  apply_impulse(b, contact.point, -world);
}

void apply_impulse(Body& a, Body& b, const Contact& contact, const Eigen::Vector3d& impulse) {
  const Eigen::Vector3d world = contact_frame(contact) * impulse;
  apply_impulse(a, contact.point, world);
  apply_impulse(b, contact.point, -world);
}

}  // namespace carom
