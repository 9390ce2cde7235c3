#include "commands.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <unistd.h>

#include "carom/core/error.hpp"
#include "carom/core/json_writer.hpp"
#include "carom/report/files.hpp"
#include "carom/report/writers.hpp"
#include "carom/scenario/glossary.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/scenario/solve.hpp"

#include "long_work.hpp"
#include "screen.hpp"
#include "shipped.hpp"

namespace fs = std::filesystem;
namespace scenario = carom::scenario;
namespace report = carom::report;

namespace {

constexpr const char* standard_input = "-";

/// What the library makes of each text of an option.
template <class T>
std::vector<T> each(const std::vector<std::string>& texts, T (*read)(std::string_view)) {
  std::vector<T> all;
  try {
    for (const std::string& text : texts) all.push_back(read(text));
  } catch (const carom::InvalidInput& error) {
    throw BadOption("--" + std::string(error.what()));
  }
  return all;
}

scenario::Scenario loaded(const std::string& name, const std::vector<std::string>& set = {}) {
  const std::vector<scenario::Setting> settings = each(set, carom::schema::setting_of);
  if (name == standard_input) return scenario::load(std::cin, "standard input", settings);
  return scenario::load(scenario_file(name), settings);
}

/// The folder of a run: the one given, or one named after the scenario.
fs::path output_folder(const RunOptions& options, const char* ending) {
  if (!options.folder.empty()) return options.folder;
  const std::string stem =
      options.scenario == standard_input ? "stdin" : scenario_file(options.scenario).stem().string();
  return fs::path("out") / (stem + ending);
}

/// Writes the files of a document, and what is to be seen at once.
void output(const report::Document& document, const std::string& about, const fs::path& folder,
            const RunOptions& options) {
  const std::vector<fs::path> written =
      options.no_files ? std::vector<fs::path>() : report::write_folder(document, folder);
  if (options.json) {
    std::cout << report::json_text(document);
  } else if (options.quiet) {
    for (const std::string& note : document.notes) warn(note);
  } else {
    const std::size_t width = screen_width();
    std::cout << report::terminal_text(
        document,
        {.color = takes_color(STDOUT_FILENO), .width = width, .files = options.no_files ? "" : folder.string()});
    if (!about.empty()) std::cout << "\n" << report::wrapped_text("Look at: " + about, width) << "\n";
    if (!written.empty()) std::cout << "\nWritten:\n";
    for (const fs::path& path : written) std::cout << "  " << path.string() << "\n";
  }
}

std::string with_model(const std::string& kind, const std::string& model) {
  return model.empty() ? kind : kind + ", " + model;
}

/// "name  text", the text wrapped beside it.
void print_entry(const std::string& name, std::size_t width, std::string_view text) {
  std::cout << name << std::string(width + 2 - name.size(), ' ')
            << report::wrapped_text(text, screen_width(), width + 2, width + 2) << "\n";
}

/// @throws BadOption naming the nearest kind
void require_kind(const std::string& option, const std::string& kind) {
  const std::vector<std::string> known = kind_names();
  if (std::find(known.begin(), known.end(), kind) == known.end())
    throw BadOption(option + ": there is no kind '" + kind + "'" + carom::schema::suggestion(kind, known) +
                    (carom::schema::suggestion(kind, known).empty() ? ";" : "") + " `carom list --kind` shows them");
}

int list_kinds(bool json) {
  std::string out;
  carom::JsonWriter writer(out);
  writer.begin_array();
  std::size_t width = 0;
  for (const scenario::KindInfo& kind : scenario::scenario_kinds())
    width = std::max(width, with_model(kind.kind, kind.model).size());
  for (const scenario::KindInfo& kind : scenario::scenario_kinds()) {
    if (!json) print_entry(with_model(kind.kind, kind.model), width, kind.description);
    writer.begin_object();
    writer.key("kind"), writer.text(kind.kind);
    writer.key("model"), writer.text(kind.model);
    writer.key("description"), writer.text(kind.description);
    writer.key("example"), writer.text(kind.example);
    writer.end_object();
  }
  writer.end_array();
  if (json) std::cout << out << "\n";
  return fine;
}

}  // namespace

int run(const RunOptions& options) {
  const scenario::Scenario scenario = loaded(options.scenario, options.set);
  LongWork work;
  const report::Document document = scenario.answer(work.progress());
  output(document, scenario.head().about, output_folder(options, ""), options);
  return work.interrupted() ? failed : fine;
}

int sweep(const SweepOptions& options) {
  const scenario::Scenario scenario = loaded(options.scenario, options.set);
  scenario::Sweep sweep;
  sweep.fields = each(options.vary, scenario::swept_field);
  for (const std::string& one : options.show) sweep.show.push_back({{one}});
  LongWork work;
  const report::Document document = scenario.describe(scenario.run_sweep(sweep, work.progress()));
  output(document, "", output_folder(options, "_sweep"), options);
  return work.interrupted() ? failed : fine;
}

int check(const std::vector<std::string>& names) {
  int result = fine;
  for (const std::string& name : names) {
    try {
      const scenario::Scenario scenario = loaded(name);
      std::cout << (name == standard_input ? "standard input" : name) << ": fine ("
                << with_model(scenario.head().kind, scenario.head().model) << ")\n";
      std::cout.flush();  // its warnings come below it
      for (const std::string& warning : scenario.warnings()) warn(warning);
    } catch (const std::runtime_error& error) {  // BadScenario, NoScenario
      std::cout.flush();
      std::cerr << error.what() << "\n";
      result = bad_input;
    }
  }
  return result;
}

int list(const ListOptions& options) {
  if (options.kind && options.kind->empty()) return list_kinds(options.json);
  if (options.kind) require_kind("--kind", *options.kind);
  std::string out;
  carom::JsonWriter writer(out);
  writer.begin_array();
  std::size_t width = 0;
  const std::vector<fs::path> files = shipped_files();
  if (files.empty()) {
    std::cerr << "carom list: no scenarios in " << shipped_scenarios().string()
              << ", where they are installed with the program\n";
    return failed;
  }
  for (const fs::path& file : files) width = std::max(width, file.stem().string().size());
  for (const fs::path& file : files) {
    const scenario::Scenario loaded = scenario::load(file);
    if (options.kind && loaded.head().kind != *options.kind) continue;
    const std::string stem = file.stem().string();
    if (!options.json) print_entry(stem, width, loaded.head().title);
    writer.begin_object();
    writer.key("name"), writer.text(stem);
    writer.key("kind"), writer.text(loaded.head().kind);
    writer.key("model"), writer.text(loaded.head().model);
    writer.key("title"), writer.text(loaded.head().title);
    writer.key("about"), writer.text(loaded.head().about);
    writer.key("file"), writer.text(file.string());
    writer.end_object();
  }
  writer.end_array();
  if (options.json) std::cout << out << "\n";
  return fine;
}

int new_scenario(const NewOptions& options) {
  require_kind("new", options.kind);
  std::vector<std::string> models;
  std::optional<scenario::KindInfo> chosen;
  for (const scenario::KindInfo& kind : scenario::scenario_kinds()) {
    if (kind.kind != options.kind) continue;
    if (!chosen && (options.model.empty() || kind.model == options.model)) chosen = kind;
    if (!kind.model.empty()) models.push_back(kind.model);
  }
  if (!chosen) {
    std::string known;
    for (const std::string& model : models) known += (known.empty() ? "" : ", ") + model;
    throw BadOption("--model: " + (models.empty() ? "the kind '" + options.kind + "' has no choice of models"
                                                  : "must be one of " + known + ", got '" + options.model + "'" +
                                                        carom::schema::suggestion(options.model, models)));
  }
  const std::string text = scenario::annotated(scenario::load(scenario_file(chosen->example)));
  if (options.file.empty()) {
    std::cout << text;
    return fine;
  }
  if (fs::exists(options.file)) {
    std::cerr << options.file << ": is there already and stays as it is; choose another name\n";
    return bad_input;
  }
  report::write_file(options.file, text);
  std::cout << "Written: " << options.file << "\nNow edit it, and: carom run " << options.file << "\n";
  return fine;
}

int explain(const ExplainOptions& options) {
  if (options.markdown) {
    std::cout << scenario::glossary_page();
    return fine;
  }
  std::string out;
  carom::JsonWriter writer(out);
  writer.begin_array();
  const auto write = [&](const scenario::Term& term) {
    writer.begin_object();
    writer.key("name"), writer.text(term.name);
    writer.key("what"), writer.text(term.what);
    writer.key("where"), writer.text(term.where);
    writer.key("meaning"), writer.text(term.meaning);
    writer.end_object();
  };
  const std::size_t width = screen_width();
  if (options.words.empty()) {
    for (const std::string_view what : {"verdict", "status", "flag", "mode", "case", "class", "method"}) {
      std::string words;
      for (const scenario::Term& term : scenario::glossary())
        if (term.what == what) words += (words.empty() ? "" : ", ") + std::string(term.name), write(term);
      if (!options.json) std::cout << report::wrapped_text(std::string(what) + ": " + words, width, 2) << "\n";
    }
    if (!options.json) std::cout << "`carom explain WORD` says what one means.\n";
  }
  int result = fine;
  bool first = true;
  for (const std::string& asked : options.words) {
    const std::string word = asked.substr(0, asked.find(':'));  // "at_bound:mu" names what it is about
    bool found = false;
    for (const scenario::Term& term : scenario::glossary()) {
      if (term.name != word) continue;
      found = true;
      write(term);
      if (options.json) continue;
      if (!first) std::cout << "\n";
      first = false;
      std::cout << term.name << " (" << term.what << "; " << term.where << ")\n"
                << "  " << report::wrapped_text(term.meaning, width, 2, 2) << "\n";
    }
    if (found) continue;
    const std::string meant = carom::schema::suggestion(word, glossary_words());
    std::cout.flush();
    std::cerr << "carom explain: there is no word '" << word << "'" << meant << (meant.empty() ? ";" : "")
              << " `carom explain` lists them\n";
    result = bad_input;
  }
  writer.end_array();
  if (options.json) std::cout << out << "\n";
  return result;
}

int solve(const std::string& source, int threads) {
  const bool piped = source == standard_input;
  std::ifstream file;
  if (!piped) {
    file.open(source, std::ios::binary);
    if (!file || fs::is_directory(source)) {
      std::cerr << source << ": cannot be opened\n";
      return bad_input;
    }
  }
  std::istream& in = piped ? std::cin : file;
  const scenario::SolveSummary summary = scenario::solve_stream(in, std::cout, threads);
  if (in.bad()) {
    std::cerr << (piped ? "standard input" : source) << ": cannot be read\n";
    return bad_input;
  }
  return summary.errors == 0 ? fine : failed;
}

int schema(bool rows) {
  std::cout << (rows ? scenario::rows_schema() : scenario::json_schema());
  return fine;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const scenario::KindInfo& kind : scenario::scenario_kinds())
    if (names.empty() || names.back() != kind.kind) names.push_back(kind.kind);
  return names;
}

std::vector<std::string> glossary_words() {
  std::vector<std::string> words;
  for (const scenario::Term& term : scenario::glossary())
    if (term.name.find(' ') == std::string_view::npos) words.emplace_back(term.name);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}
