#include "impact.hpp"

#include "carom/core/contact_space.hpp"

namespace carom::scenario {

Type<Surfaces> material() {
  Fields<Surfaces> fields;
  fields.required("friction", &Surfaces::friction, number(Range::at_least(0.0)), "Coulomb coefficient mu")
      .required("restitution", &Surfaces::restitution, restitution_law(), restitution_words);
  return object(fields);
}

void add_restitution_used(std::vector<report::Fact>& facts, const Restitution& given, double used) {
  if (!is_constant(given)) facts.push_back({"restitution", "restitution at this speed, $e$", used, ""});
}

namespace {

template <int N>
void check_system(const MechanicalSystem& s, const Value& object, const Path& path, Mistakes& mistakes) {
  try {
    if constexpr (N == 2)
      planar_contact_space(s.mass_matrix, s.jacobian, s.velocity);
    else
      contact_space(s.mass_matrix, s.jacobian, s.velocity);
  } catch (const InvalidInput& error) {
    mistakes.add(path.at(error.field()), place_of(object, error.field()), error.message());
  }
}

}  // namespace

Type<double> spring_exponent() {
  const auto plain = number();
  return custom<double>(
      [plain](const Value& value, const Path& path, Mistakes& mistakes, double& out) {
        if (!plain.read(value, path, mistakes, out)) return false;
        if (out == 1.0 || out == 1.5) return true;
        mistakes.add(path, value.place(), "must be 1 or 1.5, got " + shown(value));
        return false;
      },
      R"({"enum":[1,1.5]})");
}

Type<MechanicalSystem> mechanical_system(int dimension) {
  Fields<MechanicalSystem> fields;
  fields
      .required("mass_matrix", &MechanicalSystem::mass_matrix, matrix_of_any_size(),
                "n x n, in the units of the generalized coordinates")
      .required("jacobian", &MechanicalSystem::jacobian, matrix_of_any_size(),
                dimension == 2 ? "2 x n, rows (t, n) of the contact" : "3 x n, rows (t1, t2, n) of the contact")
      .required("velocity", &MechanicalSystem::velocity, vector_of_any_size(), "generalized velocity before, n")
      .check(dimension == 2 ? check_system<2> : check_system<3>);
  return object(fields);
}

std::vector<report::Fact> ledger_facts(const EnergyLedger& energy, const std::string& whose, Flags flags,
                                       const Eigen::VectorXd& system_velocity_after) {
  std::vector<report::Fact> facts = {{"energy_before", "energy " + whose + " before", energy.before, "J"},
                                     {"energy_after", "energy " + whose + " after", energy.after, "J"},
                                     {"restitution_loss", "lost normally", energy.restitution_loss, "J"},
                                     {"friction_loss", "lost to friction", energy.friction_loss, "J"}};
  if (energy.residual != 0.0) facts.push_back({"residual", "still in the springs", energy.residual, "J"});
  facts.push_back({"flags", "flags", flag_list(flags), ""});
  if (system_velocity_after.size() > 0)
    facts.push_back({"system_velocity_after", "generalized velocity after",
                     std::vector<double>(system_velocity_after.begin(), system_velocity_after.end()), ""});
  return facts;
}

std::string key_of(const std::string& name) {
  std::string key;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    if (plain)
      key += c;
    else if (!key.empty() && key.back() != '_')
      key += '_';
  }
  return key;
}

std::string name_of(const std::string& name, std::size_t index) {
  return !name.empty() ? name : index == 0 ? "A" : "B";
}

void add_motion(std::vector<report::Fact>& facts, const std::string& who, const std::string& key,
                const std::string& axes, report::Value velocity, report::Value spin) {
  const bool is_vector = std::holds_alternative<std::vector<double>>(spin);
  facts.push_back({key + "_velocity", "velocity of " + who + " " + axes, std::move(velocity), "m/s"});
  facts.push_back({key + "_spin", "spin of " + who + (is_vector ? " " + axes : ""), std::move(spin), "rad/s"});
}

void add_motion(std::vector<report::Fact>& facts, const std::string& who, const std::string& axes,
                report::Value velocity, report::Value spin) {
  add_motion(facts, who, key_of(who), axes, std::move(velocity), std::move(spin));
}

void note_flags(report::Document& document, Flags flags) {
  if (flags.has(Flag::jamb))
    document.notes.push_back(
        "jamb: friction presses the bodies together at first touch, so the approach grows before it ends.");
  if (flags.has(Flag::recompression))
    document.notes.push_back("recompression: the bodies approach a second time before they part.");
  if (flags.has(Flag::rigid_limit))
    document.notes.push_back("rigid_limit: the springs are too stiff sideways to matter; the rigid model answered.");
  if (flags.has(Flag::e0_jam))
    document.notes.push_back("e0_jam: released, the strained tangential springs would press the bodies together.");
  if (flags.has(Flag::undefined_reading))
    document.notes.push_back(
        "undefined_reading: as published slip would start backwards; the contact sticks again and the model goes on.");
}

report::Table outcomes_table(const char* name, const char* title, const report::Column& what,
                             const std::string& whose) {
  report::Table table{name, title + (" (energies " + whose + ")"), {}};
  table.columns = {what,
                   {"impulse", "impulse", "N s"},
                   {"velocity_after", "velocity after", "m/s"},
                   {"energy_after", "energy after", "J"},
                   {"restitution_loss", "lost normally", "J"},
                   {"friction_loss", "lost to friction", "J"},
                   {"flags", "flags", ""}};
  return table;
}

std::string flag_list(Flags flags) {
  std::string text;
  for (const auto& [flag, called] : names_of<Flag>)
    if (flags.has(flag)) text += (text.empty() ? "" : ", ") + std::string(called);
  return text;
}

}  // namespace carom::scenario
