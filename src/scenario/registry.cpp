#include <algorithm>
#include <fstream>
#include <iterator>

#include "carom/core/error.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/schema/json.hpp"
#include "carom/schema/yaml.hpp"

#include "kind.hpp"

namespace carom::scenario {

namespace {

/// Every kind there is.
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      planar_impact_kind(), spatial_impact_kind(), compliant_impact_kind(), bounces_kind(), collide_kind(), rod_kind(),
  };
  return all;
}

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

void refuse_if_wrong(const std::string& file, Mistakes& mistakes) {
  if (mistakes.count() == 0) return;
  if (const std::size_t more = mistakes.count() - mistakes.list.size(); more > 0)
    mistakes.list.push_back({0, "", "and " + std::to_string(more) + " more mistakes"});
  throw BadScenario(file, mistakes.list);
}

/// The kind a file names, after checking its `kind` and `model`.
const Kind* find_kind(const Value& root, Mistakes& mistakes, Head& head) {
  std::vector<std::pair<std::string, std::string>> names, models;
  for (const Kind& kind : kinds())
    if (names.empty() || names.back().first != kind.kind) names.emplace_back(kind.kind, kind.kind);
  const Path top;
  const auto read_one = [&](const char* key, std::string Head::*member,
                            const std::vector<std::pair<std::string, std::string>>& options) {
    const Value* value = root.find(key);
    const Path path = top.at(key);
    if (value == nullptr || value->is_null()) {
      std::string list;
      for (const auto& option : options) list += (list.empty() ? "" : ", ") + option.first;
      mistakes.add(path, value != nullptr ? value->place() : root.place(), "is required: one of " + list);
      return false;
    }
    return choice(options).read(*value, path, mistakes, head.*member);
  };
  if (!read_one("kind", &Head::kind, names)) return nullptr;
  for (const Kind& kind : kinds()) {
    if (kind.kind != head.kind) continue;
    if (kind.model.empty()) return &kind;
    models.emplace_back(kind.model, kind.model);
  }
  if (!read_one("model", &Head::model, models)) return nullptr;
  for (const Kind& kind : kinds())
    if (kind.kind == head.kind && kind.model == head.model) return &kind;
  return nullptr;
}

}  // namespace

BadScenario::BadScenario(const std::string& file, std::vector<Mistake> mistakes)
    : std::runtime_error(listed(file, mistakes)), mistakes_(std::move(mistakes)) {}

Scenario parse(std::string_view text_of_file, const std::string& file, std::span<const Setting> settings) {
  Mistakes mistakes;
  mistakes.folder = std::filesystem::path(file).parent_path();
  Tree as_written, tree;
  read_yaml(text_of_file, as_written, mistakes);
  refuse_if_wrong(file, mistakes);
  if (!settings.empty()) with_settings(as_written.root(), settings, tree, mistakes);
  refuse_if_wrong(file, mistakes);
  const Value& root = settings.empty() ? as_written.root() : tree.root();
  if (root.kind() != Value::Kind::object)
    throw BadScenario(
        file, {{std::max(root.place(), 1), "", "a scenario must be a list of `key: value`, got " + shown(root)}});
  const Path top;
  Head head;
  const Kind* kind = find_kind(root, mistakes, head);
  for (const auto& [key, member] : {std::pair{"title", &Head::title}, std::pair{"about", &Head::about}})
    if (const Value* value = root.find(key)) text().read(*value, top.at(key), mistakes, head.*member);
  if (head.title.empty()) head.title = std::filesystem::path(file).stem().string();
  std::function<report::Document()> run;
  if (kind != nullptr) run = kind->read(root, head, mistakes);
  refuse_if_wrong(file, mistakes);
  return {head.kind, head.model, head.title, head.about, std::move(run)};
}

Scenario load(const std::filesystem::path& file, std::span<const Setting> settings) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw BadScenario(file.string(), {{0, "", "is a folder, not a file"}});
  std::ifstream in(file, std::ios::binary);
  if (!in) throw BadScenario(file.string(), {{0, "", "cannot be opened"}});
  std::string content(max_file_size + 1, '\0');
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad()) throw BadScenario(file.string(), {{0, "", "cannot be read"}});
  if (content.size() > max_file_size) throw BadScenario(file.string(), {{0, "", "is larger than 16 MB"}});
  return parse(content, file.string(), settings);
}

std::string json_schema() {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("$schema"), json.text("https://json-schema.org/draft/2020-12/schema");
  json.key("title"), json.text("carom scenario");
  json.key("description"), json.text("A scenario file of carom, in YAML or JSON");
  json.key("type"), json.text("object");
  json.key("required"), json.raw(R"(["kind"])");
  json.key("oneOf");
  json.begin_array();
  for (const Kind& kind : kinds()) {
    std::string one = kind.schema;  // an object: its description becomes its last member
    one.pop_back();
    json.raw(one + ",\"description\":" + json_quoted(kind.description) + "}");
  }
  json.end_array();
  json.end_object();
  return indented(text) + "\n";
}

}  // namespace carom::scenario
