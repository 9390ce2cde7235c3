#include "sweep.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

#include "carom/core/error.hpp"
#include "carom/core/parallel.hpp"
#include "carom/core/text.hpp"

namespace carom::scenario {

namespace {

// --- the key `sweep` ---

/// A number, or an angle such as "30 deg", as it was written.
struct Quantity {
  double value = 0.0;
  bool degrees = false;
};

std::optional<Quantity> quantity_of(std::string_view text) {
  Quantity quantity;
  const std::size_t digits = leading_number(text, quantity.value);
  std::string_view unit = text.substr(digits);
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  quantity.degrees = unit == "deg";
  if (digits == 0 || !std::isfinite(quantity.value) || (!unit.empty() && !quantity.degrees)) return std::nullopt;
  return quantity;
}

Type<Quantity> quantity() {
  return custom<Quantity>(
      [](const Value& value, const Path& path, Mistakes& mistakes, Quantity& out) {
        if (value.kind() == Value::Kind::text) {
          out = quantity_of(value.text()).value_or(Quantity{});
          return out.degrees || wrong_type("a number or an angle such as '30 deg'", value, path, mistakes);
        }
        return number().read(value, path, mistakes, out.value);
      },
      R"({"anyOf":[{"type":"number"},{"type":"string","pattern":"deg$"}]})");
}

enum class Spacing { linear, logarithmic };

/// A field as a file says it.
struct GivenField {
  std::string path, label;
  std::optional<Quantity> from, to;
  int steps = 101;
  Spacing spacing = Spacing::linear;
  std::vector<Quantity> values;
};

void check_field(const GivenField& f, const Value& object, const Path& path, Mistakes& mistakes) {
  const auto refuse = [&](const char* key, const std::string& message) {
    mistakes.add(path.at(key), place_of(object, key), message);
  };
  if (f.values.empty() != (f.from && f.to)) {
    mistakes.add(path, object.place(), "needs either `from` and `to`, or `values`");
    return;
  }
  if (f.values.empty()) {
    if (f.from->degrees != f.to->degrees)
      refuse("to", "must be an angle if `from` is one, and a number if not");
    else if (!(f.to->value > f.from->value))
      refuse("to", "must be greater than `from`");
    else if (f.spacing == Spacing::logarithmic && !(f.from->value > 0.0))
      refuse("from", "must be positive for logarithmic spacing");
  } else if (std::any_of(f.values.begin(), f.values.end(),
                         [&](const Quantity& q) { return q.degrees != f.values.front().degrees; })) {
    refuse("values", "must be all angles or all numbers");
  }
}

SweptField field_of(const GivenField& given) {
  SweptField field{given.path, {}, given.label};
  field.logarithmic = given.spacing == Spacing::logarithmic;
  field.listed = !given.values.empty();
  if (field.listed) {
    for (const Quantity& q : given.values) field.values.push_back(q.value);
    field.degrees = given.values.front().degrees;
  } else {
    field.values = evenly_spread(given.from->value, given.to->value, given.steps, field.logarithmic);
    field.degrees = given.from->degrees;
  }
  return field;
}

Type<SweptField> field_type() {
  Fields<GivenField> fields;
  fields.required("path", &GivenField::path, text(), "the number to vary, such as bodies[0].velocity[2]")
      .optional("from", &GivenField::from, quantity(), "first value, or angle such as '5 deg'")
      .optional("to", &GivenField::to, quantity(), "last value")
      .optional("steps", &GivenField::steps, integer(2, 1'000'000), "number of values (default 101)")
      .optional("spacing", &GivenField::spacing,
                choice<Spacing>({{"linear", Spacing::linear}, {"logarithmic", Spacing::logarithmic}}),
                "of the values (default linear)")
      .optional("values", &GivenField::values, list_of(quantity(), 1, 1'000'000), "the values, instead of `from`, `to`")
      .optional("label", &GivenField::label, text(), "on the axis, with its unit (default: the path)")
      .check(check_field);
  const auto type = object(fields);
  return custom<SweptField>(
      [type](const Value& value, const Path& path, Mistakes& mistakes, SweptField& out) {
        GivenField given;
        if (!type.read(value, path, mistakes, given)) return false;
        out = field_of(given);
        return true;
      },
      type.json_schema());
}

/// One of them, or a list: what is most often one may be written without brackets.
template <class T>
Type<std::vector<T>> one_or_list(const Type<T>& one, std::size_t most) {
  const auto list = list_of(one, 1, most);
  return custom<std::vector<T>>(
      [one, list](const Value& value, const Path& path, Mistakes& mistakes, std::vector<T>& out) {
        if (value.kind() == Value::Kind::list) return list.read(value, path, mistakes, out);
        return one.read(value, path, mistakes, out.emplace_back());
      },
      R"({"anyOf":[)" + one.json_schema() + "," + list.json_schema() + "]}");
}

Type<ShownFacts> shown_type() {
  Fields<ShownFacts> fields;
  fields
      .required("facts", &ShownFacts::facts, one_or_list(text(), 8), "keys of facts, the second and later ones dashed")
      .optional("title", &ShownFacts::title, text(), "of the picture")
      .optional("caption", &ShownFacts::caption, text(), "what to look at")
      .optional("label", &ShownFacts::label, text(), "of the axis, with its unit")
      .optional("contours", &ShownFacts::contours, list_of(number(), 1, 20),
                "of a map: values along which a line is drawn")
      .optional("mark_at", &ShownFacts::mark_at, text(),
                "key of a fact: a dot on each curve where the swept number passes what this fact is there");
  const auto full = object(fields);
  const auto plain = one_or_list(text(), 8);
  return custom<ShownFacts>(
      [full, plain](const Value& value, const Path& path, Mistakes& mistakes, ShownFacts& out) {
        if (value.kind() == Value::Kind::object) return full.read(value, path, mistakes, out);
        return plain.read(value, path, mistakes, out.facts);
      },
      R"({"anyOf":[)" + plain.json_schema() + "," + full.json_schema() + "]}");
}

Type<MeasuredPoints> measured_type() {
  Fields<MeasuredPoints> fields;
  fields.required("source", &MeasuredPoints::source, text(), "where the numbers come from")
      .required("fact", &MeasuredPoints::fact, text(), "what was measured: the key of a fact that is shown")
      .required("at", &MeasuredPoints::at, list_of(number(), 1, 100'000), "values of the first field, in its unit")
      .required("values", &MeasuredPoints::values, list_of(number(), 1, 100'000), "of the fact, at each of them")
      .check([](const MeasuredPoints& m, const Value& object, const Path& path, Mistakes& mistakes) {
        if (m.at.size() != m.values.size())
          mistakes.add(path.at("values"), place_of(object, "values"),
                       fmt::format("must have as many numbers as `at`, {}, got {}", m.at.size(), m.values.size()));
      });
  return object(fields);
}

/// path: value, as many as there are.
Type<std::vector<Setting>> settings_type() {
  return custom<std::vector<Setting>>(
      [](const Value& value, const Path& path, Mistakes& mistakes, std::vector<Setting>& out) {
        if (value.kind() != Value::Kind::object) return wrong_type("a list of `path: value`", value, path, mistakes);
        for (const Value::Member member : value.members())
          out.push_back({std::string(member.key), json_text(member.value)});
        return true;
      },
      R"({"type":"object"})");
}

Fields<Sweep> sweep_fields() {
  Fields<Sweep> fields;
  fields.required("over", &Sweep::fields, one_or_list(field_type(), 2), "what to vary: one field, or a list of two")
      .optional("set", &Sweep::settings, settings_type(), "path: value of what is otherwise in all runs of the sweep")
      .optional("show", &Sweep::show, list_of(shown_type(), 1, 100), "a picture each (default: the facts that change)")
      .optional("measured", &Sweep::measured, one_or_list(measured_type(), 20), "points to draw beside");
  return fields;
}

// --- running ---

/// The values of the fields in one run; the last field changes fastest.
std::vector<double> values_of(const Sweep& sweep, std::size_t run) {
  std::vector<double> values(sweep.fields.size());
  for (std::size_t f = values.size(); f-- > 0;) {
    const std::vector<double>& all = sweep.fields[f].values;
    values[f] = all[run % all.size()];
    run /= all.size();
  }
  return values;
}

std::string text_of(const SweptField& field, double value) {
  return number_text(value) + (field.degrees ? " deg" : "");
}

/// The settings of one run: those of the sweep and the values of its fields.
std::vector<Setting> settings_of(const Sweep& sweep, std::size_t run) {
  std::vector<Setting> settings = sweep.settings;
  const std::vector<double> values = values_of(sweep, run);
  for (std::size_t f = 0; f < values.size(); ++f)
    settings.push_back({sweep.fields[f].path, text_of(sweep.fields[f], values[f])});
  return settings;
}

/// "material.friction = -1"
std::string words_of(const Sweep& sweep, std::size_t run) {
  std::string text;
  const std::vector<Setting> settings = settings_of(sweep, run);
  for (std::size_t i = sweep.settings.size(); i < settings.size(); ++i)
    text += (text.empty() ? "" : ", ") + settings[i].path + " = " + settings[i].value;
  return text;
}

/// What one run gave: facts, or the reason why there are none.
struct RunOutcome {
  Facts facts;
  std::string error;
  bool done = false;
};

class Runner {
public:
  Runner(const Kind& kind, const Value& root, const std::filesystem::path& folder, const Sweep& sweep)
      : kind_(kind), root_(root), folder_(folder), sweep_(sweep) {}

  /// The typed problem of a run; nothing after adding a mistake.
  std::shared_ptr<const void> problem(std::size_t run, Mistakes& mistakes) const {
    const std::vector<Setting> settings = settings_of(sweep_, run);
    Tree tree;
    with_settings(root_, settings, tree, mistakes);
    return mistakes.count() == 0 ? kind_.read(tree.root(), mistakes) : nullptr;
  }

  RunOutcome outcome(std::size_t run) const {
    RunOutcome outcome;
    outcome.done = true;
    try {
      Mistakes mistakes;
      mistakes.folder = folder_;
      const auto problem = this->problem(run, mistakes);
      if (!problem) {
        const Mistake& first = mistakes.list.front();
        outcome.error = (first.path.empty() ? "" : first.path + ": ") + first.message;
        return outcome;
      }
      const auto result = kind_.run(problem.get(), {.pictures = false});
      outcome.facts = kind_.facts(problem.get(), result.get());
      for (report::Fact& fact : kind_.details(problem.get(), result.get())) outcome.facts.push_back(std::move(fact));
    } catch (const InvalidInput& error) {
      outcome.facts.clear();
      outcome.error = error.what();
    }
    return outcome;
  }

private:
  const Kind& kind_;
  const Value& root_;
  const std::filesystem::path& folder_;
  const Sweep& sweep_;
};

/// A row per run. A fact that only some runs have is a column with gaps.
class RowCollector {
public:
  explicit RowCollector(const Sweep& sweep) : sweep_(sweep) {
    table_.name = "sweep";
    table_.title = "Every run of the sweep";
    for (const SweptField& field : sweep.fields)
      table_.columns.push_back(
          {field.path, field.label.empty() ? field.path : field.label, field.degrees ? "deg" : ""});
  }

  void add(std::size_t run, const RunOutcome& outcome) {
    for (const report::Fact& fact : outcome.facts) column_of(fact.key, fact.label, fact.unit);
    if (!outcome.error.empty()) column_of(error_key, "error", "");
    std::vector<report::Value> row(table_.columns.size(), std::numeric_limits<double>::quiet_NaN());
    const std::vector<double> values = values_of(sweep_, run);
    std::copy(values.begin(), values.end(), row.begin());
    for (const report::Fact& fact : outcome.facts) row[column_of(fact.key, fact.label, fact.unit)] = fact.value;
    if (!outcome.error.empty()) row[column_of(error_key, "error", "")] = outcome.error;
    table_.add_row(row);
    ++rows_;
  }

  const report::Table& table() const { return table_; }

  report::Table take() {
    if (const auto found = columns_.find(error_key); found != columns_.end()) {
      const auto at = table_.columns.begin() + static_cast<std::ptrdiff_t>(found->second);
      std::rotate(at, at + 1, table_.columns.end());
    }
    return std::move(table_);
  }

private:
  static constexpr const char* error_key = "error";

  std::size_t column_of(const std::string& key, const std::string& label, const std::string& unit) {
    const auto [found, is_new] = columns_.try_emplace(key, table_.columns.size());
    if (is_new)
      table_.columns.push_back(
          {key, label, unit, std::vector<double>(rows_, std::numeric_limits<double>::quiet_NaN())});
    return found->second;
  }

  const Sweep& sweep_;
  report::Table table_;
  std::unordered_map<std::string, std::size_t> columns_;  // facts only
  std::size_t rows_ = 0;
};

/// So many facts are named to someone who asked for one that there is none of.
constexpr std::size_t most_listed = 30;

/// Facts to show, or measured, that no run so far has.
void check_facts(const Sweep& sweep, const report::Table& table, Mistakes& mistakes) {
  std::vector<std::string> known;
  for (std::size_t c = sweep.fields.size(); c < table.columns.size(); ++c) known.push_back(table.columns[c].key);
  const auto look = [&](const Path& path, const std::string& fact) {
    const std::string key = fact.substr(0, fact.find('['));
    if (std::find(known.begin(), known.end(), key) != known.end()) return;
    std::string hint = suggestion(key, known);
    if (hint.empty()) {
      hint = "; there are ";
      for (std::size_t i = 0; i < known.size() && i < most_listed; ++i) hint += (i == 0 ? "" : ", ") + known[i];
      if (known.size() > most_listed) hint += ", ...";
    }
    mistakes.add(path, 0, "there is no fact \"" + key + "\"" + hint);
  };
  const Path top;
  const Path in_sweep = top.at("sweep");
  const Path show = in_sweep.at("show"), measured = in_sweep.at("measured");
  for (std::size_t i = 0; i < sweep.show.size(); ++i) {
    const Path shown = show.at(static_cast<int>(i));
    for (const std::string& fact : sweep.show[i].facts) look(shown, fact);
    if (!sweep.show[i].mark_at.empty()) look(shown.at("mark_at"), sweep.show[i].mark_at);
  }
  for (std::size_t i = 0; i < sweep.measured.size(); ++i)
    look(measured.at(static_cast<int>(i)), sweep.measured[i].fact);
}

void require_sense(const Sweep& sweep) {
  if (sweep.fields.empty() || sweep.fields.size() > 2)
    throw InvalidInput("fields", fmt::format("must be one or two, got {}", sweep.fields.size()));
  double runs = 1.0;
  for (const SweptField& field : sweep.fields) {
    if (field.values.empty()) throw InvalidInput("values", "must be at least one (" + field.path + ")");
    for (const double value : field.values)
      if (!std::isfinite(value)) throw InvalidInput("values", "must be finite (" + field.path + ")");
    runs *= static_cast<double>(field.values.size());
  }
  if (runs > static_cast<double>(max_sweep_runs))
    throw InvalidInput("fields", fmt::format("make {} runs; at most {} fit one table", runs, max_sweep_runs));
}

/// Runs are handed out in blocks of about this long, so that progress is shown and a wish to stop is heard [s].
constexpr double block_time = 0.2;
constexpr std::size_t largest_block = 8192;

}  // namespace

std::size_t runs_of(const Sweep& sweep) {
  std::size_t runs = 1;
  for (const SweptField& field : sweep.fields) runs *= field.values.size();
  return runs;
}

Type<Sweep> sweep_type() { return object(sweep_fields()); }

std::string sweep_schema() { return sweep_fields().json_schema(); }

void check_sweep(const Kind& kind, const Value& root, const Sweep& sweep, int line, Mistakes& mistakes) {
  try {
    require_sense(sweep);
  } catch (const InvalidInput& error) {
    if (line == 0) throw;
    const Path top;
    mistakes.add(top.at("sweep"), line, error.message());
    return;
  }
  const Runner runner(kind, root, mistakes.folder, sweep);
  for (const std::size_t run : {std::size_t{0}, runs_of(sweep) - 1}) {
    Mistakes found;
    found.folder = mistakes.folder;
    if (runner.problem(run, found) != nullptr) continue;
    const Path top;
    for (const Mistake& mistake : found.list)
      mistakes.add(
          top.at("sweep"), line,
          "with " + words_of(sweep, run) + ": " + (mistake.path.empty() ? "" : mistake.path + ": ") + mistake.message);
    return;
  }
}

SweepResult run_sweep(const Kind& kind, const Value& root, const std::filesystem::path& folder, const Sweep& sweep,
                      const Progress& progress, Mistakes& mistakes) {
  SweepResult result;
  result.sweep = sweep;
  const Runner runner(kind, root, folder, sweep);
  const std::size_t runs = runs_of(sweep);
  RowCollector rows(result.sweep);
  std::vector<RunOutcome> outcomes;
  std::size_t block = static_cast<std::size_t>(available_threads());
  for (std::size_t first = 0; first < runs && result.complete; first += outcomes.size()) {
    const auto start = std::chrono::steady_clock::now();
    outcomes.assign(std::min(block, runs - first), {});
    parallel_for(outcomes.size(), 1, 0, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to && !progress.is_cancelled(); ++i) outcomes[i] = runner.outcome(first + i);
    });
    for (std::size_t i = 0; i < outcomes.size() && result.complete; ++i) {
      result.complete = outcomes[i].done;
      if (!result.complete) break;
      result.failed += !outcomes[i].error.empty();
      rows.add(first + i, outcomes[i]);
    }
    if (first == 0 && result.complete) check_facts(sweep, rows.table(), mistakes);
    if (mistakes.count() > 0) return {};
    progress.at(static_cast<double>(first + outcomes.size()) / static_cast<double>(runs));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (took.count() < 0.5 * block_time) block = std::min(2 * block, largest_block);
  }
  result.table = rows.take();
  return result;
}

std::vector<double> evenly_spread(double from, double to, int count, bool logarithmic) {
  if (!std::isfinite(from) || !std::isfinite(to) || !(from < to))
    throw InvalidInput("to", fmt::format("must be greater than `from` ({}), got {}", from, to));
  if (count < 2) throw InvalidInput("count", fmt::format("must be at least 2, got {}", count));
  if (logarithmic && !(from > 0.0))
    throw InvalidInput("from", fmt::format("must be positive for logarithmic spacing, got {}", from));
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / (count - 1);
    values.push_back(logarithmic ? from * std::pow(to / from, share) : from + (to - from) * i / (count - 1));
  }
  values.back() = to;
  return values;
}

SweptField swept_field(std::string_view text) {
  const auto refuse = [&] {
    return InvalidInput(
        "vary", "must be path=from:to:steps, path=from:to:steps:log or path=value,value,..., got " + std::string(text));
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) throw refuse();
  SweptField field;
  field.path = text.substr(0, equals);
  std::string_view rest = text.substr(equals + 1);
  const bool list = rest.find(':') == std::string_view::npos;
  std::vector<std::string_view> parts;
  for (std::size_t end = rest.find(list ? ',' : ':'); end != std::string_view::npos;
       end = rest.find(list ? ',' : ':')) {
    parts.push_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  parts.push_back(rest);
  int angles = 0, numbers = 0;
  const auto number_of = [&](std::string_view part) {
    const std::optional<Quantity> quantity = quantity_of(part);
    if (!quantity) throw refuse();
    ++(quantity->degrees ? angles : numbers);
    return quantity->value;
  };
  if (list) {
    field.listed = true;
    for (const std::string_view part : parts) field.values.push_back(number_of(part));
  } else {
    if (parts.size() < 3 || parts.size() > 4 || (parts.size() == 4 && parts[3] != "log")) throw refuse();
    const double from = number_of(parts[0]), to = number_of(parts[1]);
    double steps = 0.0;
    if (!parse_number(parts[2], steps) || steps != std::floor(steps) || steps < 2.0 ||
        steps > static_cast<double>(max_sweep_runs))
      throw refuse();
    field.logarithmic = parts.size() == 4;
    field.values = evenly_spread(from, to, static_cast<int>(steps), field.logarithmic);
  }
  if (angles > 0 && numbers > 0) throw refuse();
  field.degrees = angles > 0;
  return field;
}

}  // namespace carom::scenario
