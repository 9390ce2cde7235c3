#include "system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::simultaneous {

template <int D>
System<D>::System(const Factor& factor, const std::vector<std::size_t>& order, const std::vector<Spring>& springs,
                  const std::vector<Eigen::Vector3d>& u, double mass_unit, double speed_unit)
    : z_(factor.block_count()) {
  const double root = std::sqrt(mass_unit);
  for (const std::size_t c : order) {
    springs_.push_back(springs[c]);
    for (const Factor::Part& part : factor.parts(c)) parts_.push_back({part.block, root * part.half.rightCols<D>()});
    first_.push_back(parts_.size());
    pairs_ = pairs_ && parts_.size() == 2 * springs_.size();
    u0_.push_back(u[c].tail<D>() / speed_unit);
  }
}

template <int D>
template <bool Pairs>
inline void System<D>::push(std::size_t c, const double* in, Motions& z) const {
  const Eigen::Map<const Vector> p(in + D * c);
  if ((p.array() == 0.0).all()) return;
  const Part* part = first<Pairs>(c);
  if constexpr (Pairs) {
    z[part[0].block].noalias() += part[0].half * p;
    z[part[1].block].noalias() += part[1].half * p;
  } else {
    for (; part != first<Pairs>(c + 1); ++part) z[part->block].noalias() += part->half * p;
  }
}

template <int D>
template <bool Pairs>
inline void System<D>::observe(std::size_t c, const Motions& z, double* out, const double* add) const {
  Eigen::Map<Vector> u(out + D * c);
  const Part* part = first<Pairs>(c);
  if constexpr (Pairs) {
    u.noalias() = part[0].half.transpose() * z[part[0].block];
    u.noalias() += part[1].half.transpose() * z[part[1].block];
  } else {
    u.setZero();
    for (; part != first<Pairs>(c + 1); ++part) u.noalias() += part->half.transpose() * z[part->block];
  }
  if (add != nullptr) u += Eigen::Map<const Vector>(add + D * c);
}

template <int D>
void System<D>::push(const std::vector<std::size_t>& contacts, const double* in, Motions& z) const {
  if (pairs_)
    for (const std::size_t c : contacts) push<true>(c, in, z);
  else
    for (const std::size_t c : contacts) push<false>(c, in, z);
}

template <int D>
void System<D>::observe(const std::vector<std::size_t>& contacts, const Motions& z, double* out,
                        const double* add) const {
  if (pairs_)
    for (const std::size_t c : contacts) observe<true>(c, z, out, add);
  else
    for (const std::size_t c : contacts) observe<false>(c, z, out, add);
}

template <int D>
void System<D>::response(const double* in, double* out, const double* add) const {
  for (Motion& z : z_) z.setZero();
  const auto through = [&]<bool Pairs>() {
    for (std::size_t c = 0; c < size(); ++c) push<Pairs>(c, in, z_);
    for (std::size_t c = 0; c < size(); ++c) observe<Pairs>(c, z_, out, add);
  };
  pairs_ ? through.template operator()<true>() : through.template operator()<false>();
}

template <int D>
Eigen::Matrix<double, D, D> System<D>::block(std::size_t a, std::size_t b) const {
  Eigen::Matrix<double, D, D> w = Eigen::Matrix<double, D, D>::Zero();
  for (std::size_t i = first_[a]; i < first_[a + 1]; ++i)
    for (std::size_t j = first_[b]; j < first_[b + 1]; ++j)
      if (parts_[i].block == parts_[j].block) w += parts_[i].half.transpose() * parts_[j].half;
  return w;
}

template <int D>
System<D> System<D>::part(const std::vector<std::size_t>& contacts) const {
  constexpr std::size_t absent = std::numeric_limits<std::size_t>::max();
  System some;
  std::vector<std::size_t> number(z_.size(), absent);
  std::size_t blocks = 0;
  some.pairs_ = pairs_;
  for (const std::size_t c : contacts) {
    some.springs_.push_back(springs_[c]);
    for (const Part* part = first<false>(c); part != first<false>(c + 1); ++part) {
      if (number[part->block] == absent) number[part->block] = blocks++;
      some.parts_.push_back({number[part->block], part->half});
    }
    some.first_.push_back(some.parts_.size());
    some.u0_.push_back(u0_[c]);
  }
  some.z_.resize(blocks);
  return some;
}

template <int D>
void System<D>::keep_rows() {
  const std::vector<std::vector<std::size_t>> touching = contacts_of_blocks();
  std::vector<std::size_t> others;
  for (std::size_t c = 0; c < size(); ++c) {
    others.clear();
    for (const std::size_t moved : moved_by(c))
      others.insert(others.end(), touching[moved].begin(), touching[moved].end());
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (const std::size_t other : others) rows_.push_back({other, block(c, other)});
    row_first_.push_back(rows_.size());
  }
}

template <int D>
void System<D>::respond(const std::vector<std::size_t>& contacts, const double* in, double* out,
                        const double* add) const {
  for (const std::size_t c : contacts) {
    Vector u = Vector::Zero();
    if (add != nullptr) u = Eigen::Map<const Vector>(add + D * c);
    for (std::size_t i = row_first_[c]; i < row_first_[c + 1]; ++i)
      u.noalias() += rows_[i].w * Eigen::Map<const Vector>(in + D * rows_[i].contact);
    Eigen::Map<Vector>(out + D * c) = u;
  }
}

template <int D>
std::vector<std::vector<std::size_t>> System<D>::contacts_of_blocks() const {
  std::vector<std::vector<std::size_t>> lists(z_.size());
  for (std::size_t c = 0; c < size(); ++c)
    for (const std::size_t block : moved_by(c)) lists[block].push_back(c);
  return lists;
}

template <int D>
std::vector<std::size_t> System<D>::moved_by(std::size_t c) const {
  std::vector<std::size_t> blocks;
  for (const Part* part = first<false>(c); part != first<false>(c + 1); ++part)
    if ((part->half.array() != 0.0).any()) blocks.push_back(part->block);
  return blocks;
}

template <int D>
bool System<D>::straight() const {
  constexpr double pairs_per_contact = 40.0;  // more would take longer to look at than they save
  const auto sideways = [](const auto& v) { return v.size() > 0 && v.cwiseAbs().maxCoeff() > rest_speed; };
  for (const Vector& u : u0_)
    if (sideways(u.template head<D - 1>())) return false;
  const std::vector<std::vector<std::size_t>> touching = contacts_of_blocks();
  double pairs = 0.0;
  for (const auto& list : touching) pairs += static_cast<double>(list.size()) * static_cast<double>(list.size());
  if (pairs > pairs_per_contact * static_cast<double>(size())) return false;
  for (const auto& list : touching)
    for (const std::size_t a : list)
      for (const std::size_t b : list)
        if (sideways(block(a, b).col(normal).template head<D - 1>())) return false;
  return true;
}

template <int D>
double System<D>::slowest_swing() const {
  double inverse_mass = std::numeric_limits<double>::infinity(), stiffness = inverse_mass;
  for (const Spring& spring : springs_) stiffness = std::min(stiffness, spring.k);
  for (const Part& part : parts_)
    if (const double w = part.half.col(normal).squaredNorm(); w > 0.0) inverse_mass = std::min(inverse_mass, w);
  return 1.0 / std::sqrt(inverse_mass * stiffness);
}

template class System<1>;
template class System<3>;

void change_normal_mode(ContactState& state, const Spring& spring, NormalMode mode, double d, std::size_t contact,
                        double time, const Eigen::Vector3d& impulse, Log& log) {
  const NormalMode before = state.normal;
  if (before == mode) return;
  state.normal = mode;
  if (before == NormalMode::loading) {
    state.absorbed += spring.energy(std::max(d, 0.0)) - spring.energy(state.loaded_from);
    log.events.push_back({EventType::compression_ends, contact, time, impulse});
  }
  if (mode == NormalMode::loading) {
    ++state.compressions;
    state.loaded_from = std::max(d, 0.0);
    const bool again = before == NormalMode::unloading;
    log.recompression = log.recompression || again;
    log.events.push_back({again ? EventType::recompression_begins : EventType::closes, contact, time, impulse});
  }
  if (mode == NormalMode::open) log.events.push_back({EventType::separates, contact, time, impulse});
}

/// How many tolerances may be taken off: contacts that open and close ten thousand times add up.
constexpr double excess_tolerances = 10.0;
/// An excess beyond that and above this share of the cone is more than rounding: the answer has lost its digits.
constexpr double cone_accuracy = 1e-9;

bool put_into_cones(const Factor& factor, const std::vector<Spring>& springs, double mass, double tolerance,
                    std::vector<Eigen::Vector3d>& impulses) {
  bool all_inside = true;
  for (std::size_t c = 0; c < impulses.size(); ++c) {
    const Eigen::Vector3d p = impulses[c];
    const double along = p.head<2>().norm(), bound = springs[c].mu * p.z();
    if (along <= bound && p.z() >= 0.0) continue;
    Eigen::Vector3d inside = Eigen::Vector3d::Zero();
    if (p.z() > 0.0) inside << p.head<2>() * (bound / along), p.z();
    double moved = 0.0;
    for (const Factor::Part& part : factor.parts(c))
      moved += mass * (part.half.transpose() * (part.half * (p - inside))).norm();
    if (moved <= excess_tolerances * tolerance)
      impulses[c] = inside;
    else
      all_inside = all_inside && p.z() > 0.0 && along <= bound * (1.0 + cone_accuracy);
  }
  return all_inside;
}

}  // namespace carom::simultaneous
