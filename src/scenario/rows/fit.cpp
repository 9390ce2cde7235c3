#include "carom/plan/fit.hpp"

#include <algorithm>

#include "carom/core/contact_space.hpp"

#include "pair.hpp"
#include "parts/body_after.hpp"

namespace carom::scenario {

namespace {

using Numbers = std::vector<double>;

struct ObservationRow {
  std::optional<std::vector<Numbers>> w;
  std::optional<Numbers> before, after_point;
  std::optional<std::vector<Body>> bodies;
  std::optional<Contact> contact;
  std::optional<std::vector<std::optional<BodyAfter>>> after;
  double weight = 1.0;
};

/// Values of some of the parameters.
struct Some {
  std::optional<double> mu, e, eta0;
  std::optional<double>& operator[](FitParameter p) {
    return p == FitParameter::friction ? mu : p == FitParameter::restitution ? e : eta0;
  }
  const std::optional<double>& operator[](FitParameter p) const { return const_cast<Some&>(*this)[p]; }
};

struct Row {
  FitModel model = FitModel::spatial;
  std::optional<RestitutionLaw> law;
  std::optional<Reading> reading;
  std::vector<ObservationRow> observations;
  std::vector<FitParameter> free;
  std::optional<Some> fixed, start;
  FitLoss loss = FitLoss::squares;
  std::optional<double> loss_scale;
};

constexpr FitParameter row_parameters[] = {FitParameter::friction, FitParameter::restitution,
                                           FitParameter::stiffness_ratio_root};

bool has(FitModel model, FitParameter parameter) {
  return parameter != FitParameter::stiffness_ratio_root || model == FitModel::compliant;
}

Type<Some> some_values(bool bounded) {
  Fields<Some> fields;
  const auto range = [&](FitParameter parameter) {
    const FitBounds bounds = fit_bounds(parameter);
    if (bounded || parameter == FitParameter::restitution) return Range::between(bounds.low, bounds.high);
    return parameter == FitParameter::friction ? Range::at_least(0.0) : Range::positive();
  };
  fields.optional("mu", &Some::mu, number(range(FitParameter::friction)), "friction coefficient")
      .optional("e", &Some::e, number(range(FitParameter::restitution)), "coefficient of restitution")
      .optional("eta0", &Some::eta0, number(range(FitParameter::stiffness_ratio_root)),
                "square root of the stiffness ratio k_n / k_t");
  return object(fields);
}

void check_observation_form(const ObservationRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const bool by_space = row.w || row.before || row.after_point, by_bodies = row.bodies || row.contact || row.after;
  if (by_space && by_bodies) {
    bool seen_space = false, seen_bodies = false;
    for (const auto [key, value] : object.members()) {
      if (value.is_null()) continue;
      seen_space |= key == "W" || key == "v_before" || key == "v_after";
      seen_bodies |= key == "bodies" || key == "contact" || key == "after";
      if (seen_space && seen_bodies)
        return mistakes.add(path.at(key), value.place(),
                            "give either `W`, `v_before` and `v_after`, or `bodies`, `contact` and `after`, not both");
    }
  }
  const auto require = [&](bool given, const char* field) {
    if (!given) mistakes.add_missing(path.at(field), object, "is required");
  };
  if (by_bodies) {
    require(row.bodies.has_value(), "bodies");
    require(row.contact.has_value(), "contact");
    require(row.after.has_value(), "after");
    return;
  }
  require(row.w.has_value(), "W");
  require(row.before.has_value(), "v_before");
  require(row.after_point.has_value(), "v_after");
}

void check_after(const ObservationRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (!row.bodies || !row.after) return;
  const Path list = path.at("after");
  for (int i = 0; i < 2; ++i) {
    const bool immovable = (*row.bodies)[static_cast<std::size_t>(i)].immovable;
    if (immovable != !(*row.after)[static_cast<std::size_t>(i)].has_value())
      mistakes.add(list.at(i), place_of(object, "after"),
                   immovable ? "must be null: this body is immovable" : "must not be null: this body can move");
  }
}

void check_pair_of(const ObservationRow& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const PairRow pair{{}, {}, row.bodies, row.contact};
  check_bodies(pair, object, path, mistakes);
  if (mistakes.count() == 0 || row.contact) check_space(pair, object, path, mistakes);
}

Type<ObservationRow> observation() {
  Fields<ObservationRow> fields;
  const auto numbers = list_of(number(), 2, 3);
  fields
      .optional("W", &ObservationRow::w, list_of(numbers, 2, 3), "inverse inertia [1/kg], 2 x 2 for planar, else 3 x 3")
      .optional("v_before", &ObservationRow::before, numbers, "A relative to B [m/s]")
      .optional("v_after", &ObservationRow::after_point, numbers, "A relative to B [m/s]")
      .optional("bodies", &ObservationRow::bodies, list_of(row_body(), 2, 2), "A and B before")
      .called({"inverse_inertia", "velocity"})
      .optional("contact", &ObservationRow::contact, spatial_contact(), "where they touch")
      .optional("after", &ObservationRow::after, list_of(body_after(), 2, 2), "A and B after")
      .optional("weight", &ObservationRow::weight, number(Range::at_least(0.0)), "default 1")
      .check({}, check_observation_form)
      .check({"bodies", "after"}, check_after)
      .check({"bodies", "contact"}, check_pair_of);
  return object(fields);
}

/// Sizes by the model, and W as in the impacts.
void check_sizes(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const Value* list = object.find("observations");
  if (list == nullptr || list->kind() != Value::Kind::list) return;
  const std::size_t size = row.model == FitModel::planar ? 2 : 3;
  const std::string vector_text = size == 2 ? "must be [t, n] for planar" : "must be (t1, t2, n) for this model";
  const Path inside = path.at("observations");
  int i = -1;
  bool weighs = false;
  for (const Value& item : list->items()) {
    const auto k = static_cast<std::size_t>(++i);
    if (k >= row.observations.size()) return;
    const ObservationRow& seen = row.observations[k];
    weighs = weighs || seen.weight > 0.0;
    const Path here = inside.at(i);
    if (size == 2 && seen.bodies)
      mistakes.add(here.at("bodies"), place_of(item, "bodies"), "goes with `spatial` and `compliant`, not with planar");
    if (seen.w) {
      bool square = seen.w->size() == size;
      for (const Numbers& line : *seen.w) square = square && line.size() == size;
      const std::string text = size == 2 ? "must be 2 x 2 for planar" : "must be 3 x 3 for this model";
      if (!square) {
        mistakes.add(here.at("W"), place_of(item, "W"), text);
      } else {
        Eigen::Matrix3d w = Eigen::Matrix3d::Identity();
        for (std::size_t r = 0; r < size; ++r)
          for (std::size_t c = 0; c < size; ++c)
            w(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = (*seen.w)[r][c];
        const auto problem =
            size == 2 ? inverse_inertia_problem(Eigen::Matrix2d(w.topLeftCorner<2, 2>())) : inverse_inertia_problem(w);
        if (problem) mistakes.add(here.at("W"), place_of(item, "W"), *problem);
      }
    }
    if (seen.before && seen.before->size() != size)
      mistakes.add(here.at("v_before"), place_of(item, "v_before"), vector_text);
    if (seen.after_point && seen.after_point->size() != size)
      mistakes.add(here.at("v_after"), place_of(item, "v_after"), vector_text);
  }
  if (!weighs && !row.observations.empty())
    mistakes.add(path.at("observations"), list->place(), "all weights are 0: one must be above");
}

void check_law(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.model == FitModel::compliant && row.law)
    mistakes.add(path.at("law"), place_of(object, "law"),
                 "goes with planar and spatial: compliant is always energetic");
  else if (row.model != FitModel::compliant && !row.law)
    mistakes.add_missing(path.at("law"), object, "is required: one of newton, poisson, energetic");
}

void check_reading(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.reading && row.model != FitModel::compliant)
    mistakes.add(path.at("reading"), place_of(object, "reading"), "goes with compliant only");
}

bool is_free(const Row& row, FitParameter parameter) {
  return std::find(row.free.begin(), row.free.end(), parameter) != row.free.end();
}

void check_free(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const Value* list = object.find("free");
  if (list == nullptr || list->kind() != Value::Kind::list) return;
  const Path inside = path.at("free");
  int i = -1;
  for (const Value& item : list->items()) {
    const auto k = static_cast<std::size_t>(++i);
    if (k >= row.free.size()) return;
    if (!has(row.model, row.free[k]))
      mistakes.add(inside.at(i), item.place(), "eta0 goes with compliant only");
    else if (std::find(row.free.begin(), row.free.begin() + i, row.free[k]) != row.free.begin() + i)
      mistakes.add(inside.at(i), item.place(), std::string(name(row.free[k])) + " is there twice");
  }
}

void check_fixed(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.free.empty()) return;
  const Value* given = object.find("fixed");
  if (given != nullptr && given->is_null()) given = nullptr;
  const Path inside = path.at("fixed");
  for (const FitParameter parameter : row_parameters) {
    const char* called = name(parameter);
    const bool fixed = row.fixed && (*row.fixed)[parameter];
    const Path here = inside.at(called);
    const int place = given != nullptr ? place_of(*given, called) : object.place();
    if (!has(row.model, parameter)) {
      if (fixed) mistakes.add(here, place, "goes with compliant only");
    } else if (fixed && is_free(row, parameter)) {
      mistakes.add(here, place, "is free: give it in `start`, or take it out of `free`");
    } else if (!fixed && !is_free(row, parameter)) {
      mistakes.add_missing(here, given != nullptr ? *given : object, "is required: it is not free");
    }
  }
}

void check_start(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  const Value* given = object.find("start");
  if (!row.start || given == nullptr || row.free.empty()) return;
  const Path inside = path.at("start");
  for (const FitParameter parameter : row_parameters)
    if ((*row.start)[parameter] && !is_free(row, parameter))
      mistakes.add(inside.at(name(parameter)), place_of(*given, name(parameter)), "is not free");
}

void check_loss(const Row& row, const Value& object, const Path& path, Mistakes& mistakes) {
  if (row.loss == FitLoss::huber && !row.loss_scale)
    mistakes.add_missing(path.at("loss_scale"), object, "is required with huber");
  else if (row.loss != FitLoss::huber && row.loss_scale)
    mistakes.add(path.at("loss_scale"), place_of(object, "loss_scale"), "goes with huber only");
}

const Fields<Row>& problem() {
  static const Fields<Row> all = [] {
    Fields<Row> fields = row_fields<Row>();
    fields
        .required(
            "impact_model", &Row::model,
            choice<FitModel>(
                {{"planar", FitModel::planar}, {"spatial", FitModel::spatial}, {"compliant", FitModel::compliant}}),
            "the model that is fitted")
        .optional("law", &Row::law, choice<RestitutionLaw>(), "restitution law, for planar and spatial")
        .optional("reading", &Row::reading, choice<Reading>(), "for compliant")
        .required("observations", &Row::observations, list_of(observation(), 1), "what was measured")
        .required("free", &Row::free,
                  list_of(choice<FitParameter>({{"mu", FitParameter::friction},
                                                {"e", FitParameter::restitution},
                                                {"eta0", FitParameter::stiffness_ratio_root}}),
                          1),
                  "what is fitted")
        .optional("fixed", &Row::fixed, some_values(false), "what is not")
        .optional("start", &Row::start, some_values(true), "where to search from, beside a grid")
        .optional("loss", &Row::loss, choice<FitLoss>(), "default squares")
        .optional("loss_scale", &Row::loss_scale, number(Range::positive()), "[m/s]; huber")
        .check({"impact_model", "law"}, check_law)
        .check({"impact_model", "reading"}, check_reading)
        .check({"impact_model", "observations"}, check_sizes)
        .check({"impact_model", "free"}, check_free)
        .check({"impact_model", "free", "fixed"}, check_fixed)
        .check({"free", "start"}, check_start)
        .check({"loss", "loss_scale"}, check_loss);
    return fields;
  }();
  return all;
}

struct ObservationAnswer {
  Numbers residual;
  Verdict verdict = Verdict::no_impact;
};

/// Numbers by the names of their parameters; null where there is none.
using Named_numbers = std::vector<std::pair<std::string, std::optional<double>>>;

struct Answer {
  bool converged = false;
  Named_numbers parameters, standard_errors;
  double residual = 0.0;
  std::vector<ObservationAnswer> per_observation;
  std::vector<std::string> flags;
};

class NumbersByName final : public Format {
public:
  void write(JsonWriter& json, const void* value) const override {
    json.begin_object();
    for (const auto& [key, number] : *static_cast<const Named_numbers*>(value)) {
      json.key(key);
      number ? json.number(*number) : json.null();
    }
    json.end_object();
  }
  std::string json_schema() const override {
    return R"({"type":"object","additionalProperties":{"type":["number","null"]}})";
  }
};

class Words final : public Format {
public:
  void write(JsonWriter& json, const void* value) const override {
    json.begin_array();
    for (const std::string& word : *static_cast<const std::vector<std::string>*>(value)) json.text(word);
    json.end_array();
  }
  std::string json_schema() const override { return R"({"type":"array","items":{"type":"string"}})"; }
};

Fields<Answer> result() {
  Fields<ObservationAnswer> one;
  one.required("residual", &ObservationAnswer::residual, list_of(number()), "predicted minus observed [m/s]")
      .required("verdict", &ObservationAnswer::verdict, choice<Verdict>(), "of the model");
  Fields<Answer> fields;
  fields
      .text(
          "status", [](const Answer& a) { return a.converged ? "ok" : "not_converged"; }, "whether it settled")
      .required("parameters", &Answer::parameters, Type<Named_numbers>(std::make_shared<NumbersByName>()),
                "all of them")
      .required("standard_errors", &Answer::standard_errors, Type<Named_numbers>(std::make_shared<NumbersByName>()),
                "of the free ones")
      .required("residual", &Answer::residual, number(), "sqrt(S / N) [m/s]")
      .required("per_observation", &Answer::per_observation, list_of(object(one)), "in order")
      .required("flags", &Answer::flags, Type<std::vector<std::string>>(std::make_shared<Words>()),
                "what to know beside");
  return fields;
}

FitObservation observation_of(const ObservationRow& row) {
  if (row.bodies) {
    Body after[2] = {(*row.bodies)[0], (*row.bodies)[1]};
    for (std::size_t i = 0; i < 2; ++i)
      if (const auto& moved = (*row.after)[i]) {
        after[i].velocity = moved->velocity;
        after[i].angular_velocity = moved->angular_velocity;
      }
    return observed_collision((*row.bodies)[0], (*row.bodies)[1], *row.contact, after[0], after[1], row.weight);
  }
  const std::size_t size = row.w->size();
  ContactSpace space;
  Eigen::Vector3d after = Eigen::Vector3d::Zero();
  for (std::size_t r = 0; r < size; ++r) {
    const auto i = static_cast<Eigen::Index>(r);
    for (std::size_t c = 0; c < size; ++c) space.inverse_inertia(i, static_cast<Eigen::Index>(c)) = (*row.w)[r][c];
    space.velocity[i] = (*row.before)[r];
    after[i] = (*row.after_point)[r];
  }
  if (size == 2)
    return planar_observation({space.inverse_inertia.topLeftCorner<2, 2>(), space.velocity.head<2>()}, after.head<2>(),
                              row.weight);
  FitObservation seen;
  seen.space = space;
  seen.velocity_after = after;
  seen.weight = row.weight;
  return seen;
}

Answer solve(const Row& row) {
  FitProblem problem;
  problem.model = row.model;
  problem.law = row.law.value_or(RestitutionLaw::energetic);
  problem.reading = row.reading.value_or(Reading::model);
  problem.loss = row.loss;
  problem.loss_scale = row.loss_scale.value_or(1.0);
  for (const FitParameter parameter : row_parameters) {
    const bool free = is_free(row, parameter);
    problem.free.set(parameter, free);
    const std::optional<Some>& given = free ? row.start : row.fixed;
    if (given && (*given)[parameter]) problem.values[parameter] = *(*given)[parameter];
  }
  for (const ObservationRow& seen : row.observations) problem.observations.push_back(observation_of(seen));
  const FitResult fit = fit_impacts(problem);

  Answer answer;
  answer.converged = fit.converged;
  answer.residual = fit.residual;
  for (const FitParameter parameter : row_parameters)
    if (has(row.model, parameter)) answer.parameters.emplace_back(name(parameter), fit.materials[0][parameter]);
  for (const FittedNumber& number : fit.free) {
    answer.standard_errors.emplace_back(name(number.parameter), number.standard_error);
    if (number.unidentifiable) answer.flags.push_back(std::string("unidentifiable:") + name(number.parameter));
    if (number.at_bound) answer.flags.push_back(std::string("at_bound:") + name(number.parameter));
  }
  if (fit.no_redundancy) answer.flags.emplace_back("no_redundancy");
  for (std::size_t i = 0; i < fit.per_observation.size(); ++i) {
    const FitResidual& seen = fit.per_observation[i];
    const ObservationRow& given = row.observations[i];
    Eigen::Vector3d r = seen.residual;
    if (given.bodies) r = contact_frame(*given.contact) * r;
    ObservationAnswer& one = answer.per_observation.emplace_back();
    one.verdict = seen.verdict;
    if (row.model == FitModel::planar)
      one.residual = {r[0], r[2]};
    else
      one.residual = {r[0], r[1], r[2]};
  }
  return answer;
}

}  // namespace

RowModel fit_rows() { return row_model("fit", problem(), solve, result()); }

}  // namespace carom::scenario
