#include <charconv>
#include <cmath>
#include <yaml-cpp/yaml.h>

#include "value.hpp"

namespace carom::scenario {

namespace {

/// Aliases can blow a small file up without end: a scenario has no use for more values than this.
constexpr std::size_t max_values = 1'000'000;
constexpr int max_depth = 50;

class Converter {
public:
  explicit Converter(std::vector<Mistake>& mistakes) : mistakes_(mistakes) {}

  Value convert(const YAML::Node& node, int depth = 0) {
    Value value;
    value.line = node.Mark().line + 1;
    if (depth > max_depth || ++count_ > max_values) {
      if (!refused_) mistakes_.push_back({value.line, "", "the file is nested too deeply or too large"});
      refused_ = true;
      return value;
    }
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        break;
      case YAML::NodeType::Scalar:
        scalar(node, value);
        break;
      case YAML::NodeType::Sequence:
        value.kind = Value::Kind::list;
        for (const auto& item : node) {
          if (refused_) break;
          value.items.push_back(convert(item, depth + 1));
        }
        break;
      case YAML::NodeType::Map:
        value.kind = Value::Kind::object;
        for (const auto& entry : node) {
          if (refused_) break;
          if (!entry.first.IsScalar()) {
            mistakes_.push_back({entry.first.Mark().line + 1, "", "a key must be plain text"});
            continue;
          }
          value.keys.push_back(entry.first.Scalar());
          value.items.push_back(convert(entry.second, depth + 1));
          value.items.back().line = entry.first.Mark().line + 1;  // a message about a field points at its key
        }
        break;
    }
    return value;
  }

private:
  static void scalar(const YAML::Node& node, Value& value) {
    value.text = node.Scalar();
    value.kind = Value::Kind::text;
    if (node.Tag() == "!") return;  // quoted: text, whatever it looks like
    std::string_view text = value.text;
    if (text == "true" || text == "false") {
      value.kind = Value::Kind::boolean;
      value.boolean = text == "true";
      return;
    }
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value.number);
    if (end != text.data() + text.size() || text.empty() || error == std::errc::invalid_argument) return;
    // from_chars knows "inf" and "nan"; a file has no use for them, and they are refused as text.
    if (error == std::errc{} && !std::isfinite(value.number)) return;
    value.kind = Value::Kind::number;
    if (error != std::errc::result_out_of_range) return;
    const std::size_t exponent = text.find_first_of("eE");  // out of range: towards zero is zero
    if (exponent != std::string_view::npos && exponent + 1 < text.size() && text[exponent + 1] == '-')
      value.number = 0.0;
    else
      value.overflow = true;
  }

  std::vector<Mistake>& mistakes_;
  std::size_t count_ = 0;
  bool refused_ = false;
};

}  // namespace

Value read_yaml(std::string_view text, std::vector<Mistake>& mistakes) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.size() > 1) mistakes.push_back({documents[1].Mark().line + 1, "", "one file holds one scenario"});
    if (documents.empty()) return {};
    return Converter(mistakes).convert(documents.front());
  } catch (const YAML::Exception& error) {
    mistakes.push_back({error.mark.is_null() ? 0 : error.mark.line + 1, "", "not valid YAML: " + error.msg});
    return {};
  }
}

}  // namespace carom::scenario
