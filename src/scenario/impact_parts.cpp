#include "impact_parts.hpp"

#include "carom/core/contact_space.hpp"

namespace carom::scenario {

Type<Material> material() {
  Fields<Material> fields;
  fields.required("friction", &Material::friction, number(Range::at_least(0.0)), "Coulomb coefficient mu")
      .required("restitution", &Material::restitution, number(Range::between(0.0, 1.0)), "coefficient e");
  return object(fields);
}

Type<MechanicalSystem> mechanical_system(int dimension) {
  Fields<MechanicalSystem> fields;
  fields
      .required("mass_matrix", &MechanicalSystem::mass_matrix, matrix_of_any_size(),
                "n x n, in the units of the generalized coordinates")
      .required("jacobian", &MechanicalSystem::jacobian, matrix_of_any_size(),
                dimension == 2 ? "2 x n, rows (t, n) of the contact" : "3 x n, rows (t1, t2, n) of the contact")
      .required("velocity", &MechanicalSystem::velocity, vector_of_any_size(), "generalized velocity before, n")
      .check([dimension](const MechanicalSystem& s, const Value& object, const Path& path, Mistakes& mistakes) {
        try {
          if (dimension == 2)
            planar_contact_space(s.mass_matrix, s.jacobian, s.velocity);
          else
            contact_space(s.mass_matrix, s.jacobian, s.velocity);
        } catch (const InvalidInput& error) {
          mistakes.add(path.at(error.field()), line_of(object, error.field()), error.message());
        }
      });
  return object(fields);
}

std::string flag_list(Flags flags) {
  std::string text;
  for (const Flag flag : all_flags)
    if (flags.has(flag)) text += (text.empty() ? "" : ", ") + std::string(name(flag));
  return text;
}

}  // namespace carom::scenario
