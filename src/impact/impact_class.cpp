#include "carom/impact/impact_class.hpp"

#include <cmath>

namespace carom {

ImpactClass impact_class(const ContactSpace& given) {
  const ContactSpace space = validated(given);
  const Eigen::Matrix3d& W = space.inverse_inertia;
  const Eigen::Vector2d slip = space.velocity.head<2>(), coupling = W.block<2, 1>(0, 2);
  const double least_entry = class_rounding * W.cwiseAbs().maxCoeff();
  const bool slips = slip.stableNorm() > class_rounding * space.velocity.stableNorm();
  if (!slips && !(coupling.stableNorm() > least_entry)) return ImpactClass::direct;
  const Eigen::Vector2d along = (slips ? slip : coupling).stableNormalized(), across(-along[1], along[0]);
  const double turns = across.dot(W.topLeftCorner<2, 2>() * along), pulls = across.dot(coupling);
  return std::abs(turns) <= least_entry && std::abs(pulls) <= least_entry ? ImpactClass::planar : ImpactClass::spatial;
}

}  // namespace carom
