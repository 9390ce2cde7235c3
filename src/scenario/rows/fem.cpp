#include "carom/soft/stiffness.hpp"

#include "model.hpp"
#include "parts/soft.hpp"

namespace carom::scenario {

namespace {

struct Row : SoftBody {};

Fields<Row> problem() {
  Fields<Row> fields = row_fields<Row>();
  add_soft_body(fields);
  return fields;
}

struct Answer {
  std::optional<std::vector<Eigen::Vector3d>> displacement;
  std::optional<std::vector<SupportForce>> reactions;
  std::optional<double> strain_energy;
  SoftFlags flags;
  FemStatus status = FemStatus::ok;
  std::optional<std::string> message;
};

Answer solve(const Row& row) {
  FemResult result = fem(row);
  Answer answer;
  answer.flags = result.flags;
  answer.status = result.status;
  if (result.status != FemStatus::ok) {
    answer.message = std::move(result.message);
    return answer;
  }
  answer.displacement = std::move(result.displacement);
  answer.reactions = std::move(result.reactions);
  answer.strain_energy = result.strain_energy;
  return answer;
}

Fields<Answer> result() {
  Fields<Answer> fields;
  fields
      .required("displacement", &Answer::displacement, nullable(list_of(vector<3>(), 0, max_soft_items)),
                "of each vertex [m]")
      .required("reactions", &Answer::reactions, nullable(support_forces()),
                "of supports on the body, by vertex that is fixed or has a prescribed displacement [N]")
      .required("strain_energy", &Answer::strain_energy, nullable(number()), "[J]")
      .required("flags", &Answer::flags, flag_names<SoftFlag>(), "what to know beside")
      .required("status", &Answer::status, choice<FemStatus>(), "whether there is an answer")
      .optional("message", &Answer::message, text(), "why there is none");
  return fields;
}

}  // namespace

RowModel fem_rows() { return row_model("fem", problem(), solve, result()); }

}  // namespace carom::scenario
