#include "compliance.hpp"

#include "carom/core/linear_algebra.hpp"

namespace carom::soft {

namespace {

/// The body held at six components that stop its six rigid motions and no more: forces that balance leave no reaction.
SoftBody held(SoftBody body) {
  const auto& at = body.mesh.vertices;
  const auto farthest = [&](const auto& distance) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < at.size(); ++i)
      if (distance(at[i]) > distance(at[best])) best = i;
    return best;
  };
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& p : at) middle += p / double(at.size());
  const std::size_t a = farthest([&](const Eigen::Vector3d& p) { return (p - middle).norm(); });
  const std::size_t b = farthest([&](const Eigen::Vector3d& p) { return (p - at[a]).norm(); });
  const Eigen::Vector3d line = at[b] - at[a];
  const std::size_t c = farthest([&](const Eigen::Vector3d& p) { return line.cross(p - at[a]).norm(); });
  Eigen::Index along = 0, turning = 0;
  line.cwiseAbs().maxCoeff(&along);
  line.cross(at[c] - at[a]).cwiseAbs().maxCoeff(&turning);
  for (int i = 0; i < 3; ++i) body.prescribed.push_back({int(a), i, 0.0});
  for (int i = 0; i < 3; ++i)
    if (i != along) body.prescribed.push_back({int(b), i, 0.0});
  body.prescribed.push_back({int(c), int(turning), 0.0});
  return body;
}

}  // namespace

Compliance::Compliance(const SoftBody& body, int threads)
    : prepared_(held(body), threads),
      linear_(prepared_.assembly, prepared_.unknowns, prepared_.material),
      young_(body.young),
      nodal_masses_(carom::nodal_masses(body.mesh, prepared_.masses)),
      surface_(surface_of(body.mesh).vertices) {
  linear_.set_shape(prepared_.at);
  const Field& at = prepared_.at;
  size_ = (at.rowwise().maxCoeff() - at.rowwise().minCoeff()).maxCoeff();
  double mass = 0.0;
  for (Eigen::Index i = 0; i < at.cols(); ++i) {
    mass += nodal_masses_[std::size_t(i)];
    centre_ += nodal_masses_[std::size_t(i)] * at.col(i);
  }
  centre_ /= mass;
  weight_ = mass * body.gravity.norm();
  Eigen::Matrix<double, 6, 6> inertia = Eigen::Matrix<double, 6, 6>::Zero();
  gravity_.setZero();
  for (Eigen::Index i = 0; i < at.cols(); ++i) {
    const Matrix36 r = rigid_at(at.col(i));
    inertia += nodal_masses_[std::size_t(i)] * r.transpose() * r;
    gravity_ += nodal_masses_[std::size_t(i)] * r.transpose() * body.gravity;
  }
  inverse_inertia_ = inverse(inertia);
  for (const int vertex : surface_) at_.emplace_back(at.col(vertex));

  const std::vector<Element> elements = elements_of(prepared_.assembly, at);
  std::vector<char> outside(std::size_t(at.cols()), 0);
  for (const int vertex : surface_) outside[std::size_t(vertex)] = 1;
  for (std::size_t t = 0; t < elements.size(); ++t)
    for (int a = 0; a < 4; ++a)
      if (outside[std::size_t(prepared_.tets[t][std::size_t(a)])] != 0)
        stiffness_ += young_ * stiffness_block(elements[t], a, a, prepared_.material).trace();
  stiffness_ /= 3.0 * double(surface_.size());
}

Matrix36 Compliance::rigid_at(const Eigen::Vector3d& point) const {
  const Eigen::Vector3d r = (point - centre_) / size_;
  Matrix36 m;
  m << 1, 0, 0, 0, r[2], -r[1], 0, 1, 0, -r[2], 0, r[0], 0, 0, 1, r[1], -r[0], 0;
  return m;
}

Field Compliance::balanced(Field forces) const {
  const Field& at = prepared_.at;
  Vector6 total = Vector6::Zero();
  for (Eigen::Index i = 0; i < at.cols(); ++i)
    if (!forces.col(i).isZero(0.0)) total += rigid_at(at.col(i)).transpose() * forces.col(i);
  const Vector6 acceleration = inverse_inertia_ * total;
  for (Eigen::Index i = 0; i < at.cols(); ++i)
    forces.col(i) -= nodal_masses_[std::size_t(i)] * (rigid_at(at.col(i)) * acceleration);
  return forces;
}

const Eigen::MatrixX3d& Compliance::columns(int node) {
  const auto found = columns_.find(node);
  if (found != columns_.end()) return found->second;
  Eigen::MatrixXd loads(prepared_.unknowns.free(), 3);
  for (int axis = 0; axis < 3; ++axis) {
    Field unit = Field::Zero(3, prepared_.at.cols());
    unit(axis, surface_[std::size_t(node)]) = 1.0 / young_;
    loads.col(axis) = prepared_.unknowns.gather(balanced(std::move(unit)));
  }
  loads = linear_.solve_each(std::move(loads));
  Eigen::MatrixX3d columns(3 * Eigen::Index(surface_.size()), 3);
  for (int axis = 0; axis < 3; ++axis) {
    const Field moved = prepared_.unknowns.spread(loads.col(axis));
    for (std::size_t i = 0; i < surface_.size(); ++i)
      columns.block<3, 1>(3 * Eigen::Index(i), axis) = moved.col(surface_[i]);
  }
  return columns_.emplace(node, std::move(columns)).first->second;
}

Field Compliance::displacement(const std::vector<std::pair<int, Eigen::Vector3d>>& forces, const Vector6& rigid) const {
  Field all = Field::Zero(3, prepared_.at.cols());
  for (const auto& [node, force] : forces) all.col(surface_[std::size_t(node)]) += force / young_;
  Field moved = linear_.solve(balanced(std::move(all)));
  for (Eigen::Index i = 0; i < moved.cols(); ++i) moved.col(i) += rigid_at(prepared_.at.col(i)) * rigid;
  return moved;
}

double Compliance::largest_strain(const Field& displacement) const {
  return strains_of(prepared_.assembly, prepared_.at, prepared_.material, displacement).largest;
}

}  // namespace carom::soft
