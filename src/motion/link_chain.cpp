#include "carom/motion/link_chain.hpp"

#include <cmath>
#include <string>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"

namespace carom {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::Vector2d, Eigen::VectorXd;

const ChainLink& link(const LinkChain& chain, Index i) { return chain.links[static_cast<std::size_t>(i)]; }
Index size_of(const LinkChain& chain) { return static_cast<Index>(chain.links.size()); }

/// How far the centre of link k follows when link i turns: all of the link before it, its own centre's distance.
double arm(const LinkChain& chain, Index k, Index i) {
  return i < k ? link(chain, i).length : i == k ? link(chain, i).centre : 0.0;
}

/// Sum of m_k arm(k, i) arm(k, j): M_ij without the cosine of the angle between the links and the inertia.
double coupling(const LinkChain& chain, Index i, Index j) {
  double sum = 0.0;
  for (Index k = std::max(i, j); k < size_of(chain); ++k)
    sum += link(chain, k).mass * arm(chain, k, i) * arm(chain, k, j);
  return sum;
}

/// Sum of m_k arm(k, i).
double first_moment(const LinkChain& chain, Index i) {
  double sum = 0.0;
  for (Index k = i; k < size_of(chain); ++k) sum += link(chain, k).mass * arm(chain, k, i);
  return sum;
}

void require_as_many(const char* field, std::size_t got, std::size_t wanted) {
  if (got != wanted)
    throw InvalidInput(field,
                       "must be as many as `lengths`, " + std::to_string(wanted) + ", got " + std::to_string(got));
}

}  // namespace

LinkChain chain_of_rods(const std::vector<double>& lengths, const std::vector<double>& masses,
                        const std::vector<double>& inertias, double gravity) {
  require_as_many("masses", masses.size(), lengths.size());
  require_as_many("inertias", inertias.size(), lengths.size());
  LinkChain chain{{}, gravity};
  for (std::size_t i = 0; i < lengths.size(); ++i)
    chain.links.push_back({lengths[i], masses[i], 0.5 * lengths[i], inertias[i]});
  return chain;
}

LinkChain chain_of_points(const std::vector<double>& lengths, const std::vector<double>& masses, double gravity) {
  require_as_many("masses", masses.size(), lengths.size());
  LinkChain chain{{}, gravity};
  for (std::size_t i = 0; i < lengths.size(); ++i) chain.links.push_back({lengths[i], masses[i], lengths[i], 0.0});
  return chain;
}

void require_valid(const LinkChain& chain) {
  if (chain.links.empty()) throw InvalidInput("links", "must be at least one");
  for (std::size_t i = 0; i < chain.links.size(); ++i) {
    const std::string here = "links[" + std::to_string(i) + "].";
    const ChainLink& l = chain.links[i];
    require_positive(here + "length", l.length);
    require_positive(here + "mass", l.mass);
    require_finite(here + "centre", l.centre);
    require_at_least(here + "inertia", l.inertia, 0.0);
    if (i + 1 == chain.links.size() && l.inertia == 0.0 && l.centre == 0.0)
      throw InvalidInput(here + "inertia", "must be positive where the centre of mass is in the hinge, got 0");
  }
  require_finite("gravity", chain.gravity);
}

VectorXd absolute_angles(AngleConvention given, const VectorXd& angles) {
  VectorXd absolute = angles;
  if (given == AngleConvention::relative)
    for (Index i = 1; i < angles.size(); ++i) absolute[i] += absolute[i - 1];
  return absolute;
}

VectorXd angles_as(AngleConvention wanted, const VectorXd& absolute) {
  VectorXd angles = absolute;
  if (wanted == AngleConvention::relative)
    for (Index i = absolute.size() - 1; i > 0; --i) angles[i] -= absolute[i - 1];
  return angles;
}

MatrixXd mass_matrix(const LinkChain& chain, const VectorXd& angles) {
  const Index n = size_of(chain);
  MatrixXd m(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) m(i, j) = m(j, i) = coupling(chain, i, j) * std::cos(angles[i] - angles[j]);
    m(i, i) = coupling(chain, i, i) + link(chain, i).inertia;
  }
  return m;
}

VectorXd free_torques(const LinkChain& chain, const VectorXd& angles, const VectorXd& rates) {
  const Index n = size_of(chain);
  VectorXd torque(n);
  for (Index i = 0; i < n; ++i) {
    torque[i] = -chain.gravity * first_moment(chain, i) * std::sin(angles[i]);
    for (Index j = 0; j < n; ++j)
      torque[i] -= coupling(chain, i, j) * std::sin(angles[i] - angles[j]) * rates[j] * rates[j];
  }
  return torque;
}

VectorXd accelerations(const LinkChain& chain, const VectorXd& angles, const VectorXd& rates,
                       const Vector2d& tip_force) {
  const Index n = size_of(chain);
  VectorXd torque = free_torques(chain, angles, rates);
  for (Index i = 0; i < n; ++i)
    torque[i] += link(chain, i).length * (tip_force[0] * std::cos(angles[i]) + tip_force[1] * std::sin(angles[i]));
  const MatrixXd m = mass_matrix(chain, angles);
  if (n == 1) return torque / m(0, 0);
  if (n == 2) {
    const double det = m(0, 0) * m(1, 1) - m(0, 1) * m(0, 1);
    return Vector2d(m(1, 1) * torque[0] - m(0, 1) * torque[1], m(0, 0) * torque[1] - m(0, 1) * torque[0]) / det;
  }
  return Cholesky(m).solve(torque);
}

double kinetic_energy(const LinkChain& chain, const VectorXd& angles, const VectorXd& rates) {
  return 0.5 * rates.dot(mass_matrix(chain, angles) * rates);
}

double potential_energy(const LinkChain& chain, const VectorXd& angles) {
  double energy = 0.0;
  for (Index i = 0; i < size_of(chain); ++i) energy -= chain.gravity * first_moment(chain, i) * std::cos(angles[i]);
  return energy;
}

Vector2d tip_position(const LinkChain& chain, const VectorXd& angles) {
  Vector2d tip = Vector2d::Zero();
  for (Index i = 0; i < size_of(chain); ++i)
    tip += link(chain, i).length * Vector2d(std::sin(angles[i]), -std::cos(angles[i]));
  return tip;
}

MatrixXd tip_jacobian(const LinkChain& chain, const VectorXd& angles) {
  const Index n = size_of(chain);
  MatrixXd jacobian(2, n);
  for (Index i = 0; i < n; ++i)
    jacobian.col(i) = link(chain, i).length * Vector2d(std::cos(angles[i]), std::sin(angles[i]));
  return jacobian;
}

Vector2d tip_velocity(const LinkChain& chain, const VectorXd& angles, const VectorXd& rates) {
  return tip_jacobian(chain, angles) * rates;
}

Vector2d tip_acceleration(const LinkChain& chain, const VectorXd& angles, const VectorXd& rates,
                          const VectorXd& angle_accelerations) {
  Vector2d sum = tip_jacobian(chain, angles) * angle_accelerations;
  for (Index i = 0; i < size_of(chain); ++i)
    sum += link(chain, i).length * rates[i] * rates[i] * Vector2d(-std::sin(angles[i]), std::cos(angles[i]));
  return sum;
}

MechanicalSystem tip_system(const LinkChain& chain, const VectorXd& angles, const VectorXd& rates) {
  return {mass_matrix(chain, angles), tip_jacobian(chain, angles), rates};
}

}  // namespace carom
