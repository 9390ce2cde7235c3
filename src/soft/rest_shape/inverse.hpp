// The two inverse problems that Newton solves: forces at the vertices as a function of D = observed - rest, and their
// derivative, tetrahedron by tetrahedron.
#pragma once

#include "assembly.hpp"

namespace carom::soft {

/// K(P) D with P = observed - D.
class LinearInverse {
public:
  LinearInverse(const Assembly& assembly, const Field& observed, const Lame& material);

  /// False if a tetrahedron of the rest shape has no volume or is turned over.
  bool set(const Field& displacement);
  Field forces() const;
  /// d force of corner a / d D of corner c: K - M, M = d(K(P) D)/dP.
  Eigen::Matrix3d block(int tet, int a, int c) const;

private:
  struct State {
    Element e;
    Eigen::Matrix3d h, stress;  // sum D_b (x) grad N_b, and what it costs
  };
  const Assembly& assembly_;
  const Field& observed_;
  Lame material_;
  std::vector<State> states_;
};

/// V_obs sigma grad_x N with the Cauchy stress of a neo-Hookean material, sigma = (mu (b - I) + lambda ln J I) / J, and
/// F^-1 = sum X_b (x) grad_x N_b on the observed shape.
class NeoHookeanInverse {
public:
  NeoHookeanInverse(const Assembly& assembly, const Field& observed, const Lame& material);

  bool set(const Field& displacement);
  Field forces() const;
  Eigen::Matrix3d block(int tet, int a, int c) const;
  const Eigen::Matrix3d& stress(std::size_t tet) const { return states_[tet].stress; }

private:
  struct State {
    Eigen::Matrix3d f, b, stress;  // deformation gradient, left Cauchy-Green
    double volume_ratio = 1.0;     // J
  };
  const Assembly& assembly_;
  Lame material_;
  std::vector<Element> elements_;  // of the observed shape
  std::vector<State> states_;
};

/// d(K(P) D)/dP along a motion of the vertices: M q.
Field stiffness_change_times(const Assembly& assembly, const Field& at, const Lame& material, const Field& displacement,
                             const Field& motion);

/// Whether all tetrahedra have a positive volume.
bool all_upright(const Assembly& assembly, const Field& at);

}  // namespace carom::soft
