// Impacts of any mechanical system, by its mass matrix and contact Jacobian: which model answers, and its answer in
// coordinates of the system.
#include <limits>

#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"
#include "carom/impact/compliant.hpp"
#include "carom/impact/multipoint.hpp"
#include "carom/impact/planar.hpp"
#include "carom/impact/simultaneous.hpp"
#include "carom/impact/spatial.hpp"

#include "batches.hpp"

namespace carom::python {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Row {
  MechanicalSystem system;
  std::vector<Material> materials;  // by contact
};

Row row_of(const SystemBatch& batch, std::size_t row) {
  Row out;
  const int n = batch.coordinates, rows = batch.contacts * batch.dimension;
  out.system.mass_matrix.resize(n, n);
  out.system.jacobian.resize(rows, n);
  out.system.velocity.resize(n);
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    out.system.velocity[i] = batch.velocity.at(row, at);
    for (int j = 0; j < n; ++j)
      out.system.mass_matrix(i, j) = batch.mass_matrix.at(row, at, static_cast<std::size_t>(j));
    for (int r = 0; r < rows; ++r) out.system.jacobian(r, i) = batch.jacobian.at(row, static_cast<std::size_t>(r), at);
  }
  for (int k = 0; k < batch.contacts; ++k) {
    const auto at = static_cast<std::size_t>(k);
    out.materials.push_back({.friction = batch.friction.at(row, at), .restitution = batch.restitution.at(row, at)});
    const std::string index = batch.contacts == 1 ? "" : "[" + std::to_string(k) + "]";
    require_at_least("friction" + index, out.materials.back().friction, 0.0);
    require_between("restitution" + index, out.materials.back().restitution, 0.0, 1.0);
  }
  return out;
}

std::vector<double> list(const Eigen::VectorXd& values) { return {values.data(), values.data() + values.size()}; }

/// What every model leaves to say: the velocities at the contacts, and the energy of the system.
void complete(SystemImpact& out, const MechanicalSystem& system, const EnergyLedger& losses) {
  const Eigen::Map<const Eigen::VectorXd> after(out.velocity.data(), static_cast<Eigen::Index>(out.velocity.size()));
  out.contact_velocity_after = list(system.jacobian * after);
  MechanicalSystem then = system;
  then.velocity = after;
  out.energy = losses;
  out.energy.before = kinetic_energy(system);
  out.energy.after = kinetic_energy(then);
}

template <int N>
SystemImpact of_one_contact(const MechanicalSystem& system, const ImpactResult<N>& impact) {
  SystemImpact out;
  out.verdict = name(impact.verdict);
  out.flags = bits(impact.flags);
  out.impulse = list(impact.impulse);
  out.velocity = list(impact.verdict == Verdict::no_impact ? system.velocity : velocity_after(system, impact.impulse));
  for (const Event<N>& event : impact.events) {
    SystemImpact::Event told{event.type, 0, std::nullopt, {}};
    for (int i = 0; i < N; ++i) told.impulse[static_cast<std::size_t>(i)] = event.impulse[i];
    out.events.push_back(told);
  }
  complete(out, system, impact.energy);
  return out;
}

SystemImpact with_tangential_springs(const Row& row, double eta0) {
  const CompliantImpact impact = compliant_impact({contact_space(row.system), row.materials[0], eta0});
  SystemImpact out;
  out.verdict = name(impact.verdict);
  out.flags = bits(impact.flags);
  out.impulse = list(impact.impulse);
  out.velocity =
      list(impact.verdict == Verdict::no_impact ? row.system.velocity : velocity_after(row.system, impact.impulse));
  for (const CompliantEvent& event : impact.events)
    out.events.push_back({event.type, 0, std::nullopt, {event.impulse[0], event.impulse[1], event.impulse[2]}});
  complete(out, row.system, impact.energy);
  return out;
}

SystemImpact simultaneously(const SystemBatch& batch, std::size_t at, const Row& row) {
  SimultaneousSystemProblem problem;
  problem.system = row.system;
  problem.dimension = batch.dimension;
  problem.tolerance = batch.tolerance;
  for (std::size_t k = 0; k < row.materials.size(); ++k) {
    ContactSpring spring;
    spring.material = row.materials[k];
    spring.exponent = batch.exponent;
    if (batch.stiffness.data != nullptr) spring.stiffness = batch.stiffness.at(at, k);
    if (batch.eta0.data != nullptr) spring.eta0 = batch.eta0.at(at);
    problem.springs.push_back(spring);
  }
  const SimultaneousSystemImpact impact = simultaneous_impact(problem);
  SystemImpact out;
  out.verdict = name(impact.verdict);
  out.flags = bits(impact.flags);
  out.velocity = list(impact.velocity);
  // Planar contacts are (t, n) here, and (t, 0, n) there.
  const auto axis = [&](int i) { return batch.dimension == 2 && i == 1 ? 2 : i; };
  for (const ContactOutcome& contact : impact.contacts)
    for (int i = 0; i < batch.dimension; ++i) out.impulse.push_back(contact.impulse[axis(i)]);
  for (const SimultaneousEvent& event : impact.events) {
    SystemImpact::Event told{event.type, static_cast<int>(event.contact), event.time, {}};
    for (int i = 0; i < batch.dimension; ++i) told.impulse[static_cast<std::size_t>(i)] = event.impulse[axis(i)];
    out.events.push_back(told);
  }
  complete(out, row.system, impact.energy);
  return out;
}

SystemImpact at_several_points(const SystemBatch& batch, const Row& row) {
  MultipointProblem problem;
  static_cast<MechanicalSystem&>(problem) = row.system;
  problem.dimension = batch.dimension;
  for (const Material& material : row.materials) {
    problem.restitution.push_back(material.restitution);
    problem.frictions.push_back({material.friction, material.friction});
    problem.static_friction = std::max(problem.static_friction, material.friction);
    problem.dynamic_friction = problem.static_friction;
  }
  const MultipointImpact impact = batch.model == "lcp" ? multipoint_lcp(problem) : multipoint_rodriguez(problem);
  SystemImpact out;
  out.exhaustive = impact.exhaustive;
  out.flags = bits(impact.flags);
  for (const MultipointSolution& solution : impact.solutions) out.solutions.push_back(list(solution.velocity));
  if (impact.solutions.empty()) {
    out.verdict = "no_solution";
    out.velocity.assign(static_cast<std::size_t>(batch.coordinates), none);
    out.impulse.assign(static_cast<std::size_t>(batch.contacts * batch.dimension), none);
    out.contact_velocity_after = out.impulse;
    const double energy = kinetic_energy(row.system);
    out.energy = {energy, none, none, none, 0.0};
    return out;
  }
  const MultipointSolution& first = impact.solutions.front();
  out.verdict = name(first.verdict);
  out.flags |= bits(first.flags);
  out.velocity = list(first.velocity);
  for (int k = 0; k < batch.contacts; ++k)
    for (int i = 0; i < batch.dimension; ++i) out.impulse.push_back(first.impulses(i, k));
  complete(out, row.system, first.energy);
  return out;
}

/// The library's words for what callers of Python gave by another name.
[[noreturn]] void in_words_of_the_caller(const InvalidInput& error) {
  std::string field = error.field();
  for (const auto& [ours, theirs] : {std::pair<const char*, const char*>{"mass_matrix", "M"},
                                     {"jacobian", "J"},
                                     {"inverse_inertia", "J"},
                                     {"velocity", "v"},
                                     {"static_friction", "friction"},
                                     {"dynamic_friction", "friction"},
                                     {"stiffness_ratio_root", "eta0"}})
    if (field == ours) field = theirs;
  throw InvalidInput(field, error.message());
}

}  // namespace

SystemImpact system_impact(const SystemBatch& batch, std::size_t row) {
  try {
    const Row given = row_of(batch, row);
    if (batch.model == "planar")
      return of_one_contact<2>(given.system,
                               planar_impact({planar_contact_space(given.system), given.materials[0], batch.law}));
    if (batch.model == "spatial")
      return of_one_contact<3>(given.system,
                               spatial_impact({contact_space(given.system), given.materials[0], batch.law}));
    if (batch.model == "compliant") return with_tangential_springs(given, batch.eta0.at(row));
    if (batch.model == "simultaneous") return simultaneously(batch, row, given);
    return at_several_points(batch, given);
  } catch (const InvalidInput& error) {
    in_words_of_the_caller(error);
  }
}

void SystemBatch::solve(std::size_t first, std::size_t last) const {
  for (std::size_t row = first; row < last; ++row) {
    SystemImpact found;
    // Codes beyond those of Verdict: no_solution.
    std::uint8_t code = static_cast<std::uint8_t>(Verdict::invalid);
    try {
      found = system_impact(*this, row);
      code = static_cast<std::uint8_t>(names_of<Verdict>.size());
      for (const Named<Verdict>& each : names_of<Verdict>)
        if (found.verdict == each.name) code = static_cast<std::uint8_t>(each.value);
    } catch (const InvalidInput&) {
      found.velocity.assign(static_cast<std::size_t>(coordinates), none);
      found.impulse.assign(static_cast<std::size_t>(contacts * dimension), none);
      found.energy = {none, none, none, none, none};
    }
    verdict.set<std::uint8_t>(code, row);
    flags.set<std::uint32_t>(found.flags, row);
    energy_before.set<double>(found.energy.before, row);
    energy_after.set<double>(found.energy.after, row);
    for (std::size_t i = 0; i < found.velocity.size(); ++i) velocity_after.set<double>(found.velocity[i], row, i);
    const auto axes = static_cast<std::size_t>(dimension);
    for (std::size_t i = 0; i < found.impulse.size(); ++i)
      impulse.set<double>(found.impulse[i], row, i / axes, i % axes);
  }
}

void SystemBatch::refuse(std::size_t row) const { static_cast<void>(system_impact(*this, row)); }

}  // namespace carom::python
