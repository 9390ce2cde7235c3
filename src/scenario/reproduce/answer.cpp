#include "answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"
#include "carom/scenario/solve.hpp"
#include "carom/schema/json.hpp"

namespace carom::scenario::catalogue {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// One part of a path: a member, an index, or every item.
struct Step {
  std::string_view member;
  std::size_t index = 0;
  bool every = false;
};

std::vector<Step> steps_of(std::string_view path) {
  std::vector<Step> steps;
  while (!path.empty()) {
    if (path.front() == '[') {
      const std::size_t end = path.find(']');
      const std::string_view inside = path.substr(1, end - 1);
      double index = 0.0;
      if (inside != "*" && (!parse_number(inside, index) || index < 0.0 || index != std::floor(index) || index > 1e9))
        throw InvalidInput("formula", "\"[" + std::string(inside) + "]\" must hold an index from 0 or *");
      steps.push_back({{}, static_cast<std::size_t>(index), inside == "*"});
      path.remove_prefix(end + 1);
    } else {
      if (path.front() == '.') path.remove_prefix(1);
      const std::size_t end = std::min(path.find_first_of(".["), path.size());
      steps.push_back({path.substr(0, end)});
      path.remove_prefix(end);
    }
  }
  return steps;
}

/// What was gathered so far; numbers and texts do not mix.
struct Gathered {
  Numbers numbers;
  Texts texts;

  Datum datum() const {
    if (!texts.empty()) return texts;
    return numbers;
  }
};

void gather(const schema::Value& value, Gathered& into) {
  using Kind = schema::Value::Kind;
  switch (value.kind()) {
    case Kind::null:
      into.numbers.push_back(nothing);
      break;
    case Kind::boolean:
      into.numbers.push_back(value.boolean() ? 1.0 : 0.0);
      break;
    case Kind::number:
      into.numbers.push_back(value.number());
      break;
    case Kind::text:
      into.texts.emplace_back(value.text());
      break;
    case Kind::list:
      for (const schema::Value& item : value.items()) gather(item, into);
      break;
    case Kind::object:
      for (const schema::Value::Member member : value.members()) gather(member.value, into);
      break;
  }
}

/// Whether the path led somewhere.
bool follow(const schema::Value& value, std::span<const Step> steps, Gathered& into) {
  if (steps.empty()) return gather(value, into), true;
  const Step& step = steps.front();
  const std::span<const Step> rest = steps.subspan(1);
  if (!step.member.empty()) {
    const schema::Value* member = value.find(step.member);
    return member != nullptr && follow(*member, rest, into);
  }
  if (value.kind() != schema::Value::Kind::list) return false;
  std::size_t i = 0;
  bool found = step.every;
  for (const schema::Value& item : value.items())
    if (step.every ? follow(item, rest, into) : i++ == step.index) {
      if (step.every) continue;
      return follow(item, rest, into);
    }
  return found;
}

/// An item of a list, or the whole.
std::optional<Datum> part(Numbers all, std::span<const Step> steps) {
  if (steps.empty() || steps.front().every) return all;
  if (steps.size() != 1 || !steps.front().member.empty() || steps.front().index >= all.size()) return std::nullopt;
  return Numbers{all[steps.front().index]};
}

std::optional<Datum> of_fact(const report::Value& value, std::span<const Step> steps) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (!steps.empty()) return std::nullopt;
    // A fact lists words as a person writes them: "jamb, marginal".
    Texts words;
    std::size_t from = 0;
    for (std::size_t comma; (comma = text->find(", ", from)) != std::string::npos; from = comma + 2)
      words.push_back(text->substr(from, comma - from));
    words.push_back(text->substr(from));
    return words;
  }
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return part(*list, steps);
  if (const auto* truth = std::get_if<bool>(&value)) return part({*truth ? 1.0 : 0.0}, steps);
  return part({std::get<double>(value)}, steps);
}

std::optional<Datum> of_column(const report::Column& column, std::span<const Step> steps) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&column.cells)) {
    if (steps.empty()) return *texts;
    if (steps.size() != 1 || steps.front().index >= texts->size()) return std::nullopt;
    return Texts{(*texts)[steps.front().index]};
  }
  if (const auto* numbers = std::get_if<std::vector<double>>(&column.cells)) return part(*numbers, steps);
  Numbers all;
  if (const auto* truths = std::get_if<std::vector<std::optional<bool>>>(&column.cells)) {
    for (const std::optional<bool>& truth : *truths) all.push_back(truth ? (*truth ? 1.0 : 0.0) : nothing);
    return part(all, steps);
  }
  const auto& vectors = std::get<std::vector<std::vector<double>>>(column.cells);
  const bool component = !steps.empty() && !steps.front().every;
  for (const std::vector<double>& vector : vectors) {
    if (!component)
      all.insert(all.end(), vector.begin(), vector.end());
    else
      all.push_back(steps.front().index < vector.size() ? vector[steps.front().index] : nothing);
  }
  return all;
}

}  // namespace

Answer Answer::of_row(const std::string& row) {
  bool failed = false;
  auto made = std::make_shared<Row>();
  made->text = solve_row(row, failed);
  std::string problem;
  if (!schema::read_json(made->text, made->tree, problem)) throw InvalidInput("row", "answers no JSON: " + problem);
  if (failed) {
    const schema::Value* error = made->tree.root().find("error");
    const schema::Value *field = error->find("field"), *message = error->find("message");
    throw InvalidInput("row", std::string(field->text()) + ": " + std::string(message->text()));
  }
  Answer answer;
  answer.row_ = std::move(made);
  return answer;
}

Answer Answer::of_document(std::shared_ptr<const report::Document> document) {
  Answer answer;
  answer.document_ = std::move(document);
  return answer;
}

std::optional<Datum> Answer::find(std::string_view path) const {
  const std::vector<Step> all = steps_of(path);
  const std::span<const Step> steps = all;
  if (steps.empty()) return std::nullopt;
  if (row_) {
    Gathered gathered;
    if (!follow(row_->tree.root(), steps, gathered)) return std::nullopt;
    return gathered.datum();
  }
  for (const report::Fact& fact : document_->facts)
    if (fact.key == steps.front().member)  // or a table of the same name
      if (std::optional<Datum> found = of_fact(fact.value, steps.subspan(1))) return found;
  if (steps.size() < 2) return std::nullopt;
  for (const report::Table& table : document_->tables) {
    if (table.name != steps.front().member) continue;
    for (const report::Column& column : table.columns)
      if (column.key == steps[1].member) return of_column(column, steps.subspan(2));
  }
  return std::nullopt;
}

}  // namespace carom::scenario::catalogue
