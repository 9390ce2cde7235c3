#include "unknowns.hpp"

#include "carom/core/linear_algebra.hpp"

namespace carom::soft {

namespace {
/// Rigid motions of a body of unit size that are stopped by less than this are not stopped.
constexpr double rank_tolerance = 1e-9;
}  // namespace

Unknowns::Unknowns(std::size_t vertices) : number_(3 * vertices, 0), value_(3 * vertices, 0.0), axes_of_(vertices, -1) {
  count();
}

void Unknowns::turn(int vertex, const Eigen::Matrix3d& axes) {
  axes_of_[std::size_t(vertex)] = static_cast<int>(axes_.size());
  axes_.push_back(axes);
}

void Unknowns::hold(int vertex, int component, double value) {
  number_[index(vertex, component)] = -1;
  value_[index(vertex, component)] = value;
}

void Unknowns::count() {
  free_ = 0;
  for (int& number : number_)
    if (number >= 0) number = free_++;
}

Eigen::VectorXd Unknowns::gather(const Field& field) const {
  Eigen::VectorXd free(free_);
  for (int vertex = 0; vertex < field.cols(); ++vertex) {
    const Eigen::Vector3d own = to_own(vertex, field.col(vertex));
    for (int i = 0; i < 3; ++i)
      if (const int n = number(vertex, i); n >= 0) free[n] = own[i];
  }
  return free;
}

Field Unknowns::filled(const Eigen::VectorXd* free, bool held) const {
  Field field(3, static_cast<Eigen::Index>(vertices()));
  for (int vertex = 0; vertex < field.cols(); ++vertex) {
    Eigen::Vector3d own = Eigen::Vector3d::Zero();
    for (int i = 0; i < 3; ++i) {
      const int n = number(vertex, i);
      if (n < 0 && held) own[i] = value_[index(vertex, i)];
      if (n >= 0 && free != nullptr) own[i] = (*free)[n];
    }
    field.col(vertex) = to_world(vertex, own);
  }
  return field;
}

Field Unknowns::held_part(const Field& field) const {
  Field part = Field::Zero(3, field.cols());
  for (int vertex = 0; vertex < field.cols(); ++vertex) {
    if (!is_support(vertex)) continue;
    Eigen::Vector3d own = to_own(vertex, field.col(vertex));
    for (int i = 0; i < 3; ++i)
      if (!is_held(vertex, i)) own[i] = 0.0;
    part.col(vertex) = to_world(vertex, own);
  }
  return part;
}

int Unknowns::rigid_rank(const Field& at) const {
  const Eigen::Vector3d low = at.rowwise().minCoeff(), high = at.rowwise().maxCoeff(), middle = 0.5 * (low + high);
  const double size = (high - low).maxCoeff();
  Eigen::MatrixXd stopped(3 * static_cast<Eigen::Index>(vertices()) - free_, 6);
  Eigen::Index row = 0;
  for (int vertex = 0; vertex < at.cols(); ++vertex)
    for (int i = 0; i < 3; ++i) {
      if (!is_held(vertex, i)) continue;
      const Eigen::Vector3d along = is_turned(vertex) ? Eigen::Vector3d(axes(vertex).col(i)) : Eigen::Vector3d::Unit(i);
      const Eigen::Vector3d arm = (at.col(vertex) - middle) / size;
      stopped.row(row++) << along.transpose(), arm.cross(along).transpose();  // along . (t + w x arm)
    }
  return row == 0 ? 0 : static_cast<int>(PivotedQr(stopped, rank_tolerance).rank());
}

}  // namespace carom::soft
