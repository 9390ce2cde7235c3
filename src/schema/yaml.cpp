// YAML by libyaml's events: a file is read as a stream, so that nothing grows before a bound has been looked at.
#include "carom/schema/yaml.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <string>
#include <yaml.h>

#include "carom/core/text.hpp"

namespace carom::schema {

namespace {

/// Aliases can blow a small file up without end: a scenario has no use for more values than this.
constexpr std::size_t max_values = 1'000'000;
constexpr std::size_t max_depth = 50;
/// What aliases may add to that: a body repeated a thousand times is far from it, a file that doubles itself is not.
constexpr std::size_t max_aliased = 100'000;

std::size_t line_of(const yaml_mark_t& mark) { return mark.line + 1; }
std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

/// One event, given back when it goes.
class Event {
public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&raw_); }
  yaml_event_t* raw() { return &raw_; }
  const yaml_event_t* operator->() const { return &raw_; }

private:
  yaml_event_t raw_ = {};
};

class Reader {
public:
  Reader(std::string_view text, Tree& tree, Mistakes& mistakes) : text_(text), tree_(tree), mistakes_(mistakes) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { yaml_parser_delete(&parser_); }

  void read() {
    for (;;) {
      Event event;
      if (yaml_parser_parse(&parser_, event.raw()) == 0) return complain_of_syntax();
      if (event->type == YAML_STREAM_END_EVENT) return;
      if (!take(*event.raw())) return;
    }
  }

private:
  struct Level {
    std::size_t node;
    bool object;
    bool wants_key = true;
    std::size_t key_line = 0;
  };

  void refuse(std::size_t line, std::string message) { mistakes_.add({}, static_cast<int>(line), std::move(message)); }

  void complain_of_syntax() {
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    std::size_t line = line_of(parser_.problem_mark);
    if (parser_.error == YAML_READER_ERROR) {  // knows no line, only the byte
      line = 1;
      for (const char c : text_.substr(0, std::min(parser_.problem_offset, text_.size()))) line += c == '\n';
    }
    // What follows the end of a document without `---`: mostly a line that is not indented as the others.
    if (parser_.problem != nullptr && parser_.problem == std::string_view("did not find expected <document start>") &&
        documents_ > 0)
      return refuse(line, "one file holds one scenario");
    if (const std::string said = in_plain_words(line); !said.empty()) return refuse(line, said);
    std::string message =
        std::string("not valid YAML: ") + (parser_.problem != nullptr ? parser_.problem : "unreadable");
    if (parser_.context != nullptr) {
      message += std::string(" ") + parser_.context;
      if (line_of(parser_.context_mark) != line)
        message += " that begins on line " + std::to_string(line_of(parser_.context_mark));
    }
    refuse(line, std::move(message));
  }

  std::string_view text_of_line(std::size_t line) const {
    std::string_view rest = text_;
    while (line-- > 1) rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    return rest.substr(0, rest.find('\n'));
  }

  /// The cause of the commonest mistakes, for people who do not know the grammar of YAML; "" for any other. `line`
  /// becomes where it is mended.
  std::string in_plain_words(std::size_t& line) const {
    const auto has = [](const char* where, std::string_view what) {
      return where != nullptr && std::string_view(where).find(what) != std::string_view::npos;
    };
    if (has(parser_.context, "quoted scalar") && has(parser_.problem, "unexpected")) {
      line = line_of(parser_.context_mark);
      return "a quote opens here and is never closed";
    }
    if (has(parser_.problem, "tab character") || has(parser_.problem, "cannot start any token")) {
      const std::string_view written = text_of_line(line);
      const std::size_t begin = std::min(written.find_first_not_of(" \t\r"), written.size());
      if (written.substr(0, begin).find('\t') != std::string_view::npos)
        return "a tab in the indentation: YAML indents with spaces";
      for (const char c : {'@', '`', '%'})
        if (written.find(c) != std::string_view::npos)
          return std::string("a value cannot begin with ") + c + ": put it in quotes";
    }
    if (has(parser_.problem, "mapping values are not allowed"))
      return "`key: value` cannot stand here: look at the indentation, or put text that holds a colon in quotes";
    if (has(parser_.problem, "could not find expected ':'")) {
      if (has(parser_.context, "simple key")) line = line_of(parser_.context_mark);
      return "a key lacks its colon, or the line is not indented like its neighbours";
    }
    if (has(parser_.problem, "did not find expected key") ||
        has(parser_.problem, "did not find expected '-' indicator"))
      return "the line is not indented like its neighbours, or what stands before it is not closed";
    const bool list = has(parser_.problem, "',' or ']'");
    if (list || has(parser_.problem, "',' or '}'")) {
      const std::size_t open = line_of(parser_.context_mark);
      const std::string where = open == line ? "here" : "on line " + std::to_string(open);
      return std::string(list ? "the [" : "the {") + " that opens " + where + " is not closed, or a comma is missing";
    }
    return "";
  }

  /// Returns false when there is no use in reading on.
  bool take(const yaml_event_t& event) {
    const std::size_t line = line_of(event.start_mark);
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        ++documents_;
        return true;
      case YAML_SCALAR_EVENT:
        return starts_value(line) && scalar(event, line);
      case YAML_ALIAS_EVENT:
        return starts_value(line) && alias(view(event.data.alias.anchor), line);
      case YAML_SEQUENCE_START_EVENT:
        return starts_value(line) && open(Value::Kind::list, view(event.data.sequence_start.anchor), line);
      case YAML_MAPPING_START_EVENT:
        return starts_value(line) && open(Value::Kind::object, view(event.data.mapping_start.anchor), line);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        tree_.close(levels_.back().node);
        levels_.pop_back();
        value_ends();
        return true;
      default:
        return true;
    }
  }

  bool starts_value(std::size_t line) {
    if (documents_ > 1) {
      refuse(line, "one file holds one scenario");
      return false;
    }
    return has_room(1, line);
  }

  bool has_room(std::size_t values, std::size_t line) {
    if (levels_.size() > max_depth)
      refuse(line, "is nested too deeply: at most " + std::to_string(max_depth) + " levels");
    else if (values > max_values - tree_.size())
      refuse(line, "holds too much: at most " + std::to_string(max_values) + " values");
    else
      return true;
    return false;
  }

  /// Whether the next value is a key.
  bool at_key() const { return !levels_.empty() && levels_.back().object && levels_.back().wants_key; }

  /// The line that messages about the next value point at: that of its key, if it has one.
  std::size_t place(std::size_t line) const {
    return levels_.empty() || !levels_.back().object ? line : levels_.back().key_line;
  }

  void value_ends() {
    if (levels_.empty()) return;
    Level& level = levels_.back();
    if (!level.object) return tree_.count_item(level.node);
    if (!level.wants_key) tree_.count_item(level.node);
    level.wants_key = !level.wants_key;
  }

  void remember(std::string_view anchor, std::size_t node) {
    if (!anchor.empty()) anchors_.insert_or_assign(std::string(anchor), node);
  }

  bool scalar(const yaml_event_t& event, std::size_t line) {
    const auto& s = event.data.scalar;
    const std::string_view text(reinterpret_cast<const char*>(s.value), s.length), tag = view(s.tag);
    // Quoted, or said to be text: text, whatever it looks like.
    const bool plain = tag.empty() ? s.style == YAML_PLAIN_SCALAR_STYLE : tag != "!" && tag != YAML_STR_TAG;
    Value::Kind kind = plain ? kind_of(text) : Value::Kind::text;
    if (at_key()) {
      if (kind == Value::Kind::null) refuse(line, "a key must be plain text");
      if (plain && text == "<<") refuse(line, "merge keys (<<) are not supported: write the fields out");
      levels_.back().key_line = line;
      kind = Value::Kind::text;
    }
    remember(view(s.anchor), tree_.size());
    tree_.add(kind, tree_.keep(text), place(line));
    value_ends();
    return true;
  }

  /// What a plain scalar is.
  static Value::Kind kind_of(std::string_view text) {
    if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return Value::Kind::null;
    if (text == "true" || text == "false") return Value::Kind::boolean;
    double number = 0.0;
    const bool plus = text.starts_with('+');
    if (!(plus && text.starts_with("+-")) && parse_number(text.substr(plus ? 1 : 0), number))
      return Value::Kind::number;
    return Value::Kind::text;
  }

  bool open(Value::Kind kind, std::string_view anchor, std::size_t line) {
    if (at_key()) {
      refuse(line, "a key must be plain text");
      return false;
    }
    remember(anchor, tree_.size());
    levels_.push_back({tree_.open(kind, place(line)), kind == Value::Kind::object});
    return true;
  }

  bool alias(std::string_view name, std::size_t line) {
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      refuse(line, "there is no anchor &" + std::string(name) + " before its alias");
      return false;
    }
    const std::size_t node = found->second;
    if (tree_.is_open(node)) {
      refuse(line, "the alias *" + std::string(name) + " stands inside what it names");
      return false;
    }
    const Value& value = tree_[node];
    if (at_key()) {
      if (value.kind() == Value::Kind::list || value.kind() == Value::Kind::object || value.is_null()) {
        refuse(line, "a key must be plain text");
        return false;
      }
      levels_.back().key_line = line;
      tree_.add(Value::Kind::text, value.text(), line);
    } else {
      const auto size = static_cast<std::size_t>(value.next() - &value);
      if (!has_room(size, line)) return false;
      aliased_ += size;
      if (aliased_ > max_aliased) {
        refuse(line, "aliases (here *" + std::string(name) + ") repeat more than " + std::to_string(max_aliased) +
                         " values: write out what is meant");
        return false;
      }
      tree_.repeat(node, place(line));
    }
    value_ends();
    return true;
  }

  std::string_view text_;
  Tree& tree_;
  Mistakes& mistakes_;
  yaml_parser_t parser_ = {};
  int documents_ = 0;
  std::size_t aliased_ = 0;  // values that aliases stand for
  std::vector<Level> levels_;
  std::map<std::string, std::size_t, std::less<>> anchors_;  // name -> node
};

void leave_null(Tree& tree, std::size_t place) {
  tree.start(1);
  tree.add(Value::Kind::null, "", place);
}

}  // namespace

void read_yaml(std::string_view text, Tree& tree, Mistakes& mistakes) {
  tree.start(0);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const std::size_t bad = first_not_utf8(text); bad < text.size()) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bad), '\n');
    mistakes.add({}, static_cast<int>(line), "not UTF-8 text");
  } else {
    Reader(text, tree, mistakes).read();
  }
  if (mistakes.count() > 0 || tree.size() == 0) leave_null(tree, 0);
}

}  // namespace carom::schema
