#include "carom/soft/grasp.hpp"

#include "model.hpp"
#include "parts/grasp.hpp"

namespace carom::scenario {

namespace {

struct Row : SoftBody, GraspSettings {};

Fields<Row> problem() {
  Fields<Row> fields = row_fields<Row>();
  add_soft_matter(fields);
  fields.required("table", &GraspSettings::table, number(), "its height z [m]");
  add_grasp_settings(fields);
  return fields;
}

struct Answer {
  bool lifted = false;
  std::optional<double> depth, total_closing, work, liftable_weight, strain;
  std::optional<std::vector<int>> finger_nodes;
  std::optional<int> table_nodes;
  SqueezeFlags flags;
  std::vector<GraspEvent> events;
  SqueezeStatus status = SqueezeStatus::invalid_mesh;
  std::optional<std::string> message;
};

Answer solve(const Row& row) {
  SqueezeResult result = squeeze(squeeze_problem(row, row));
  Answer answer;
  answer.status = result.status;
  answer.flags = result.flags;
  if (!result.message.empty()) answer.message = std::move(result.message);
  if (result.status == SqueezeStatus::invalid_mesh || result.status == SqueezeStatus::unstable_rest) return answer;
  answer.lifted = result.lifted;
  answer.depth = result.depth;
  answer.total_closing = result.total_closing;
  answer.finger_nodes = {result.finger_nodes[0], result.finger_nodes[1]};
  answer.table_nodes = result.table_nodes;
  answer.work = result.work;
  answer.liftable_weight = result.liftable_weight;
  answer.strain = result.strain;
  answer.events = std::move(result.events);
  return answer;
}

Type<GraspEvent> event() {
  using Event = GraspEvent;
  Fields<Event> fields;
  fields.required("type", &Event::type, choice<GraspEventType>(), "what happens")
      .required("node", &Event::node, integer(0, static_cast<int>(max_mesh_vertices)), "the vertex")
      .required("obstacle", &Event::obstacle, choice<Obstacle>(), "where")
      .required("depth", &Event::depth, number(), "of each finger [m]");
  return object(fields);
}

Fields<Answer> result() {
  const auto if_any = nullable(number());
  const auto count = integer(0, static_cast<int>(max_mesh_vertices));
  Fields<Answer> fields;
  fields.required("lifted", &Answer::lifted, boolean(), "by the simulated lift")
      .required("depth", &Answer::depth, if_any,
                "of each finger since first touch, when the lift test passed or the squeeze ended [m]")
      .required("total_closing", &Answer::total_closing, if_any, "how much nearer the fingers have come since then [m]")
      .required("finger_nodes", &Answer::finger_nodes, nullable(list_of(count, 2, 2)), "vertices on each finger")
      .required("table_nodes", &Answer::table_nodes, nullable(count), "vertices on the table")
      .required("work", &Answer::work, if_any, "of both fingers, squeeze only [J]")
      .required("liftable_weight", &Answer::liftable_weight, if_any,
                "followed up to twice the weight, with a min_depth to a hundred times [N]")
      .required("strain", &Answer::strain, if_any, "the largest principal one")
      .required("flags", &Answer::flags, flag_names<SqueezeFlag>(), "what to know beside")
      .required("events", &Answer::events, list_of(event(), 0, max_soft_items), "of the squeeze")
      .required("status", &Answer::status, choice<SqueezeStatus>(), "how it ended")
      .optional("message", &Answer::message, text(), "what went wrong");
  return fields;
}

}  // namespace

RowModel squeeze_rows() { return row_model("squeeze", problem(), solve, result()); }

}  // namespace carom::scenario
