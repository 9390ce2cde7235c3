// A strict JSON reader (RFC 8259). nlohmann's would not do: it does not say where a value stands or how it was written,
// and stops at a number that overflows, but a bad row must answer with its id and name its first bad field.
#include "carom/schema/json.hpp"

#include <array>

#include "carom/core/utf8.hpp"

namespace carom::schema {

namespace {

/// How deep lists and objects may nest: no input has a use for more, and recursion over the tree stays shallow.
constexpr std::size_t max_depth = 100;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The value of a hexadecimal digit, or -1.
int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class Reader {
public:
  Reader(std::string_view text, Tree& tree) : text_(text), tree_(tree) {}

  /// nullptr, or what is wrong at `at()`.
  const char* read() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    for (;;) {
      if (const char* problem = value()) return problem;
      // After a value: the end, or what its container has next.
      for (;;) {
        skip_space();
        if (depth_ == 0) return at_ == text_.size() ? nullptr : "something follows the value";
        const Level& level = levels_[depth_ - 1];
        if (next() == level.closing) {
          ++at_;
          tree_.close(level.node);
          --depth_;
          continue;
        }
        if (next() != ',') return level.closing == ']' ? "expected ',' or ']'" : "expected ',' or '}'";
        ++at_;
        break;
      }
      if (levels_[depth_ - 1].closing == '}')
        if (const char* problem = key()) return problem;
      tree_.count_item(levels_[depth_ - 1].node);
    }
  }
  std::size_t at() const { return at_; }

private:
  struct Level {
    std::size_t node;
    char closing;
  };

  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  /// Reads on until a value is complete: a scalar or an empty container, after opening those around it.
  const char* value() {
    for (;;) {
      skip_space();
      const std::size_t place = at_;
      switch (next()) {
        case '{':
        case '[': {
          const bool object = next() == '{';
          if (depth_ == max_depth) return "is nested too deeply";
          levels_[depth_] = {tree_.open(object ? Value::Kind::object : Value::Kind::list, place), object ? '}' : ']'};
          ++depth_;
          ++at_;
          skip_space();
          if (next() == levels_[depth_ - 1].closing) return nullptr;  // read() closes it
          if (object)
            if (const char* problem = key()) return problem;
          tree_.count_item(levels_[depth_ - 1].node);
          continue;
        }
        case '"':
          return string(place);
        case 't':
          return word("true", Value::Kind::boolean);
        case 'f':
          return word("false", Value::Kind::boolean);
        case 'n':
          return word("null", Value::Kind::null);
        default:
          return number(place);
      }
    }
  }

  const char* key() {
    skip_space();
    if (next() != '"') return "expected a key in quotes";
    if (const char* problem = string(at_)) return problem;
    skip_space();
    if (next() != ':') return "expected ':'";
    ++at_;
    return nullptr;
  }

  const char* word(std::string_view expected, Value::Kind kind) {
    if (text_.substr(at_, expected.size()) != expected) return "expected a value";
    tree_.add(kind, text_.substr(at_, expected.size()), at_);
    at_ += expected.size();
    return nullptr;
  }

  bool digits() {
    const std::size_t first = at_;
    while (is_digit(next())) ++at_;
    return at_ > first;
  }

  const char* number(std::size_t place) {
    if (next() == '-') ++at_;
    if (!is_digit(next())) return at_ == place ? "expected a value" : "expected a digit";
    if (next() == '0')
      ++at_;
    else
      digits();
    if (next() == '.') {
      ++at_;
      if (!digits()) return "expected a digit";
    }
    if (next() == 'e' || next() == 'E') {
      ++at_;
      if (next() == '+' || next() == '-') ++at_;
      if (!digits()) return "expected a digit";
    }
    tree_.add(Value::Kind::number, text_.substr(place, at_ - place), place);
    return nullptr;
  }

  const char* string(std::size_t place) {
    const std::size_t first = ++at_;
    bool ascii = true;
    for (; at_ < text_.size(); ++at_) {
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (byte == '"') {
        const std::string_view slice = text_.substr(first, at_ - first);
        if (!ascii)
          if (const std::size_t bad = first_not_utf8(slice); bad < slice.size()) {
            at_ = first + bad;
            return "is not UTF-8";
          }
        ++at_;
        tree_.add(Value::Kind::text, slice, place);
        return nullptr;
      }
      if (byte == '\\') return string_with_escapes(place);
      if (byte < 0x20) return "a control character in text must be escaped";
      ascii &= byte < 0x80;
    }
    return "the text has no end";
  }

  const char* string_with_escapes(std::size_t place) {
    std::string plain;
    std::size_t run = at_ = place + 1;  // start of the characters that stand for themselves
    for (; at_ < text_.size(); ++at_) {
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (byte < 0x20) return "a control character in text must be escaped";
      if (byte != '"' && byte != '\\') continue;
      const std::string_view slice = text_.substr(run, at_ - run);
      if (const std::size_t bad = first_not_utf8(slice); bad < slice.size()) {
        at_ = run + bad;
        return "is not UTF-8";
      }
      plain += slice;
      if (byte == '"') {
        ++at_;
        tree_.add(Value::Kind::text, tree_.keep(plain), place);
        return nullptr;
      }
      if (const char* problem = escape(plain)) return problem;
      run = at_ + 1;
    }
    return "the text has no end";
  }

  /// One escape sequence; leaves `at_` on its last character.
  const char* escape(std::string& plain) {
    ++at_;
    constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t which = names.find(next()); at_ < text_.size() && which != std::string_view::npos) {
      plain += meanings[which];
      return nullptr;
    }
    if (next() != 'u') return "an unknown escape";
    unsigned code = 0;
    if (!hex(code)) return "expected four hexadecimal digits";
    if (code >= 0xD800 && code < 0xDC00) {
      unsigned low = 0;
      if (text_.substr(at_ + 1, 2) != "\\u") return "half of a surrogate pair";
      at_ += 2;
      if (!hex(low)) return "expected four hexadecimal digits";
      if (low < 0xDC00 || low > 0xDFFF) return "half of a surrogate pair";
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
      return "half of a surrogate pair";
    }
    append_utf8(plain, code);
    return nullptr;
  }

  bool hex(unsigned& code) {  // the four digits after at_
    for (int i = 0; i < 4; ++i) {
      ++at_;
      const int digit = hex_digit(next());
      if (digit < 0) return false;
      code = code << 4 | static_cast<unsigned>(digit);
    }
    return true;
  }

  std::string_view text_;
  Tree& tree_;
  std::size_t at_ = 0;
  std::array<Level, max_depth> levels_;
  std::size_t depth_ = 0;
};

}  // namespace

bool read_json(std::string_view text, Tree& tree, std::string& problem) {
  if (text.size() > Tree::max_place) {
    problem = "is longer than " + std::to_string(Tree::max_place) + " bytes";
    return false;
  }
  tree.start(text.size() / 2 + 1);  // a value and the comma, colon or bracket after it: two bytes at least
  Reader reader(text, tree);
  const char* found = reader.read();
  if (found == nullptr) return true;
  problem = std::string(found) + " at byte " + std::to_string(reader.at());
  return false;
}

std::string_view json_slice(std::string_view text, std::size_t place) {
  std::size_t at = place;
  std::size_t depth = 0;
  do {
    const char c = text[at];
    if (c == '"') {
      for (++at; text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
      ++at;
    } else if (c == '{' || c == '[') {
      ++depth, ++at;
    } else if (c == '}' || c == ']') {
      --depth, ++at;
    } else {  // a number or word, or what stands between values
      ++at;
      if (depth == 0)
        while (at < text.size() && !is_space(text[at]) && text[at] != ',' && text[at] != '}' && text[at] != ']') ++at;
    }
  } while (depth > 0);
  return text.substr(place, at - place);
}

std::string indented(std::string_view json) {
  std::string out;
  std::size_t depth = 0;
  bool quoted = false;
  const auto new_line = [&] { out.append("\n").append(2 * depth, ' '); };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      out += c;
      if (c == '\\')
        out += json[++i];
      else
        quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
      out += c;
    } else if (c == '{' || c == '[') {
      out += c;
      std::size_t next = i + 1;
      while (next < json.size() && is_space(json[next])) ++next;
      if (next < json.size() && (json[next] == '}' || json[next] == ']')) {
        out += json[next];
        i = next;
      } else {
        ++depth;
        new_line();
      }
    } else if (c == '}' || c == ']') {
      --depth;
      new_line();
      out += c;
    } else if (c == ',') {
      out += c;
      new_line();
    } else if (c == ':') {
      out += ": ";
    } else if (!is_space(c)) {
      out += c;
    }
  }
  return out;
}

}  // namespace carom::schema
