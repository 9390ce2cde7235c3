#include <nlohmann/json.hpp>

#include "value.hpp"

namespace carom::scenario {

namespace {

/// How deep lists and objects may nest: no input has a use for more, and Value's recursion stays shallow.
constexpr std::size_t max_depth = 100;

/// How many overflowing numbers one text may have before it is refused as a whole (each costs another parse).
constexpr std::size_t max_overflows = 8;

/// A number that overflows a double: which number of the text it is, and how it was written.
struct Overflow {
  std::size_t ordinal;
  std::string text;
};

/// Builds a Value from nlohmann's parser events: keeps the order and duplicates of keys and the text of numbers.
class Builder {
public:
  Builder(Value& root, const std::vector<Overflow>& overflows) : root_(root), overflows_(overflows) {}

  bool null() { return slot() != nullptr; }
  bool boolean(bool value) {
    Value* v = slot();
    v->kind = Value::Kind::boolean;
    v->boolean = value;
    return true;
  }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value), std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value), std::to_string(value)); }
  bool number_float(double value, const std::string& text) { return number(value, text); }
  bool string(std::string& value) {
    Value* v = slot();
    v->kind = Value::Kind::text;
    v->text = std::move(value);
    return true;
  }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Value::Kind::object); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Value::Kind::list); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    Value& object = *open_.back();
    if (object.keys.empty()) object.keys.reserve(8);
    object.keys.push_back(std::move(name));
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) {
    problem = error.what();
    if (const auto cut = problem.find("] "); cut != std::string::npos) problem.erase(0, cut + 2);  // nlohmann's number
    problem.resize(std::min(problem.size(), problem.find("; last read")));  // what follows need not be UTF-8
    overflow = error.id == 406;
    overflow_text = token;
    overflow_end = position;
    return false;
  }

  std::string problem;
  bool overflow = false;         // the problem is a number that overflows
  std::string overflow_text;     // this one,
  std::size_t overflow_end = 0;  // which ends here
  std::size_t numbers = 0;       // numbers met so far

private:
  Value* slot() {
    if (open_.empty()) return &root_;
    return &open_.back()->items.emplace_back();
  }
  bool number(double value, const std::string& text) {
    Value* v = slot();
    v->kind = Value::Kind::number;
    v->number = value;
    v->text = text;
    for (const Overflow& o : overflows_)
      if (o.ordinal == numbers) v->overflow = true, v->text = o.text;
    ++numbers;
    return true;
  }
  bool open(Value::Kind kind) {
    if (open_.size() == max_depth) {
      problem = "is nested too deeply";
      return false;
    }
    Value* v = slot();
    v->kind = kind;
    v->items.reserve(kind == Value::Kind::object ? 8 : 4);  // most rows need no more
    open_.push_back(v);  // its own items may grow; those of its parents do not while it is open
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Value& root_;
  const std::vector<Overflow>& overflows_;
  std::vector<Value*> open_;
};

}  // namespace

bool read_json(std::string_view text, Value& value, std::string& problem) {
  // The parser stops at a number that overflows. Blank it and parse again: the caller wants to say which field it was
  // and to answer with the row's id.
  std::vector<Overflow> overflows;
  std::string blanked;
  for (;;) {
    value = Value{};
    Builder builder(value, overflows);
    if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return true;
    problem = builder.problem;
    if (!builder.overflow || overflows.size() == max_overflows) return false;
    if (blanked.empty()) blanked = text;
    const std::size_t length = builder.overflow_text.size();
    std::string zero(length, ' ');
    zero[0] = '0';
    blanked.replace(builder.overflow_end - length, length, zero);
    text = blanked;
    overflows.push_back({builder.numbers, builder.overflow_text});
  }
}

}  // namespace carom::scenario
