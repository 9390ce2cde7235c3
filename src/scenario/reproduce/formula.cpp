#include "formula.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <utility>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

namespace carom::scenario::catalogue {

struct Formula::Node {
  enum class What { constant, name, list, call } what;
  std::string word = {};  ///< of a name or a call; operators are calls
  Datum constant = {};
  std::vector<Node> parts = {};
};

namespace {

using Node = Formula::Node;

[[noreturn]] void refuse(const std::string& message) { throw InvalidInput("formula", message); }

// --- reading ---

/// Nesting deeper than this is no formula that a person wrote.
constexpr int deepest = 100;

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  Node whole() {
    Node node = either();
    if (space(), at_ != text_.size()) fail();
    return node;
  }

private:
  static Node call(std::string word, std::vector<Node> parts) {
    return {Node::What::call, std::move(word), {}, std::move(parts)};
  }

  [[noreturn]] void fail() const {
    refuse("\"" + std::string(text_) + "\" cannot be read from character " + std::to_string(at_ + 1) + " on");
  }
  void space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  static bool letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  /// Whether the next thing is this; then it is behind us.
  bool take(std::string_view token) {
    space();
    if (!text_.substr(at_).starts_with(token)) return false;
    const std::size_t end = at_ + token.size();
    if (letter(token.back()) && end < text_.size() && letter(text_[end])) return false;
    at_ = end;
    return true;
  }

  Node either() {
    Node left = both();
    while (take("or")) left = call("or", {std::move(left), both()});
    return left;
  }
  Node both() {
    Node left = negated();
    while (take("and")) left = call("and", {std::move(left), negated()});
    return left;
  }
  Node negated() {
    if (take("not")) return call("not", {deeper(&Reader::negated)});
    return comparison();
  }
  Node comparison() {
    Node left = sum();
    for (const char* sign : {"<=", ">=", "==", "!=", "<", ">"})
      if (take(sign)) return call(sign, {std::move(left), sum()});
    return left;
  }
  Node sum() {
    Node left = product();
    for (;;) {
      if (take("+"))
        left = call("+", {std::move(left), product()});
      else if (take("-"))
        left = call("-", {std::move(left), product()});
      else
        return left;
    }
  }
  Node product() {
    Node left = signed_power();
    for (;;) {
      if (take("*"))
        left = call("*", {std::move(left), signed_power()});
      else if (take("/"))
        left = call("/", {std::move(left), signed_power()});
      else
        return left;
    }
  }
  Node signed_power() {
    if (take("-")) return call("negative", {deeper(&Reader::signed_power)});
    Node base = simple();
    if (take("^")) return call("^", {std::move(base), deeper(&Reader::signed_power)});
    return base;
  }

  std::vector<Node> up_to(std::string_view end) {
    std::vector<Node> parts;
    if (take(end)) return parts;
    do parts.push_back(deeper(&Reader::either));
    while (take(","));
    if (!take(end)) fail();
    return parts;
  }

  Node deeper(Node (Reader::*read)()) {
    if (++depth_ > deepest) fail();
    Node node = (this->*read)();
    --depth_;
    return node;
  }

  Node simple() {
    space();
    if (take("(")) {
      Node inside = deeper(&Reader::either);
      if (!take(")")) fail();
      return inside;
    }
    if (take("[")) return {Node::What::list, {}, {}, up_to("]")};
    if (at_ == text_.size()) fail();
    if (text_[at_] == '\'') {
      const std::size_t end = text_.find('\'', at_ + 1);
      if (end == std::string_view::npos) fail();
      Texts text{std::string(text_.substr(at_ + 1, end - at_ - 1))};
      at_ = end + 1;
      return {Node::What::constant, {}, std::move(text)};
    }
    if (std::isalpha(static_cast<unsigned char>(text_[at_]))) return named();
    double number = 0.0;
    const bool bare_point = text_[at_] == '.';  // ".5", as the papers write
    const std::string padded = (bare_point ? "0" : "") + std::string(text_.substr(at_, 40));
    const std::size_t length = leading_number(padded, number);
    if (length <= (bare_point ? 1U : 0U)) fail();
    at_ += length - (bare_point ? 1 : 0);
    return {Node::What::constant, {}, Numbers{number}};
  }

  /// A word: a call if a bracket follows, else a name with members and indices.
  Node named() {
    const std::size_t start = at_;
    while (at_ < text_.size() && letter(text_[at_])) ++at_;
    const std::string word(text_.substr(start, at_ - start));
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      return call(word, up_to(")"));
    }
    if (word == "pi") return {Node::What::constant, {}, Numbers{std::numbers::pi}};
    while (at_ < text_.size()) {
      if (text_[at_] == '.' && at_ + 1 < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_ + 1]))) {
        ++at_;
        while (at_ < text_.size() && letter(text_[at_])) ++at_;
      } else if (text_[at_] == '[') {
        const std::size_t end = text_.find(']', at_);
        if (end == std::string_view::npos) fail();
        at_ = end + 1;
      } else {
        break;
      }
    }
    return {Node::What::name, std::string(text_.substr(start, at_ - start))};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

// --- evaluating ---

const Numbers& as_numbers(const Datum& datum, const std::string& who) {
  if (const auto* found = std::get_if<Numbers>(&datum)) return *found;
  refuse(who + " takes numbers, not text");
}

double one(const Numbers& list, const std::string& who) {
  if (list.size() != 1) refuse(fmt::format("{} takes one number, not {}", who, list.size()));
  return list.front();
}

std::size_t common_size(std::size_t a, std::size_t b, const std::string& who) {
  if (a != b && a != 1 && b != 1) refuse(fmt::format("{}: lists of {} and {} items do not go together", who, a, b));
  return a == 1 ? b : a;
}

template <class Operation>
Numbers item_by_item(const Numbers& a, const Numbers& b, const std::string& who, Operation operation) {
  Numbers result(common_size(a.size(), b.size(), who));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = operation(a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
  return result;
}

using Binary = double (*)(double, double);
constexpr std::pair<std::string_view, Binary> binaries[] = {
    {"+", [](double a, double b) { return a + b; }},
    {"-", [](double a, double b) { return a - b; }},
    {"*", [](double a, double b) { return a * b; }},
    {"/", [](double a, double b) { return a / b; }},
    {"^", [](double a, double b) { return std::pow(a, b); }},
    {"<", [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {"<=", [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    {">", [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    {">=", [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {"==", [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {"!=", [](double a, double b) { return a != b ? 1.0 : 0.0; }},
    {"and", [](double a, double b) { return a != 0.0 && b != 0.0 ? 1.0 : 0.0; }},
    {"or", [](double a, double b) { return a != 0.0 || b != 0.0 ? 1.0 : 0.0; }},
    {"atan2", [](double a, double b) { return std::atan2(a, b); }},
};

using Unary = double (*)(double);
constexpr std::pair<std::string_view, Unary> unaries[] = {
    {"negative", [](double a) { return -a; }},
    {"not", [](double a) { return a == 0.0 ? 1.0 : 0.0; }},
    {"abs", [](double a) { return std::abs(a); }},
    {"sqrt", [](double a) { return std::sqrt(a); }},
    {"cbrt", [](double a) { return std::cbrt(a); }},
    {"exp", [](double a) { return std::exp(a); }},
    {"log", [](double a) { return std::log(a); }},
    {"sin", [](double a) { return std::sin(a); }},
    {"cos", [](double a) { return std::cos(a); }},
    {"tan", [](double a) { return std::tan(a); }},
    {"asin", [](double a) { return std::asin(a); }},
    {"acos", [](double a) { return std::acos(a); }},
    {"atan", [](double a) { return std::atan(a); }},
    {"floor", [](double a) { return std::floor(a); }},
    {"round", [](double a) { return std::round(a); }},
    {"sign", [](double a) { return a > 0.0   ? 1.0
                                   : a < 0.0 ? -1.0
                                             : 0.0; }},
};

using Reduction = double (*)(const Numbers&);
constexpr std::pair<std::string_view, Reduction> reductions[] = {
    {"sum",
     [](const Numbers& a) {
       double total = 0.0;
       for (const double x : a) total += x;
       return total;
     }},
    {"mean",
     [](const Numbers& a) {
       double total = 0.0;
       for (const double x : a) total += x;
       return total / static_cast<double>(a.size());
     }},
    {"norm",
     [](const Numbers& a) {
       double total = 0.0;
       for (const double x : a) total = std::hypot(total, x);
       return total;
     }},
    // A number that does not exist is never the least or the greatest, and is not true.
    {"min",
     [](const Numbers& a) {
       double least = std::numeric_limits<double>::quiet_NaN();
       for (const double x : a) least = std::fmin(least, x);
       return least;
     }},
    {"max",
     [](const Numbers& a) {
       double most = std::numeric_limits<double>::quiet_NaN();
       for (const double x : a) most = std::fmax(most, x);
       return most;
     }},
    {"all",
     [](const Numbers& a) {
       return std::all_of(a.begin(), a.end(), [](double x) { return x != 0.0 && !std::isnan(x); }) ? 1.0 : 0.0;
     }},
    {"any",
     [](const Numbers& a) {
       return std::any_of(a.begin(), a.end(), [](double x) { return x != 0.0 && !std::isnan(x); }) ? 1.0 : 0.0;
     }},
};

template <class Table>
auto found_in(const Table& table, std::string_view word) -> decltype(&std::begin(table)->second) {
  for (const auto& entry : table)
    if (entry.first == word) return &entry.second;
  return nullptr;
}

void same_length(const Numbers& a, const Numbers& b, const std::string& who) {
  if (a.size() != b.size() || a.empty())
    refuse(fmt::format("{} takes lists of one length, not {} and {}", who, a.size(), b.size()));
}

/// The item of `of` where `a` is largest (sign 1) or smallest (sign -1).
double extreme(const Numbers& a, const Numbers& of, double sign, const std::string& who) {
  same_length(a, of, who);
  std::size_t best = a.size();
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!std::isnan(a[i]) && (best == a.size() || sign * a[i] > sign * a[best])) best = i;
  return best == a.size() ? std::numeric_limits<double>::quiet_NaN() : of[best];
}

Numbers picked(const Numbers& of, const Numbers& where, const std::string& who) {
  same_length(of, where, who);
  Numbers result;
  for (std::size_t i = 0; i < of.size(); ++i)
    if (where[i] != 0.0 && !std::isnan(where[i])) result.push_back(of[i]);
  return result;
}

Numbers crossings(const Numbers& y, const Numbers& x) {
  same_length(y, x, "crossings");
  Numbers places;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] == 0.0)
      places.push_back(x[i]);
    else if (i > 0 && y[i - 1] * y[i] < 0.0)
      places.push_back(x[i - 1] + (x[i] - x[i - 1]) * y[i - 1] / (y[i - 1] - y[i]));
  }
  return places;
}

/// y at a place of increasing x, by straight lines; nothing beyond its ends.
double interpolated(const Numbers& y, const Numbers& x, double place) {
  same_length(y, x, "at");
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == place) return y[i];
    if (i > 0 && (x[i - 1] - place) * (x[i] - place) < 0.0)
      return y[i - 1] + (y[i] - y[i - 1]) * (place - x[i - 1]) / (x[i] - x[i - 1]);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Datum value_of(const Node& node, const Lookup& lookup);

/// Texts are equal or not; nothing else can be asked of two of them.
Datum compared(const Texts& a, const Texts& b, const std::string& who) {
  if (who != "==" && who != "!=") refuse(who + " takes numbers, not text");
  Numbers result(common_size(a.size(), b.size(), who));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = ((a[a.size() == 1 ? 0 : i] == b[b.size() == 1 ? 0 : i]) == (who == "==")) ? 1.0 : 0.0;
  return result;
}

Datum joined(const std::vector<Datum>& parts) {
  Numbers numbers;
  Texts texts;
  for (const Datum& part : parts) {
    if (const auto* some = std::get_if<Numbers>(&part))
      numbers.insert(numbers.end(), some->begin(), some->end());
    else
      texts.insert(texts.end(), std::get<Texts>(part).begin(), std::get<Texts>(part).end());
  }
  if (!numbers.empty() && !texts.empty()) refuse("a list holds numbers or texts, not both");
  if (!texts.empty()) return texts;
  return numbers;
}

Datum called(const std::string& word, const std::vector<Datum>& given) {
  const auto takes = [&](std::size_t count) {
    if (given.size() != count) refuse(fmt::format("{} takes {} values, not {}", word, count, given.size()));
  };
  const auto list = [&](std::size_t i) -> const Numbers& { return as_numbers(given[i], word); };
  if (const Binary* binary = found_in(binaries, word)) {
    takes(2);
    if (given[0].index() == 1 && given[1].index() == 1)
      return compared(std::get<Texts>(given[0]), std::get<Texts>(given[1]), word);
    if (given[0].index() != given[1].index() && (word == "==" || word == "!="))  // null is no word
      return Numbers{word == "!=" ? 1.0 : 0.0};
    return item_by_item(list(0), list(1), word, *binary);
  }
  if (const Unary* unary = found_in(unaries, word)) {
    takes(1);
    Numbers result = list(0);
    for (double& x : result) x = (*unary)(x);
    return result;
  }
  if (const Reduction* reduction = found_in(reductions, word)) {
    takes(1);
    return Numbers{(*reduction)(list(0))};
  }
  if (word == "size") {
    takes(1);
    return Numbers{static_cast<double>(std::visit([](const auto& all) { return all.size(); }, given[0]))};
  }
  if (word == "dot") {
    takes(2);
    same_length(list(0), list(1), word);
    double total = 0.0;
    for (std::size_t i = 0; i < list(0).size(); ++i) total += list(0)[i] * list(1)[i];
    return Numbers{total};
  }
  if (word == "argmax" || word == "argmin") {
    takes(2);
    return Numbers{extreme(list(0), list(1), word == "argmax" ? 1.0 : -1.0, word)};
  }
  if (word == "pick" || word == "first" || word == "last") {
    takes(2);
    Numbers some = picked(list(0), list(1), word);
    if (word == "pick") return some;
    if (some.empty()) return Numbers{std::numeric_limits<double>::quiet_NaN()};
    return Numbers{word == "first" ? some.front() : some.back()};
  }
  if (word == "crossings") {
    takes(2);
    return crossings(list(0), list(1));
  }
  if (word == "at") {
    takes(3);
    return Numbers{interpolated(list(0), list(1), one(list(2), word))};
  }
  if (word == "has") {
    takes(2);
    const auto* words = std::get_if<Texts>(&given[1]);
    if (words == nullptr || words->size() != 1) refuse("has takes texts and a 'word'");
    const auto* texts = std::get_if<Texts>(&given[0]);  // an empty list is one of numbers
    return Numbers{texts != nullptr && std::find(texts->begin(), texts->end(), words->front()) != texts->end() ? 1.0
                                                                                                               : 0.0};
  }
  refuse("there is no function \"" + word + "\"");
}

Datum value_of(const Node& node, const Lookup& lookup) {
  switch (node.what) {
    case Node::What::constant:
      return node.constant;
    case Node::What::name:
      return lookup(node.word);
    case Node::What::list:
    case Node::What::call:
      break;
  }
  if (node.what == Node::What::call && node.word == "if") {
    if (node.parts.size() != 3) refuse(fmt::format("if takes 3 values, not {}", node.parts.size()));
    const double condition = one(as_numbers(value_of(node.parts[0], lookup), "if"), "if");
    return value_of(node.parts[condition != 0.0 ? 1 : 2], lookup);
  }
  std::vector<Datum> parts;
  for (const Node& part : node.parts) parts.push_back(value_of(part, lookup));
  return node.what == Node::What::list ? joined(parts) : called(node.word, parts);
}

}  // namespace

Formula::Formula(std::string_view text) : root_(std::make_shared<Node>(Reader(text).whole())) {}

Datum Formula::value(const Lookup& lookup) const { return value_of(*root_, lookup); }

Numbers numbers_of(const Formula& formula, const Lookup& lookup) {
  const Datum value = formula.value(lookup);
  if (const auto* found = std::get_if<Numbers>(&value)) return *found;
  refuse("must be numbers, not text");
}

double number_of(const Formula& formula, const Lookup& lookup) {
  return one(numbers_of(formula, lookup), "this place");
}

}  // namespace carom::scenario::catalogue
