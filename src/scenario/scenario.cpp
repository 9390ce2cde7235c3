#include "carom/scenario/scenario.hpp"

#include <algorithm>
#include <fstream>

#include "carom/core/error.hpp"
#include "carom/schema/yaml.hpp"

#include "kind.hpp"
#include "loaded.hpp"
#include "pictures/sweep.hpp"

namespace carom::scenario {

namespace {

/// A scenario is a page of text; whatever is larger is something else.
constexpr std::size_t max_file_size = 16'000'000;

std::string listed(const std::string& file, const std::vector<Mistake>& mistakes) {
  std::string text;
  for (const Mistake& mistake : mistakes) {
    if (!text.empty()) text += '\n';
    text += file;
    if (mistake.line > 0) text += ":" + std::to_string(mistake.line);
    text += ": ";
    if (!mistake.path.empty()) text += mistake.path + ": ";
    text += mistake.message;
  }
  return text;
}

/// Why bytes cannot be a scenario whatever they say, or "".
std::string not_text(std::string_view bytes) {
  const auto starts = [&](std::string_view mark) { return bytes.starts_with(mark); };
  using namespace std::string_view_literals;
  if (starts("\xff\xfe\0\0"sv) || starts("\0\0\xfe\xff"sv)) return "is UTF-32 text: save it as UTF-8";
  const std::string_view head = bytes.substr(0, 4096);
  std::size_t zeros[2] = {0, 0};  // at even and odd places
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0';
  // Latin letters in UTF-16 have a zero in every other byte.
  const bool halves = head.size() >= 8 && std::min(zeros[0], zeros[1]) == 0 && 3 * (zeros[0] + zeros[1]) > head.size();
  if (starts("\xff\xfe") || starts("\xfe\xff") || halves) return "is UTF-16 text: save it as UTF-8";
  // A stray control character is the reader's to name, by its line.
  const auto is_control = [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 127; };
  const auto strange = static_cast<std::size_t>(std::count_if(bytes.begin(), bytes.end(), is_control));
  if (strange >= 4 && 20 * strange > bytes.size()) return "is a binary file, not text";
  return "";
}

void refuse_if_wrong(const std::string& file, Mistakes& mistakes) {
  if (mistakes.count() == 0) return;
  std::stable_sort(mistakes.list.begin(), mistakes.list.end(),
                   [](const Mistake& a, const Mistake& b) { return a.line < b.line; });
  if (const std::size_t more = mistakes.count() - mistakes.list.size(); more > 0)
    mistakes.list.push_back({0, "", "and " + std::to_string(more) + " more mistakes"});
  throw BadScenario(file, mistakes.list);
}

void add_sweep(report::Document& document, const SweepResult& result) {
  const std::size_t runs = runs_of(result.sweep);
  document.tables.push_back(result.table);
  for (report::Plot& plot : sweep_pictures(result)) document.plots.push_back(std::move(plot));
  if (result.failed > 0)
    document.notes.push_back("sweep: " + std::to_string(result.failed) + " of " + std::to_string(runs) +
                             " runs have no answer; the column `error` of the table says why.");
  if (!result.complete)
    document.notes.push_back("sweep: stopped after " + std::to_string(result.table.row_count()) + " of " +
                             std::to_string(runs) + " runs.");
}

}  // namespace

BadScenario::BadScenario(const std::string& file, std::vector<Mistake> mistakes)
    : std::runtime_error(listed(file, mistakes)), mistakes_(std::move(mistakes)) {}

const Head& Scenario::head() const { return loaded_->head; }
const std::vector<std::string>& Scenario::warnings() const { return loaded_->warnings; }

Result Scenario::run(const Progress& progress) const {
  Result result;
  const bool alone = !loaded_->sweep;
  result.of_kind = loaded_->kind->run(loaded_->problem.get(), {alone ? progress : Progress{{}, progress.cancelled}});
  if (loaded_->sweep) result.of_sweep = run_sweep(*loaded_->sweep, progress);
  return result;
}

report::Document Scenario::describe(const Result& result) const {
  const void *problem = loaded_->problem.get(), *of_kind = result.of_kind.get();
  report::Document document = loaded_->kind->describe(problem, of_kind);
  document.kind = loaded_->head.kind;
  document.title = loaded_->head.title;
  document.facts = loaded_->kind->facts(problem, of_kind);
  if (result.of_sweep) add_sweep(document, *result.of_sweep);
  document.notes.insert(document.notes.begin(), loaded_->warnings.begin(), loaded_->warnings.end());
  return document;
}

report::Document Scenario::describe(const SweepResult& result) const {
  report::Document document;
  document.kind = loaded_->head.kind;
  document.title = loaded_->head.title;
  document.summary = std::to_string(result.table.row_count()) + " runs over ";
  for (const SweptField& field : result.sweep.fields)
    document.summary += (&field == result.sweep.fields.data() ? "" : " and ") + field.path;
  document.summary += ".";
  add_sweep(document, result);
  return document;
}

SweepResult Scenario::run_sweep(const Sweep& sweep, const Progress& progress) const {
  Mistakes mistakes;
  mistakes.folder = loaded_->folder;
  SweepResult result;
  check_sweep(*loaded_->kind, *loaded_->root, sweep, 0, mistakes);
  if (mistakes.count() == 0)
    result = scenario::run_sweep(*loaded_->kind, *loaded_->root, loaded_->folder, sweep, progress, mistakes);
  refuse_if_wrong(loaded_->file, mistakes);
  return result;
}

Scenario parse(std::string_view text_of_file, const std::string& file, std::span<const Setting> settings) {
  Mistakes mistakes;
  auto loaded = std::make_shared<Scenario::Loaded>();
  loaded->file = file;
  loaded->folder = std::filesystem::path(file).parent_path();
  loaded->text = text_of_file;
  loaded->settings.assign(settings.begin(), settings.end());
  mistakes.folder = loaded->folder;
  if (const std::string why = not_text(text_of_file); !why.empty()) throw BadScenario(file, {{0, "", why}});
  read_yaml(loaded->text, loaded->as_written, mistakes);
  refuse_if_wrong(file, mistakes);
  if (!settings.empty()) with_settings(loaded->as_written.root(), loaded->settings, loaded->as_set, mistakes);
  refuse_if_wrong(file, mistakes);
  const Value& root = settings.empty() ? loaded->as_written.root() : loaded->as_set.root();
  if (root.is_null())
    throw BadScenario(file, {{0, "",
                              (text_of_file.find_first_not_of(" \t\r\n") == std::string_view::npos
                                   ? "is empty: a scenario starts with `kind:`, one of "
                                   : "says nothing but remarks: a scenario starts with `kind:`, one of ") +
                                  listed_kinds()}});
  if (root.kind() != Value::Kind::object)
    throw BadScenario(
        file, {{std::max(root.place(), 1), "", "a scenario must be a list of `key: value`, got " + shown(root)}});
  const Path top;
  Head& head = loaded->head;
  loaded->root = &root;
  loaded->kind = find_kind(root, mistakes, head);
  for (const auto& [key, member] : {std::pair{"title", &Head::title}, std::pair{"about", &Head::about}})
    if (const Value* value = root.find(key)) text().read(*value, top.at(key), mistakes, head.*member);
  if (head.title.empty()) head.title = std::filesystem::path(file).stem().string();
  if (loaded->kind != nullptr) loaded->problem = loaded->kind->read(root, mistakes);
  if (const Value* value = root.find("sweep"); value != nullptr && !value->is_null()) {
    Sweep sweep;
    if (sweep_type().read(*value, top.at("sweep"), mistakes, sweep)) {
      if (mistakes.count() == 0) check_sweep(*loaded->kind, root, sweep, value->place(), mistakes);
      loaded->sweep = std::move(sweep);
    }
  }
  refuse_if_wrong(file, mistakes);
  for (const Mistake& warning : mistakes.warnings)
    loaded->warnings.push_back((warning.line > 0 ? "line " + std::to_string(warning.line) + ": " : "") + warning.path +
                               ": " + warning.message + ".");
  return Scenario(std::move(loaded));
}

Scenario load(std::istream& in, const std::string& name, std::span<const Setting> settings) {
  std::string content(max_file_size + 1, '\0');
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad()) throw BadScenario(name, {{0, "", "cannot be read"}});
  if (content.size() > max_file_size) throw BadScenario(name, {{0, "", "is larger than 16 MB"}});
  return parse(content, name, settings);
}

Scenario load(const std::filesystem::path& file, std::span<const Setting> settings) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw BadScenario(file.string(), {{0, "", "is a folder, not a file"}});
  std::ifstream in(file, std::ios::binary);
  if (!in) throw BadScenario(file.string(), {{0, "", "cannot be opened"}});
  return load(in, file.string(), settings);
}

}  // namespace carom::scenario
