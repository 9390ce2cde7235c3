#include "carom/soft/rest_shape.hpp"

#include "model.hpp"
#include "parts/soft.hpp"

namespace carom::scenario {

namespace {

struct Row : SoftBody {
  RestShapeProblem settings;  ///< all but the body
};

Fields<Row> problem() {
  Fields<Row> fields = row_fields<Row>();
  add_soft_body(fields);
  add_rest_shape_settings(fields);
  return fields;
}

struct Answer {
  std::optional<std::vector<Eigen::Vector3d>> rest_vertices, displacement;
  std::optional<std::vector<SupportForce>> reactions;
  std::optional<std::vector<double>> masses;
  std::optional<double> friction_required;
  std::optional<int> iterations;
  std::optional<std::vector<double>> history;
  std::optional<double> residual;
  SoftFlags flags;
  std::optional<std::optional<RestShapeSpectrum>> spectrum;
  RestShapeStatus status = RestShapeStatus::ok;
  std::optional<std::string> message;
};

Answer solve(const Row& row) {
  RestShapeProblem problem = row.settings;
  problem.body = row;
  RestShapeResult result = rest_shape(problem);
  Answer answer;
  answer.flags = result.flags;
  answer.status = result.status;
  if (result.status != RestShapeStatus::ok) answer.message = std::move(result.message);
  if (problem.spectrum) answer.spectrum = result.spectrum;
  if (result.status == RestShapeStatus::invalid_mesh || result.status == RestShapeStatus::underconstrained)
    return answer;
  answer.rest_vertices = std::move(result.rest_vertices);
  answer.displacement = std::move(result.displacement);
  answer.reactions = std::move(result.reactions);
  answer.masses = std::move(result.masses);
  answer.friction_required = result.friction_required;
  answer.iterations = static_cast<int>(result.history.size());
  answer.history.emplace();
  for (const RestShapeIterate& iterate : result.history) answer.history->push_back(iterate.residual);
  answer.residual = result.residual;
  return answer;
}

Type<RestShapeSpectrum> spectrum() {
  using Spectrum = RestShapeSpectrum;
  Fields<Spectrum> fields;
  fields.required("largest", &Spectrum::largest, number(), "largest |eigenvalue| of d(K^-1 G)/dD at the solution")
      .required("r_max", &Spectrum::r_max, number(), "the fixed point converges for dampings below; 0: for none")
      .required("r_best", &Spectrum::r_best, nullable(number()), "the best damping; null if none converges");
  return object(fields);
}

Fields<Answer> result() {
  const auto vectors = nullable(list_of(vector<3>(), 0, max_soft_items));
  Fields<Answer> fields;
  fields.required("rest_vertices", &Answer::rest_vertices, vectors, "without load [m]; the last iterate on failure")
      .required("displacement", &Answer::displacement, vectors, "observed minus rest [m]")
      .required("reactions", &Answer::reactions, nullable(support_forces()),
                "of supports on the body, by vertex that is fixed or has a prescribed displacement [N]")
      .required("masses", &Answer::masses, nullable(list_of(number(), 0, max_soft_items)),
                "of each tetrahedron, from the observed shape [kg]")
      .required("friction_required", &Answer::friction_required, nullable(number()),
                "largest |f_T| / f_N over supports that carry weight")
      .required("iterations", &Answer::iterations, nullable(integer(0, rest_shape_max_iterations)), "how many")
      .required("history", &Answer::history, nullable(list_of(number(), 0, rest_shape_max_iterations)),
                "residual after each iteration, relative to the load")
      .required("residual", &Answer::residual, nullable(number()), "the last one")
      .required("flags", &Answer::flags, flag_names<SoftFlag>(), "what to know beside")
      .optional("spectrum", &Answer::spectrum, nullable(spectrum()), "if asked for; null without a solution")
      .required("status", &Answer::status, choice<RestShapeStatus>(), "whether there is an answer")
      .optional("message", &Answer::message, text(), "why not, or why it is in doubt");
  return fields;
}

}  // namespace

RowModel rest_shape_rows() { return row_model("rest_shape", problem(), solve, result()); }

}  // namespace carom::scenario
