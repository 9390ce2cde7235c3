#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <random>

#include "carom/core/error.hpp"
#include "carom/core/json_writer.hpp"
#include "carom/core/parallel.hpp"
#include "carom/core/text.hpp"
#include "carom/scenario/scenario.hpp"

#include "answer.hpp"
#include "work.hpp"

namespace carom::scenario {

namespace catalogue {

namespace {

using schema::Value;

/// The inputs of one combination, by name.
using Values = std::map<std::string, Datum, std::less<>>;

/// More combinations than this are a study, not an entry.
constexpr std::size_t most_combinations = 1'000'000;

[[noreturn]] void no_such_name(std::string_view name) {
  throw InvalidInput("formula", "there is nothing called \"" + std::string(name) + "\"");
}

Lookup lookup_in(const Values& values) {
  return [&values](std::string_view name) -> Datum {
    const auto found = values.find(name);
    if (found == values.end()) no_such_name(name);
    return found->second;
  };
}

std::size_t size_of(const Datum& datum) {
  return std::visit([](const auto& all) { return all.size(); }, datum);
}

Datum item_of(const Datum& datum, std::size_t i) {
  if (const auto* list = std::get_if<Numbers>(&datum)) return Numbers{(*list)[i]};
  return Texts{std::get<Texts>(datum)[i]};
}

// --- the combinations of inputs ---

Numbers spread(const Input& input) {
  Numbers all;
  for (int i = 0; i < input.count; ++i) all.push_back(input.from + (input.to - input.from) * i / (input.count - 1));
  all.back() = input.to;
  return all;
}

/// Random inputs give `samples` combinations; without any, every combination of those with several values, the last
/// changing fastest.
std::vector<Values> combinations(const Entry& entry) {
  using Spread = Input::Spread;
  const bool random = std::any_of(entry.inputs.begin(), entry.inputs.end(), [](const Input& input) {
    return input.spread == Spread::uniform || input.spread == Spread::log_uniform;
  });
  std::vector<Datum> values;
  std::size_t count = 1;
  for (const Input& input : entry.inputs) {
    values.push_back(input.spread == Spread::even ? Datum(spread(input)) : input.values);
    if (input.spread == Spread::listed || input.spread == Spread::even) count *= size_of(values.back());
    if (count > most_combinations) throw InvalidInput("inputs", "make too many combinations");
  }
  if (random && count > 1) throw InvalidInput("inputs", "are random, and lists beside them");
  if (random) count = static_cast<std::size_t>(entry.samples);
  std::mt19937_64 generator(static_cast<std::uint64_t>(entry.seed));
  const auto draw = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };  // the same everywhere
  std::vector<Values> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::size_t> index(entry.inputs.size());
    std::size_t rest = i;
    if (!random)
      for (std::size_t k = entry.inputs.size(); k-- > 0;) {
        const bool several = entry.inputs[k].spread == Spread::listed || entry.inputs[k].spread == Spread::even;
        if (several) index[k] = rest % size_of(values[k]), rest /= size_of(values[k]);
      }
    for (std::size_t k = 0; k < entry.inputs.size(); ++k) {
      const Input& input = entry.inputs[k];
      Datum value;
      if (input.formula)
        value = input.formula->value(lookup_in(all[i]));
      else if (input.spread == Spread::uniform)
        value = Numbers{input.from + (input.to - input.from) * draw()};
      else if (input.spread == Spread::log_uniform)
        value = Numbers{input.from * std::pow(input.to / input.from, draw())};
      else
        value = item_of(values[k], index[k]);
      all[i].insert_or_assign(input.name, std::move(value));
    }
  }
  return all;
}

// --- one run ---

void write(JsonWriter& json, const Datum& datum) {
  const bool list = size_of(datum) != 1;
  if (list) json.begin_array();
  if (const auto* all = std::get_if<Numbers>(&datum))
    for (const double x : *all) json.number(x);
  else
    for (const std::string& word : std::get<Texts>(datum)) json.text(word);
  if (list) json.end_array();
}

/// A template as JSON, its formulas worked out.
void fill(JsonWriter& json, const Value& value, const Lookup& lookup) {
  switch (value.kind()) {
    case Value::Kind::null:
      json.null();
      break;
    case Value::Kind::boolean:
      json.boolean(value.boolean());
      break;
    case Value::Kind::number:
      json.number(value.number());
      break;
    case Value::Kind::text:
      if (value.text().starts_with('='))
        write(json, Formula(value.text().substr(1)).value(lookup));
      else
        json.text(value.text());
      break;
    case Value::Kind::list:
      json.begin_array();
      for (const Value& item : value.items()) fill(json, item, lookup);
      json.end_array();
      break;
    case Value::Kind::object:
      json.begin_object();
      for (const auto& [key, member] : value.members()) {
        json.key(key);
        fill(json, member, lookup);
      }
      json.end_object();
      break;
  }
}

std::string filled(const Value& value, const Lookup& lookup) {
  std::string text;
  JsonWriter json(text);
  fill(json, value, lookup);
  return text;
}

Answer answer_of(const Run& run, const Values& values, Scenarios& scenarios) {
  const Lookup lookup = lookup_in(values);
  std::vector<Setting> settings;
  if (run.set != nullptr)
    for (const auto& [path, value] : run.set->members()) settings.push_back({std::string(path), filled(value, lookup)});
  if (run.row == nullptr) return Answer::of_document(scenarios.answer(run.scenario, settings));
  if (settings.empty()) return Answer::of_row(filled(*run.row, lookup));
  schema::Tree tree;
  schema::Mistakes mistakes;
  with_settings(*run.row, settings, tree, mistakes);
  if (mistakes.count() > 0) throw InvalidInput("set", mistakes.list.front().message);
  return Answer::of_row(filled(tree.root(), lookup));
}

/// What every run of an entry answers for one combination of inputs.
class Answers {
public:
  Answers(const Entry& entry, const Values& values, Scenarios& scenarios) : runs_(entry.runs), values_(values) {
    for (const Run& run : entry.runs) answers_.push_back(answer_of(run, values, scenarios));
  }

  Datum operator()(std::string_view name) const {
    if (const auto found = values_.find(name); found != values_.end()) return found->second;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      std::string_view path = name;
      if (!runs_[i].name.empty()) {
        if (!path.starts_with(runs_[i].name + ".")) continue;
        path.remove_prefix(runs_[i].name.size() + 1);
      }
      if (std::optional<Datum> found = answers_[i].find(path)) return std::move(*found);
    }
    no_such_name(name);
  }
  const std::vector<Answer>& all() const { return answers_; }

private:
  const std::vector<Run>& runs_;
  Values values_;
  std::vector<Answer> answers_;
};

/// The value of its input that a search finds.
double found_by(const Search& search, const Entry& entry, Values values, Scenarios& scenarios) {
  const auto of = [&](double x) {
    if (scenarios.progress().is_cancelled()) throw Cancelled();
    values.insert_or_assign(search.input, Datum(Numbers{x}));
    const Answers answers(entry, values, scenarios);
    return number_of(*search.of, [&](std::string_view name) { return answers(name); });
  };
  if (search.what != Search::For::zero) {
    const double sign = search.what == Search::For::largest ? -1.0 : 1.0;
    return boost::math::tools::brent_find_minima([&](double x) { return sign * of(x); }, search.from, search.to, 40)
        .first;
  }
  const double at_from = of(search.from), at_to = of(search.to);
  if (at_from == 0.0) return search.from;
  if (at_to == 0.0) return search.to;
  if (!(at_from * at_to < 0.0))
    throw InvalidInput("find", fmt::format("is {} and {} at its ends: no zero between them", at_from, at_to));
  std::uintmax_t steps = 200;
  const auto close = [](double a, double b) { return std::abs(a - b) <= 1e-14 * std::max(std::abs(a), std::abs(b)); };
  const auto [low, high] = boost::math::tools::toms748_solve(of, search.from, search.to, at_from, at_to, close, steps);
  return 0.5 * (low + high);
}

/// All combinations worked out: what formulas of the whole entry may name.
struct Worked {
  std::vector<Values> combinations;
  std::map<std::string, Numbers, std::less<>> each;
  std::optional<Answers> only;  ///< of the one combination there is

  Datum operator()(std::string_view name) const {
    if (const auto found = each.find(name); found != each.end()) return found->second;
    if (only) return (*only)(name);
    Datum all;
    for (const Values& values : combinations) {
      const auto found = values.find(name);
      if (found == values.end())
        throw InvalidInput("formula", "\"" + std::string(name) + "\" differs from run to run: name it under `each`");
      if (const auto* list = std::get_if<Numbers>(&found->second)) {
        std::get<Numbers>(all).insert(std::get<Numbers>(all).end(), list->begin(), list->end());
      } else {
        if (all.index() == 0) all = Texts{};
        std::get<Texts>(all).push_back(std::get<Texts>(found->second).front());
      }
    }
    return all;
  }
};

Worked worked(const Entry& entry, Scenarios& scenarios) {
  Worked work;
  work.combinations = combinations(entry);
  if (entry.search)
    for (Values& values : work.combinations)
      values.insert_or_assign(entry.search->input, Datum(Numbers{found_by(*entry.search, entry, values, scenarios)}));
  const std::size_t count = work.combinations.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (scenarios.progress().is_cancelled()) throw Cancelled();
    Answers answers(entry, work.combinations[i], scenarios);
    std::map<std::string, Numbers, std::less<>> here;
    const auto lookup = [&](std::string_view name) -> Datum {
      if (const auto found = here.find(name); found != here.end()) return found->second;
      return answers(name);
    };
    for (const NamedFormula& named : entry.each) {
      const Numbers& found = here[named.name] = numbers_of(named.formula, lookup);
      Numbers& all = work.each[named.name];
      all.insert(all.end(), found.begin(), found.end());
    }
    if (count == 1) work.only.emplace(std::move(answers));
  }
  return work;
}

// --- comparing ---

/// Half a unit, and what rounding to decimals may add to it.
constexpr double rounding = 0.5 + 1e-6;
/// A print that is off by more units of its last digit than this is wrong, not rounded.
constexpr double last_digits = 2.0 + 1e-6;
/// Whole numbers are meant exactly, unless the entry says how near is the same.
constexpr double exact = 1e-9;

Comparison compared(const Entry& entry, const Numbers& computed) {
  Comparison worst = Comparison::agrees;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const double off = std::abs(computed[i] - entry.numbers[i]);
    const double slack = exact * std::max(1e-3, std::abs(entry.numbers[i]));
    const double near = entry.within ? *entry.within : rounding * entry.units[i];
    if (off <= std::max(near, entry.within ? 0.0 : slack)) continue;
    const bool last = !entry.within && off <= std::max(last_digits * entry.units[i], slack);
    worst = last ? std::max(worst, Comparison::last_digit) : Comparison::differs;
    if (!last) break;
  }
  return worst;
}

/// Whether a comparison is what the verdict of the catalogue says.
bool expected(PrintVerdict verdict, Comparison comparison) {
  switch (comparison) {
    case Comparison::agrees:
      return verdict == PrintVerdict::reproduced || verdict == PrintVerdict::claim;
    case Comparison::last_digit:
    case Comparison::fails:
    case Comparison::differs:
      return verdict == PrintVerdict::refuted || verdict == PrintVerdict::typo || verdict == PrintVerdict::step_error ||
             (verdict == PrintVerdict::rounding && comparison != Comparison::differs);
    case Comparison::holds:
      return verdict == PrintVerdict::reproduced || verdict == PrintVerdict::claim || verdict == PrintVerdict::figure ||
             verdict == PrintVerdict::experiment || verdict == PrintVerdict::inputs_missing ||
             verdict == PrintVerdict::timing;
    case Comparison::drawn:
      return verdict == PrintVerdict::figure;
    case Comparison::not_computed:
      return true;
    case Comparison::error:
      return false;
  }
  return false;
}

std::string said(const Numbers& all) {
  std::string text;
  for (const double x : all) text += (text.empty() ? "" : ", ") + fmt::format("{:.8g}", x);
  return all.size() == 1 ? text : "[" + text + "]";
}

/// The pictures that an entry names.
std::vector<report::Plot> figures_of(const Entry& entry, const Worked& work) {
  std::vector<report::Plot> figures;
  if (!entry.printed.plots.empty() && !work.only)
    throw InvalidInput("plot", "belongs to an entry without varied inputs");
  for (const std::string& wanted : entry.printed.plots) {
    const std::size_t before = figures.size();
    for (const Answer& answer : work.only->all())
      if (answer.document() != nullptr && figures.size() == before)
        for (const report::Plot& plot : answer.document()->plots)
          if (plot.name == wanted) figures.push_back(plot);
    if (figures.size() == before) throw InvalidInput("plot", "there is no picture \"" + wanted + "\"");
  }
  return figures;
}

}  // namespace

std::shared_ptr<const report::Document> Scenarios::answer(const std::string& name,
                                                          const std::vector<schema::Setting>& settings) {
  std::string key = name;
  for (const schema::Setting& setting : settings) key += "\n" + setting.path + "=" + setting.value;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = answers_.find(key); found != answers_.end()) return found->second;
  }
  // Two threads may run the same one: waiting for another's could be waiting for oneself, as parallel work nests.
  auto document = std::make_shared<const report::Document>(
      load(folder_ / (name + ".yaml"), settings).answer({{}, progress_.cancelled}));
  const std::lock_guard lock(mutex_);
  if (answers_.size() < most_kept) answers_.emplace(key, document);
  return document;
}

Reproduction reproduced(const Entry& entry, Scenarios& scenarios) {
  Reproduction result;
  result.printed = entry.printed;
  result.difference = std::numeric_limits<double>::quiet_NaN();
  if (!entry.not_computed.empty()) {
    result.said = entry.not_computed;
    result.as_expected = true;
    return result;
  }
  try {
    const Worked work = worked(entry, scenarios);
    const auto lookup = [&](std::string_view name) { return work(name); };
    result.figures = figures_of(entry, work);
    if (entry.value) {
      result.computed = numbers_of(*entry.value, lookup);
      if (result.computed.size() != entry.numbers.size())
        throw InvalidInput(
            "value", fmt::format("has {} numbers, and {} are printed", result.computed.size(), entry.numbers.size()));
      result.comparison = compared(entry, result.computed);
      result.said = said(result.computed);
      result.difference = 0.0;
      for (std::size_t i = 0; i < result.computed.size(); ++i)
        result.difference = std::max(result.difference, std::abs(result.computed[i] - entry.numbers[i]));
    } else if (entry.holds) {
      const bool holds = number_of(*entry.holds, lookup) == 1.0;
      result.comparison = holds ? Comparison::holds : Comparison::fails;
      result.said = holds ? "true" : "false";
    } else {
      result.comparison = Comparison::drawn;
      result.said = entry.printed.scenario;
    }
    result.as_expected = expected(entry.printed.verdict, result.comparison);
    if (entry.printed_from) {
      const Numbers wrong = numbers_of(*entry.printed_from, lookup);
      const bool explains = wrong.size() == entry.numbers.size() && compared(entry, wrong) != Comparison::differs;
      result.said += explains ? "; the print comes from " : "; the print does not come from ";
      result.said += said(wrong);
      result.as_expected = result.as_expected && explains;
    }
  } catch (const std::invalid_argument& error) {
    result.comparison = Comparison::error;
    result.said = error.what();
  } catch (const BadScenario& error) {
    result.comparison = Comparison::error;
    result.said = error.what();
  }
  return result;
}

Numbers predictions(const Entry& entry, Scenarios& scenarios) {
  Numbers all;
  for (const Values& values : combinations(entry)) {
    if (scenarios.progress().is_cancelled()) throw Cancelled();
    const Answers answers(entry, values, scenarios);
    for (const double x : numbers_of(*entry.value, [&](std::string_view name) { return answers(name); }))
      all.push_back(x);
  }
  return all;
}

}  // namespace catalogue

std::vector<Reproduction> reproduce(const Work& work, const ReproductionRequest& request) {
  const std::vector<catalogue::Entry>& all = WorkInside::of(work).entries;
  std::vector<const catalogue::Entry*> chosen;
  for (const catalogue::Entry& entry : all)
    if (request.only.empty() ||
        std::find(request.only.begin(), request.only.end(), entry.printed.id) != request.only.end())
      chosen.push_back(&entry);
  for (const std::string& id : request.only)
    if (std::none_of(all.begin(), all.end(), [&](const auto& entry) { return entry.printed.id == id; })) {
      std::vector<std::string> known;
      for (const catalogue::Entry& entry : all) known.push_back(entry.printed.id);
      throw InvalidInput("only", "there is no entry '" + id + "' in " + work.name() + schema::suggestion(id, known));
    }
  catalogue::Scenarios scenarios(request.scenarios, request.progress);
  // Blocks, so that progress is shown from one thread.
  std::vector<Reproduction> results(chosen.size());
  const std::size_t block = 4 * static_cast<std::size_t>(available_threads());
  for (std::size_t first = 0; first < chosen.size(); first += block) {
    const std::size_t count = std::min(block, chosen.size() - first);
    parallel_for(count, 1, 0, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = first + from; i < first + to; ++i) results[i] = catalogue::reproduced(*chosen[i], scenarios);
    });
    request.progress.step(static_cast<double>(first + count) / static_cast<double>(chosen.size()));
  }
  return results;
}

}  // namespace carom::scenario
