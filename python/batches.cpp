#include "batches.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "carom/core/error.hpp"
#include "carom/impact/compliant.hpp"
#include "carom/impact/planar.hpp"
#include "carom/impact/spatial.hpp"

namespace carom::python {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Rows that are gathered at once: the library's own arrays of so many problems stay in the cache of a core.
constexpr std::size_t gathered = 2048;

template <int N>
BasicContactSpace<N> space_of(const ContactBatch& batch, std::size_t row) {
  BasicContactSpace<N> space;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j)
      space.inverse_inertia(i, j) =
          batch.inverse_inertia.at(row, static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    space.velocity[i] = batch.velocity.at(row, static_cast<std::size_t>(i));
  }
  return space;
}

Material material_of(const ContactBatch& batch, std::size_t row) {
  return {.friction = batch.friction.at(row), .restitution = batch.restitution.at(row)};
}

PlanarProblem planar_of(const ContactBatch& batch, std::size_t row) {
  return {space_of<2>(batch, row), material_of(batch, row), batch.law, batch.free_acceleration.at(row)};
}
SpatialProblem spatial_of(const ContactBatch& batch, std::size_t row) {
  return {space_of<3>(batch, row), material_of(batch, row), batch.law};
}
CompliantProblem compliant_of(const ContactBatch& batch, std::size_t row) {
  return {space_of<3>(batch, row), material_of(batch, row), batch.stiffness_ratio_root.at(row),
          batch.published ? Reading::published : Reading::model};
}

template <class Vector>
void write(const Sink& sink, std::size_t row, const Vector& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) sink.set<double>(values[i], row, static_cast<std::size_t>(i));
}

std::uint8_t process_of(const PlanarOutcome& outcome) { return static_cast<std::uint8_t>(outcome.mode); }
std::uint8_t process_of(const SpatialOutcome& outcome) { return static_cast<std::uint8_t>(outcome.process); }
std::uint8_t process_of(const CompliantOutcome&) { return 0; }

template <class Outcome>
void scatter(const ContactBatch& batch, std::size_t row, const Outcome& outcome) {
  batch.verdict.set<std::uint8_t>(static_cast<std::uint8_t>(outcome.verdict), row);
  batch.flags.set<std::uint32_t>(bits(outcome.flags), row);
  if (batch.process.data != nullptr) batch.process.set<std::uint8_t>(process_of(outcome), row);
  if (outcome.verdict == Verdict::invalid) {
    using Vector = decltype(outcome.impulse);
    write(batch.impulse, row, Vector(Vector::Constant(none)));
    write(batch.velocity_after, row, Vector(Vector::Constant(none)));
    return;
  }
  write(batch.impulse, row, outcome.impulse);
  write(batch.velocity_after, row, outcome.velocity_after);
}

template <class Problem, class Outcome>
void solve_rows(const ContactBatch& batch, std::size_t first, std::size_t last,
                Problem (*problem_of)(const ContactBatch&, std::size_t),
                void (*solve)(std::span<const Problem>, std::span<Outcome>)) {
  const std::size_t room = std::min(gathered, last - first);
  std::vector<Problem> problems(room);
  std::vector<Outcome> outcomes(room);
  while (first < last) {
    const std::size_t count = std::min(gathered, last - first);
    for (std::size_t i = 0; i < count; ++i) problems[i] = problem_of(batch, first + i);
    solve({problems.data(), count}, {outcomes.data(), count});
    for (std::size_t i = 0; i < count; ++i) scatter(batch, first + i, outcomes[i]);
    first += count;
  }
}

template <int N>
void write_matrix(const Sink& sink, std::size_t row, const Eigen::Matrix<double, N, N>& values) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      sink.set<double>(values(i, j), row, static_cast<std::size_t>(i), static_cast<std::size_t>(j));
}

template <class Derivatives>
void scatter_derivatives(const ContactBatch& batch, std::size_t row, Derivatives derivatives) {
  if (derivatives.outcome.verdict == Verdict::invalid) {
    derivatives.by_velocity.setConstant(none);
    derivatives.by_friction.setConstant(none);
    derivatives.by_restitution.setConstant(none);
  }
  scatter(batch, row, derivatives.outcome);
  write_matrix(batch.by_velocity, row, derivatives.by_velocity);
  write(batch.by_friction, row, derivatives.by_friction);
  write(batch.by_restitution, row, derivatives.by_restitution);
}

template <class Derivatives, class Problem>
void slopes_of_rows(const ContactBatch& batch, std::size_t first, std::size_t last,
                    Problem (*problem_of)(const ContactBatch&, std::size_t), Derivatives (*solve)(const Problem&)) {
  for (std::size_t row = first; row < last; ++row) {
    Derivatives found;
    try {
      found = solve(problem_of(batch, row));
    } catch (const InvalidInput&) {
      found.outcome.verdict = Verdict::invalid;
    }
    scatter_derivatives(batch, row, found);
  }
}

void compliant_slopes(const ContactBatch& batch, std::size_t first, std::size_t last) {
  for (std::size_t row = first; row < last; ++row) {
    CompliantDerivatives found;
    try {
      found = compliant_derivatives(compliant_of(batch, row));
    } catch (const InvalidInput&) {
      found.outcome.verdict = Verdict::invalid;
      found.by_stiffness_ratio_root.setConstant(none);
    }
    scatter_derivatives(batch, row, found);
    write(batch.by_stiffness_ratio_root, row, found.by_stiffness_ratio_root);
    batch.exact.set<std::uint8_t>(found.exact ? 1 : 0, row);
  }
}

}  // namespace

std::uint32_t bits(Flags flags) {
  if (flags.none()) return 0;
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < names_of<Flag>.size(); ++i)
    if (flags.has(names_of<Flag>[i].value)) found |= std::uint32_t{1} << i;
  return found;
}

void ContactBatch::solve(std::size_t first, std::size_t last) const {
  const bool slopes = by_velocity.data != nullptr;
  switch (model) {
    case BatchModel::planar:
      if (slopes)
        return slopes_of_rows<PlanarDerivatives, PlanarProblem>(*this, first, last, planar_of, planar_derivatives);
      return solve_rows<PlanarProblem, PlanarOutcome>(*this, first, last, planar_of, planar_outcomes);
    case BatchModel::spatial:
      if (slopes)
        return slopes_of_rows<SpatialDerivatives, SpatialProblem>(*this, first, last, spatial_of, spatial_derivatives);
      return solve_rows<SpatialProblem, SpatialOutcome>(
          *this, first, last, spatial_of,
          [](std::span<const SpatialProblem> problems, std::span<SpatialOutcome> outcomes) {
            spatial_outcomes(problems, outcomes, 1);
          });
    case BatchModel::compliant:
      if (slopes) return compliant_slopes(*this, first, last);
      return solve_rows<CompliantProblem, CompliantOutcome>(*this, first, last, compliant_of, compliant_outcomes);
  }
}

void ContactBatch::refuse(std::size_t row) const {
  switch (model) {
    case BatchModel::planar:
      static_cast<void>(planar_outcome(planar_of(*this, row)));
      return;
    case BatchModel::spatial:
      static_cast<void>(spatial_outcome(spatial_of(*this, row)));
      return;
    case BatchModel::compliant:
      static_cast<void>(compliant_outcome(compliant_of(*this, row)));
  }
}

std::vector<std::array<double, 3>> ContactBatch::impulse_path(std::size_t row) const {
  std::vector<std::array<double, 3>> path;
  const auto add = [&](const Eigen::Vector3d& reached) { path.push_back({reached[0], reached[1], reached[2]}); };
  if (model == BatchModel::compliant)
    for (const CompliantPoint& point : compliant_path(compliant_of(*this, row))) add(point.impulse);
  if (model == BatchModel::spatial)
    for (const SpatialSample& sample : spatial_path(spatial_of(*this, row))) add(sample.impulse);
  return path;
}

}  // namespace carom::python
