// Which displacements of a body are free.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "element.hpp"

namespace carom::soft {

/// Three displacements a vertex, along the world's axes or, where a support says so, along axes of its own.
class Unknowns {
public:
  explicit Unknowns(std::size_t vertices);

  /// The columns of `axes` are what components 0, 1, 2 of this vertex run along.
  void turn(int vertex, const Eigen::Matrix3d& axes);
  bool is_turned(int vertex) const { return axes_of_[std::size_t(vertex)] >= 0; }
  const Eigen::Matrix3d& axes(int vertex) const { return axes_[std::size_t(axes_of_[std::size_t(vertex)])]; }
  void hold(int vertex, int component, double value);
  bool is_held(int vertex, int component) const { return number_[index(vertex, component)] < 0; }
  bool is_support(int vertex) const { return is_held(vertex, 0) || is_held(vertex, 1) || is_held(vertex, 2); }

  /// To be called after the last hold().
  void count();
  int free() const { return free_; }
  std::size_t vertices() const { return axes_of_.size(); }
  /// From 0, or -1 if held.
  int number(int vertex, int component) const { return number_[index(vertex, component)]; }

  /// The free components of a field.
  Eigen::VectorXd gather(const Field& field) const;
  /// A field of these free components; the others are zero, or what they are held at.
  Field spread(const Eigen::VectorXd& free) const { return filled(&free, false); }
  Field spread_and_held(const Eigen::VectorXd& free) const { return filled(&free, true); }
  Field held() const { return filled(nullptr, true); }
  /// What a field has along held components.
  Field held_part(const Field& field) const;

  /// Of the six rigid motions, how many the held components stop.
  int rigid_rank(const Field& at) const;

private:
  static std::size_t index(int vertex, int component) {
    return 3 * static_cast<std::size_t>(vertex) + static_cast<std::size_t>(component);
  }
  Field filled(const Eigen::VectorXd* free, bool held) const;
  Eigen::Vector3d to_own(int vertex, const Eigen::Vector3d& v) const {
    return is_turned(vertex) ? Eigen::Vector3d(axes(vertex).transpose() * v) : v;
  }
  Eigen::Vector3d to_world(int vertex, const Eigen::Vector3d& v) const {
    return is_turned(vertex) ? Eigen::Vector3d(axes(vertex) * v) : v;
  }

  std::vector<int> number_;
  std::vector<double> value_;  // of held components
  std::vector<int> axes_of_;   // -1: the world's
  std::vector<Eigen::Matrix3d> axes_;
  int free_ = 0;
};

}  // namespace carom::soft
