#include "rest_shape/inverse.hpp"

#include <Eigen/LU>
#include <atomic>
#include <cmath>

namespace carom::soft {

LinearInverse::LinearInverse(const Assembly& assembly, const Field& observed, const Lame& material)
    : assembly_(assembly), observed_(observed), material_(material), states_(assembly.tets().size()) {}

bool LinearInverse::set(const Field& displacement) {
  const Field rest = observed_ - displacement;
  std::atomic<bool> upright = true;
  assembly_.for_tets([&](std::size_t t) {
    const auto& tet = assembly_.tets()[t];
    State& s = states_[t];
    s.e = element(rest, tet);
    if (!(s.e.volume > 0.0)) upright = false;
    s.h = gradient_of(displacement, tet, s.e);
    s.stress = stress_of(s.h, material_);
  });
  return upright;
}

Field LinearInverse::forces() const {
  return assembly_.sum([&](int t, int a) -> Eigen::Vector3d {
    const State& s = states_[std::size_t(t)];
    return s.e.volume * s.stress * s.e.gradient.col(a);
  });
}

// With d g_a = -(g_a . q_c) g_c and dV = V g_c . q_c for a motion q_c of corner c, the force V sigma g_a changes by
// V [(g_c . q_c) sigma g_a + d sigma g_a - (g_a . q_c) sigma g_c], where d h = -(h q_c) (x) g_c.
Eigen::Matrix3d LinearInverse::block(int tet, int a, int c) const {
  const State& s = states_[std::size_t(tet)];
  const Eigen::Vector3d ga = s.e.gradient.col(a), gc = s.e.gradient.col(c);
  const Eigen::Matrix3d change = (s.stress * ga) * gc.transpose() - (s.stress * gc) * ga.transpose() -
                                 material_.lambda * ga * (s.h.transpose() * gc).transpose() -
                                 material_.mu * (ga.dot(gc) * s.h + gc * (s.h.transpose() * ga).transpose());
  return stiffness_block(s.e, a, c, material_) - s.e.volume * change;
}

Field stiffness_change_times(const Assembly& assembly, const Field& at, const Lame& material, const Field& displacement,
                             const Field& motion) {
  std::vector<Eigen::Matrix<double, 3, 4>> changes(assembly.tets().size());
  assembly.for_tets([&](std::size_t t) {
    const auto& tet = assembly.tets()[t];
    const Element e = element(at, tet);
    const Eigen::Matrix3d h = gradient_of(displacement, tet, e), q = gradient_of(motion, tet, e);
    const Eigen::Matrix3d stress = stress_of(h, material);
    changes[t] = e.volume * (q.trace() * stress - stress_of(h * q, material) - stress * q.transpose()) * e.gradient;
  });
  return assembly.sum([&](int t, int a) -> Eigen::Vector3d { return changes[std::size_t(t)].col(a); });
}

bool all_upright(const Assembly& assembly, const Field& at) {
  std::atomic<bool> upright = true;
  assembly.for_tets([&](std::size_t t) {
    if (!(element(at, assembly.tets()[t]).volume > 0.0)) upright = false;
  });
  return upright;
}

NeoHookeanInverse::NeoHookeanInverse(const Assembly& assembly, const Field& observed, const Lame& material)
    : assembly_(assembly), material_(material), elements_(assembly.tets().size()), states_(assembly.tets().size()) {
  assembly_.for_tets([&](std::size_t t) { elements_[t] = element(observed, assembly_.tets()[t]); });
}

bool NeoHookeanInverse::set(const Field& displacement) {
  std::atomic<bool> upright = true;
  assembly_.for_tets([&](std::size_t t) {
    const Eigen::Matrix3d back =
        Eigen::Matrix3d::Identity() - gradient_of(displacement, assembly_.tets()[t], elements_[t]);
    const double shrink = back.determinant();  // 1 / J
    if (!(shrink > 0.0)) {
      upright = false;
      return;
    }
    State& s = states_[t];
    s.f = back.inverse();
    s.b = s.f * s.f.transpose();
    s.volume_ratio = 1.0 / shrink;
    s.stress = shrink * material_.mu * s.b;
    s.stress.diagonal().array() -= shrink * (material_.mu + material_.lambda * std::log(shrink));
  });
  return upright;
}

Field NeoHookeanInverse::forces() const {
  return assembly_.sum([&](int t, int a) -> Eigen::Vector3d {
    const Element& e = elements_[std::size_t(t)];
    return e.volume * states_[std::size_t(t)].stress * e.gradient.col(a);
  });
}

// A change d of D at corner c makes dF = (F d) (x) F^T g_c, db = (F d) (x) (b g_c) + (b g_c) (x) (F d) and
// d ln J = (F^T g_c) . d.
Eigen::Matrix3d NeoHookeanInverse::block(int tet, int a, int c) const {
  const Element& e = elements_[std::size_t(tet)];
  const State& s = states_[std::size_t(tet)];
  const Eigen::Vector3d ga = e.gradient.col(a), gc = e.gradient.col(c), bgc = s.b * gc;
  const Eigen::Vector3d pressure = material_.lambda / s.volume_ratio * ga - s.stress * ga;
  return e.volume * (pressure * (s.f.transpose() * gc).transpose() +
                     material_.mu / s.volume_ratio * (ga.dot(bgc) * s.f + bgc * (s.f.transpose() * ga).transpose()));
}

}  // namespace carom::soft
