#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/schema/yaml.hpp"

#include "parts/described.hpp"
#include "work.hpp"

namespace carom::scenario {

namespace catalogue {

namespace {

using Kind = Value::Kind;

std::optional<Formula> formula_of(const Value& value, const Path& path, Mistakes& mistakes) {
  if (value.kind() != Kind::text && value.kind() != Kind::number && value.kind() != Kind::boolean) {
    wrong_type("a formula", value, path, mistakes);
    return std::nullopt;
  }
  try {
    return Formula(value.text());
  } catch (const InvalidInput& error) {
    mistakes.add(path, value.place(), error.message());
    return std::nullopt;
  }
}

/// One text or number, or a list of either.
std::optional<Datum> datum_of(const Value& value, const Path& path, Mistakes& mistakes) {
  Numbers numbers;
  Texts texts;
  const auto add = [&](const Value& one) {
    if (one.kind() == Kind::number)
      numbers.push_back(one.number());
    else if (one.kind() == Kind::text)
      texts.emplace_back(one.text());
    else
      return wrong_type("numbers or texts", one, path, mistakes);
    return true;
  };
  if (value.kind() == Kind::list) {
    for (const Value& item : value.items())
      if (!add(item)) return std::nullopt;
  } else if (!add(value)) {
    return std::nullopt;
  }
  if (numbers.empty() == texts.empty()) {
    mistakes.add(path, value.place(), "must be numbers or texts, not both, and at least one");
    return std::nullopt;
  }
  if (!texts.empty()) return texts;
  return numbers;
}

/// {from, to, count}, {uniform: [a, b]}, {log_uniform: [a, b]}
struct GivenSpread {
  std::optional<double> from, to;
  std::optional<int> count;
  std::optional<Eigen::Vector2d> uniform, log_uniform;
};

const Fields<GivenSpread>& spread_fields() {
  static const Fields<GivenSpread> fields = [] {
    Fields<GivenSpread> made;
    made.optional("from", &GivenSpread::from, number(), "first of evenly spread values")
        .optional("to", &GivenSpread::to, number(), "last of them")
        .optional("count", &GivenSpread::count, integer(2, 1'000'000), "how many")
        .optional("uniform", &GivenSpread::uniform, vector<2>(), "random, between two bounds")
        .optional("log_uniform", &GivenSpread::log_uniform, vector<2>(), "random, evenly in the logarithm")
        .check([](const GivenSpread& s, const Value& object, const Path& path, Mistakes& mistakes) {
          const bool even = s.from && s.to && s.count, some = s.from || s.to || s.count;
          if (int(even) + int(s.uniform.has_value()) + int(s.log_uniform.has_value()) != 1 || some != even)
            mistakes.add(path, object.place(), "needs `from`, `to` and `count`, or `uniform`, or `log_uniform`");
          else if (s.log_uniform && !((*s.log_uniform)[0] > 0.0))
            mistakes.add(path, object.place(), "log_uniform needs positive bounds");
        });
    return made;
  }();
  return fields;
}

bool read_input(const Value& value, const Path& path, Mistakes& mistakes, Input& input) {
  if (value.kind() == Kind::object) {
    GivenSpread spread;
    if (!spread_fields().read(value, path, mistakes, spread)) return false;
    const auto between = [&](Input::Spread how, double from, double to) {
      input.spread = how, input.from = from, input.to = to;
    };
    if (spread.uniform)
      between(Input::Spread::uniform, (*spread.uniform)[0], (*spread.uniform)[1]);
    else if (spread.log_uniform)
      between(Input::Spread::log_uniform, (*spread.log_uniform)[0], (*spread.log_uniform)[1]);
    else
      between(Input::Spread::even, *spread.from, *spread.to);
    input.count = spread.count.value_or(0);
    return true;
  }
  if (value.kind() == Kind::text && value.text().starts_with('=')) {
    try {
      input.formula = Formula(value.text().substr(1));
    } catch (const InvalidInput& error) {
      mistakes.add(path, value.place(), error.message());
    }
    return input.formula.has_value();
  }
  const std::optional<Datum> found = datum_of(value, path, mistakes);
  if (!found) return false;
  input.values = *found;
  if (value.kind() == Kind::list) input.spread = Input::Spread::listed;
  return true;
}

bool read_inputs(const Value& value, const Path& path, Mistakes& mistakes, std::vector<Input>& inputs) {
  if (value.kind() != Kind::object) return wrong_type("a list of `name: values`", value, path, mistakes);
  bool fine = true;
  for (const auto& [key, member] : value.members()) {
    Input& input = inputs.emplace_back();
    input.name = key;
    fine = read_input(member, path.at(key), mistakes, input) && fine;
  }
  return fine;
}

Type<std::optional<Formula>> formula() { return formula_type(); }

bool read_named(const Value& value, const Path& path, Mistakes& mistakes, std::vector<NamedFormula>& out) {
  if (value.kind() != Kind::object) return wrong_type("a list of `name: formula`", value, path, mistakes);
  bool fine = true;
  for (const auto& [key, member] : value.members()) {
    std::optional<Formula> found = formula_of(member, path.at(key), mistakes);
    fine = fine && found.has_value();
    if (found) out.push_back({std::string(key), std::move(*found)});
  }
  return fine;
}

/// Something with a reader of its own.
template <class T>
Type<T> with_reader(bool (*read)(const Value&, const Path&, Mistakes&, T&)) {
  return custom<T>(read, R"({"type":"object"})");
}

void check_run(const Run& run, const Value& object, const Path& path, Mistakes& mistakes) {
  if ((run.row == nullptr) == run.scenario.empty())
    mistakes.add(path, object.place(), "needs a `row` or a `scenario`, and not both");
  else if (run.row != nullptr && run.row->kind() != Kind::object)
    wrong_type("a row of `carom solve`", *run.row, path, mistakes);
  else if (run.set != nullptr && run.set->kind() != Kind::object)
    wrong_type("a list of `path: value`", *run.set, path, mistakes);
}

bool read_runs(const Value& value, const Path& path, Mistakes& mistakes, std::vector<Run>& runs) {
  static const Fields<Run> fields = [] {
    Fields<Run> made;
    made.optional("row", &Run::row, anything(), "of `carom solve`")
        .optional("scenario", &Run::scenario, text(), "name of a shipped one")
        .optional("set", &Run::set, anything(), "path: value, in place of what is there")
        .check(check_run);
    return made;
  }();
  if (value.kind() != Kind::object) return wrong_type("a list of `name: run`", value, path, mistakes);
  bool fine = true;
  for (const auto& [key, member] : value.members()) {
    Run& run = runs.emplace_back();
    fine = fields.read(member, path.at(key), mistakes, run) && fine;
    run.name = key;
  }
  return fine;
}

bool read_search(const Value& value, const Path& path, Mistakes& mistakes, std::optional<Search>& out) {
  struct Given {
    std::string input;
    double from = 0.0, to = 0.0;
    std::optional<Formula> zero, largest, smallest;
  };
  static const Fields<Given> fields = [] {
    Fields<Given> made;
    made.required("input", &Given::input, text(), "whose value is looked for")
        .required("from", &Given::from, number(), "between this")
        .required("to", &Given::to, number(), "and this")
        .optional(
            "zero", [](Given& g) -> std::optional<Formula>& { return g.zero; }, formula(), "what is zero there")
        .optional(
            "largest", [](Given& g) -> std::optional<Formula>& { return g.largest; }, formula(), "or largest there")
        .optional(
            "smallest", [](Given& g) -> std::optional<Formula>& { return g.smallest; }, formula(), "or smallest")
        .check([](const Given& g, const Value& object, const Path& where, Mistakes& found) {
          if (g.zero.has_value() + g.largest.has_value() + g.smallest.has_value() != 1)
            found.add(where, object.place(), "needs one of `zero`, `largest` and `smallest`");
          if (!(g.from < g.to)) found.add(where, object.place(), "must go from less to more");
        });
    return made;
  }();
  Given given;
  if (!fields.read(value, path, mistakes, given)) return false;
  out = Search{given.input, given.from, given.to,
               given.zero      ? Search::For::zero
               : given.largest ? Search::For::largest
                               : Search::For::smallest,
               given.zero      ? given.zero
               : given.largest ? given.largest
                               : given.smallest};
  return true;
}

/// One unit of the last digit of a number as it was written: .001 of 1.250, 0 of a whole number.
double unit_of(std::string_view written) {
  const std::size_t exponent_at = written.find_first_of("eE");
  const std::string_view digits = written.substr(0, exponent_at);
  double exponent = 0.0;
  if (exponent_at != std::string_view::npos) {
    std::string_view text = written.substr(exponent_at + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    parse_number(text, exponent);
  }
  const std::size_t point = digits.find('.');
  if (point == std::string_view::npos) return exponent == 0.0 ? 0.0 : std::pow(10.0, exponent);
  return std::pow(10.0, exponent - static_cast<double>(digits.size() - point - 1));
}

/// What an entry gives before its parts are put together.
struct Given : Entry {
  const Value* print = nullptr;
  const Value* row = nullptr;
  std::string scenario;
  const Value* set = nullptr;
  const Value* plot = nullptr;
};

bool add_printed(const Value& value, const Path& path, Mistakes& mistakes, Entry& entry) {
  switch (value.kind()) {
    case Kind::number:
      entry.numbers.push_back(value.number());
      entry.units.push_back(unit_of(value.text()));
      return true;
    case Kind::list: {
      bool fine = true;
      for (const Value& item : value.items()) fine = add_printed(item, path, mistakes, entry) && fine;
      return fine;
    }
    case Kind::text:
    case Kind::null:
      return true;
    default:
      return wrong_type("numbers or text", value, path, mistakes);
  }
}

void finish(Given& g, const Value& object, const Path& path, Mistakes& mistakes) {
  if (g.print != nullptr) {
    add_printed(*g.print, path, mistakes, g);
    g.printed.text = g.print->kind() == Kind::list   ? json_text(*g.print)
                     : g.print->kind() == Kind::null ? ""
                                                     : std::string(g.print->text());
  }
  if (g.plot != nullptr) {
    if (const std::optional<Datum> names = datum_of(*g.plot, path, mistakes); names && names->index() == 1)
      g.printed.plots = std::get<Texts>(*names);
    else
      wrong_type("names of pictures", *g.plot, path, mistakes);
  }
  if (g.row != nullptr || !g.scenario.empty()) {
    if (!g.runs.empty()) mistakes.add(path, object.place(), "has `runs`, and a run of its own beside them");
    g.runs.push_back({"", g.row, g.scenario, g.set});
    check_run(g.runs.back(), object, path, mistakes);
  }
  g.printed.bound = g.not_computed.empty();
  for (const Run& run : g.runs)
    if (g.printed.scenario.empty()) g.printed.scenario = run.scenario;
  const int ways = g.value.has_value() + g.holds.has_value();
  if (ways > 1) mistakes.add(path, object.place(), "has `value` and `holds`: an entry says one thing");
  if (!g.not_computed.empty()) {
    if (ways > 0 || !g.runs.empty()) mistakes.add(path, object.place(), "is computed, and says that it is not");
  } else if (ways == 0 && g.printed.plots.empty()) {
    mistakes.add(path, object.place(), "needs `value`, `holds`, `plot` or `not_computed`");
  }
  if (g.value && g.numbers.empty()) mistakes.add(path, object.place(), "has a `value` and no printed numbers");
  if (!g.printed.plots.empty() && g.printed.scenario.empty())
    mistakes.add(path, object.place(), "has a `plot` and no scenario that draws it");
  if (g.search &&
      std::none_of(g.inputs.begin(), g.inputs.end(), [&](const Input& input) { return input.name == g.search->input; }))
    mistakes.add(path, object.place(), "looks for an input that there is none of: " + g.search->input);
}

Type<Entry> entry_type() {
  Fields<Given> fields;
  fields
      .required(
          "id", [](Given& g) -> std::string& { return g.printed.id; }, text(), "stable name")
      .required(
          "where", [](Given& g) -> std::string& { return g.printed.where; }, text(), "in the work")
      .required(
          "quantity", [](Given& g) -> std::string& { return g.printed.quantity; }, text(), "what is printed")
      .optional(
          "unit", [](Given& g) -> std::string& { return g.printed.unit; }, text(), "of it")
      .optional("printed", &Given::print, anything(), "numbers as printed, or words")
      .required(
          "verdict", [](Given& g) -> PrintVerdict& { return g.printed.verdict; }, choice<PrintVerdict>(),
          "what became of it")
      .optional(
          "why", [](Given& g) -> std::string& { return g.printed.why; }, text(), "the reason")
      .optional("inputs", &Given::inputs, inputs_type(), "names and the values they take")
      .optional("samples", &Given::samples, integer(1, 1'000'000), "of random inputs (default 1000)")
      .optional("seed", &Given::seed, integer(0, 1'000'000), "of random inputs (default 1)")
      .optional("row", &Given::row, anything(), "of `carom solve`")
      .optional("scenario", &Given::scenario, text(), "name of a shipped one")
      .optional("set", &Given::set, anything(), "path: value, in place of what is there")
      .optional("runs", &Given::runs, with_reader(read_runs), "several rows or scenarios, by name")
      .optional(
          "find", [](Given& g) -> std::optional<Search>& { return g.search; }, with_reader(read_search),
          "the value of an input where something is zero, largest or smallest")
      .optional("each", &Given::each, with_reader(read_named), "name: formula, of each combination of inputs")
      .optional(
          "value", [](Given& g) -> std::optional<Formula>& { return g.value; }, formula(),
          "what the printed numbers are")
      .optional(
          "holds", [](Given& g) -> std::optional<Formula>& { return g.holds; }, formula(), "a condition")
      .optional(
          "printed_from", [](Given& g) -> std::optional<Formula>& { return g.printed_from; }, formula(),
          "what gives the printed numbers, where they are wrong")
      .optional("plot", &Given::plot, anything(), "names of the scenario's pictures that show it")
      .optional("within", &Given::within, number(Range::at_least(0.0)), "how near counts as the same")
      .optional("not_computed", &Given::not_computed, text(), "why nothing computes it");
  const auto type = object(fields);
  return custom<Entry>(
      [type](const Value& value, const Path& path, Mistakes& mistakes, Entry& out) {
        Given given;
        if (!type.read(value, path, mistakes, given)) return false;
        const std::size_t before = mistakes.count();
        finish(given, value, path, mistakes);
        out = std::move(given);
        return mistakes.count() == before;
      },
      type.json_schema());
}

void check_ids(const std::vector<Entry>& entries, const Value& list, Mistakes& mistakes) {
  std::set<std::string> seen;
  const Path top;
  const Path where = top.at("entries");
  std::size_t i = 0;
  for (const Value& item : list.items()) {
    if (i >= entries.size()) break;
    if (!seen.insert(entries[i].printed.id).second)
      mistakes.add(where.at(static_cast<int>(i)), item.place(), "is the second of its id, " + entries[i].printed.id);
    ++i;
  }
}

}  // namespace

Type<const Value*> anything() {
  return custom<const Value*>(
      [](const Value& value, const Path&, Mistakes&, const Value*& out) {
        out = &value;
        return true;
      },
      "{}");
}

Type<std::optional<Formula>> formula_type() {
  return custom<std::optional<Formula>>(
      [](const Value& value, const Path& path, Mistakes& mistakes, std::optional<Formula>& out) {
        out = formula_of(value, path, mistakes);
        return out.has_value();
      },
      R"({"type":["string","number"]})");
}

Type<std::vector<Input>> inputs_type() { return with_reader(read_inputs); }

}  // namespace catalogue

const std::string& Work::name() const { return loaded_->name; }
const std::string& Work::title() const { return loaded_->title; }
const std::string& Work::theory() const { return loaded_->theory; }

std::vector<Printed> Work::entries() const {
  std::vector<Printed> all;
  for (const catalogue::Entry& entry : loaded_->entries) all.push_back(entry.printed);
  return all;
}

Work load_work(const std::filesystem::path& file) {
  const std::string shown = file.string();
  std::ifstream in(file, std::ios::binary);
  if (!in) throw BadScenario(shown, {{0, "", "cannot be opened"}});
  std::ostringstream content;
  content << in.rdbuf();
  const auto loaded = std::make_shared<Work::Loaded>();
  loaded->name = file.stem().string();
  loaded->text = std::move(content).str();
  Mistakes mistakes;
  schema::read_yaml(loaded->text, loaded->tree, mistakes);
  if (mistakes.count() == 0) {
    using namespace catalogue;
    Fields<Work::Loaded> fields;
    fields.required("work", &Work::Loaded::title, text(), "author, year, title")
        .required("theory", &Work::Loaded::theory, text(), "page of the docs")
        .required("entries", &Work::Loaded::entries, list_of(entry_type(), 1), "what it prints");
    if (fields.read(loaded->tree.root(), {}, mistakes, *loaded))
      check_ids(loaded->entries, *loaded->tree.root().find("entries"), mistakes);
  }
  if (mistakes.count() > 0) throw BadScenario(shown, mistakes.list);
  return Work(loaded);
}

}  // namespace carom::scenario
