#include "math_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "carom/core/utf8.hpp"

#include "svg_number.hpp"
#include "utf8.hpp"

namespace carom::report {

namespace {

struct Symbol {
  std::string_view name, text;
  bool italic;
};

// Lower-case Greek is italic like other variables, capitals, operators and function names are upright (ISO 80000-2).
constexpr Symbol symbols[] = {
    {"alpha", "α", true},     {"beta", "β", true},       {"gamma", "γ", true},   {"delta", "δ", true},
    {"epsilon", "ε", true},   {"varepsilon", "ε", true}, {"zeta", "ζ", true},    {"eta", "η", true},
    {"theta", "θ", true},     {"iota", "ι", true},       {"kappa", "κ", true},   {"lambda", "λ", true},
    {"mu", "μ", true},        {"nu", "ν", true},         {"xi", "ξ", true},      {"pi", "π", true},
    {"rho", "ρ", true},       {"sigma", "σ", true},      {"tau", "τ", true},     {"upsilon", "υ", true},
    {"phi", "φ", true},       {"varphi", "φ", true},     {"chi", "χ", true},     {"psi", "ψ", true},
    {"omega", "ω", true},     {"Gamma", "Γ", false},     {"Delta", "Δ", false},  {"Theta", "Θ", false},
    {"Lambda", "Λ", false},   {"Xi", "Ξ", false},        {"Pi", "Π", false},     {"Sigma", "Σ", false},
    {"Phi", "Φ", false},      {"Psi", "Ψ", false},       {"Omega", "Ω", false},  {"cdot", "·", false},
    {"times", "×", false},    {"pm", "±", false},        {"le", "≤", false},     {"leq", "≤", false},
    {"ge", "≥", false},       {"geq", "≥", false},       {"ne", "≠", false},     {"neq", "≠", false},
    {"approx", "≈", false},   {"sim", "∼", false},       {"propto", "∝", false}, {"infty", "∞", false},
    {"partial", "∂", true},   {"degree", "°", false},    {"circ", "∘", false},   {"to", "→", false},
    {"sum", "∑", false},      {"int", "∫", false},       {"sqrt", "√", false},   {"prime", "′", false},
    {"parallel", "∥", false}, {"perp", "⊥", false},      {"ell", "ℓ", true},     {"cap", "∩", false},
    {"sin", "sin", false},    {"cos", "cos", false},     {"tan", "tan", false},  {"atan", "atan", false},
    {"log", "log", false},    {"ln", "ln", false},       {"exp", "exp", false},  {"max", "max", false},
    {"min", "min", false},    {"sgn", "sgn", false},     {"quad", " ", false},
};

/// Accents follow their letter as combining characters.
constexpr Symbol accents[] = {
    {"dot", "\u0307", true}, {"ddot", "\u0308", true},  {"hat", "\u0302", true},
    {"bar", "\u0304", true}, {"tilde", "\u0303", true}, {"vec", "\u20D7", true},
};

template <std::size_t N>
const Symbol* find(const Symbol (&table)[N], std::string_view name) {
  const auto* it = std::find_if(std::begin(table), std::end(table), [&](const Symbol& s) { return s.name == name; });
  return it == std::end(table) ? nullptr : it;
}

/// Signs that stand apart from what they relate: "a = b".
bool is_relation(char32_t c) {
  return c == '=' || c == '<' || c == '>' || std::u32string_view(U"≤≥≠≈∼∝→∩∥⊥").find(c) != std::u32string_view::npos;
}

bool is_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= 0x3B1 && c <= 0x3C9); }

class Parser {
public:
  std::vector<TextRun> take() { return std::move(runs_); }

  void plain(std::string_view text) {
    while (!text.empty()) {
      if (text.starts_with("\\$")) {
        add("$", false, false, Script::base);
        text.remove_prefix(2);
        continue;
      }
      std::string one;
      append_utf8(one, take_code_point(text));
      if (one == "\n" || one == "\t" || one == "\r") one = " ";
      add(one, false, false, Script::base);
    }
  }

  void math(std::string_view text, Script script = Script::base, bool upright = false) {
    while (!text.empty()) atom(text, script, upright);
  }

private:
  void add(std::string_view text, bool is_math, bool italic, Script script) {
    if (text.empty()) return;
    if (!runs_.empty()) {
      TextRun& last = runs_.back();
      if (last.math == is_math && last.italic == italic && last.script == script) {
        last.text += text;
        return;
      }
    }
    runs_.push_back({std::string(text), is_math, italic, script});
  }

  /// A relation with space on both sides, except at the start ("=0.5" alone) and in indices.
  void add_relation(std::string_view sign, Script script) {
    const bool apart = script == Script::base && !runs_.empty() && runs_.back().math;
    if (apart) add(" ", true, false, script);
    add(sign, true, false, script);
    if (apart) add(" ", true, false, script);
  }

  /// What follows a command, `_` or `^`: a {group}, a \command or one character, taken off `text`.
  static std::string_view argument(std::string_view& text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    if (text.empty()) return {};
    if (text.front() == '{') {
      int depth = 0;
      std::size_t i = 0;
      for (; i < text.size(); ++i) {
        if (text[i] == '{') ++depth;
        if (text[i] == '}' && --depth == 0) break;
      }
      const std::string_view group = text.substr(1, std::min(i, text.size()) - 1);
      text.remove_prefix(std::min(i + 1, text.size()));
      return group;
    }
    const std::string_view before = text;
    if (text.front() == '\\') {
      text.remove_prefix(1);
      command_name(text);
    } else {
      take_code_point(text);
    }
    return before.substr(0, before.size() - text.size());
  }

  static std::string_view command_name(std::string_view& text) {
    std::size_t n = 0;
    while (n < text.size() && std::isalpha(static_cast<unsigned char>(text[n])) != 0) ++n;
    if (n == 0 && !text.empty()) n = 1;
    const std::string_view name = text.substr(0, n);
    text.remove_prefix(n);
    return name;
  }

  void atom(std::string_view& text, Script script, bool upright) {
    const char c = text.front();
    if (c == '_' || c == '^') {
      text.remove_prefix(1);
      std::string_view group = argument(text);
      // A word as an index is a name, not a product of variables: upright.
      const bool word = group.size() >= 3 && std::all_of(group.begin(), group.end(), [](char g) {
                          return std::isalpha(static_cast<unsigned char>(g)) != 0;
                        });
      const bool in_exponent = script == Script::super || script == Script::super_sub;
      const Script index = in_exponent ? Script::super_sub : Script::sub;
      math(group, c == '_' ? index : Script::super, upright || word);
    } else if (c == '\\') {
      text.remove_prefix(1);
      command(text, script, upright);
    } else if (c == '{') {
      math(argument(text), script, upright);
    } else if (c == '}') {
      text.remove_prefix(1);
    } else if (c == '-') {
      text.remove_prefix(1);
      add("−", true, false, script);
    } else if (c == '\'') {
      text.remove_prefix(1);
      add("′", true, false, script);
    } else {
      const char32_t code = take_code_point(text);
      const bool space = code == ' ' || code == '\n' || code == '\t' || code == '\r';
      // As in TeX, spaces in math are the setter's business, not the writer's; words (upright) keep theirs.
      if (space && !upright) return;
      std::string one;
      append_utf8(one, space ? U' ' : code);
      if (is_relation(code)) {
        add_relation(one, script);
      } else {
        add(one, true, !upright && is_letter(code), script);
      }
    }
  }

  void command(std::string_view& text, Script script, bool upright) {
    const std::string_view name = command_name(text);
    if (name == "mathrm" || name == "text" || name == "mathsf") {
      math(argument(text), script, true);
    } else if (name == "frac") {
      const std::string_view above = argument(text), below = argument(text);
      math(above, script, upright);
      add("/", true, false, script);
      math(below, script, upright);
    } else if (name == "," || name == ";" || name == ":" || name == " ") {
      add("\u2009", true, false, script);
    } else if (name == "!") {
      return;
    } else if (const Symbol* accent = find(accents, name)) {
      math(argument(text), script, upright);
      add(accent->text, true, !runs_.empty() && runs_.back().italic, script);
    } else if (const Symbol* symbol = find(symbols, name)) {
      std::string_view first = symbol->text;
      if (is_relation(take_code_point(first))) return add_relation(symbol->text, script);
      // A function's name stands apart from its argument.
      const bool function = symbol->text == symbol->name;
      add(symbol->text, true, symbol->italic && !upright, script);
      if (function && text.starts_with(' ')) add("\u2009", true, false, script);
    } else {
      add(name, true, false, script);
    }
  }

  std::vector<TextRun> runs_;
};

/// The end of the math that starts at `begin` (just after its dollar sign), if it ends.
std::optional<std::size_t> closing_dollar(std::string_view markup, std::size_t begin) {
  for (std::size_t i = begin; i < markup.size(); ++i) {
    if (markup[i] == '\\') {
      ++i;
    } else if (markup[i] == '$') {
      return i;
    }
  }
  return std::nullopt;
}

// Digits and signs only: Unicode has some letters as indices but not all ("ₓ" but no y), and Pₓ beside P_y reads badly.
std::optional<std::string> as_script(std::string_view text, Script script) {
  static constexpr std::string_view from = "0123456789+=()";
  static constexpr std::u32string_view sub = U"₀₁₂₃₄₅₆₇₈₉₊₌₍₎", super = U"⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁼⁽⁾";
  std::string out;
  while (!text.empty()) {
    const char32_t c = take_code_point(text);
    if (c == U'−') {
      append_utf8(out, script == Script::sub ? U'₋' : U'⁻');
      continue;
    }
    const std::size_t at = c < 0x80 ? from.find(static_cast<char>(c)) : std::string_view::npos;
    if (at == std::string_view::npos) return std::nullopt;
    append_utf8(out, (script == Script::sub ? sub : super)[at]);
  }
  return out;
}

// The reader's font may be wider still than the one measured.
constexpr double width_slack = 1.04;

// Advance widths of the printable ASCII characters in hundredths of the font size, those of a wide common sans serif.
constexpr std::array<unsigned char, 95> ascii_width = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

double character_width(char32_t c) {
  if (c >= 32 && c < 127) return 0.01 * ascii_width[c - 32];
  if ((c >= 0x0300 && c <= 0x036F) || (c >= 0x20D0 && c <= 0x20FF)) return 0.0;
  if (c == 0x2009) return 0.2;
  if (c == 0xB7) return 0.32;
  if (c == 0x2212 || c == 0xD7 || (c >= 0x2200 && c <= 0x22FF)) return 0.84;
  if (c >= 0x2E80) return 1.0;  // East Asian and other full-width characters
  return 0.64;
}

constexpr double script_size = 0.72, super_sub_size = 0.6;

double size_of(Script script) {
  return script == Script::base ? 1.0 : script == Script::super_sub ? super_sub_size : script_size;
}

// Serif italic letters are up to this much wider than the sans serif of the table.
constexpr double math_width = 1.08;

double run_width(const TextRun& run, double font_size) {
  double sum = 0.0;
  for (std::string_view rest = run.text; !rest.empty();) sum += character_width(take_code_point(rest));
  return sum * width_slack * font_size * size_of(run.script) * (run.math ? math_width : 1.0);
}

}  // namespace

std::vector<TextRun> parse_markup(std::string_view markup) {
  Parser parser;
  std::size_t at = 0;
  while (at < markup.size()) {
    std::size_t dollar = at;
    while (dollar < markup.size() && markup[dollar] != '$') {
      dollar += markup[dollar] == '\\' && dollar + 1 < markup.size() && markup[dollar + 1] == '$' ? 2 : 1;
    }
    const auto end = dollar < markup.size() ? closing_dollar(markup, dollar + 1) : std::nullopt;
    if (!end) {
      parser.plain(markup.substr(at));
      break;
    }
    parser.plain(markup.substr(at, dollar - at));
    parser.math(markup.substr(dollar + 1, *end - dollar - 1));
    at = *end + 1;
  }
  return parser.take();
}

std::string plain_text(std::string_view markup) {
  std::string out;
  const auto runs = parse_markup(markup);
  for (std::size_t i = 0; i < runs.size();) {
    if (runs[i].script == Script::base) {
      out += runs[i++].text;
      continue;
    }
    const Script script = runs[i].script == Script::sub ? Script::sub : Script::super;
    std::string text;  // the whole script, whatever its styles
    for (bool index = false; i < runs.size(); ++i) {
      const bool index_before = std::exchange(index, runs[i].script == Script::super_sub);
      if (runs[i].script != script && !(index && script == Script::super)) break;
      if (index && !index_before) text += '_';
      text += runs[i].text;
    }
    if (const auto exact = as_script(text, script)) {
      out += *exact;
    } else {
      out += script == Script::sub ? '_' : '^';
      const bool group = script == Script::super && display_width(text) > 1;
      if (group) out += '(';
      out += text;
      if (group) out += ')';
    }
  }
  return out;
}

std::string svg_tspans(const std::vector<TextRun>& runs, double font_size) {
  constexpr double sub_drop = 0.24, super_rise = 0.38, super_sub_rise = 0.22;  // of the font size
  std::string out;
  double shift = 0.0;  // where the baseline is now, down from the line's
  for (const TextRun& run : runs) {
    const double wanted = run.script == Script::sub         ? sub_drop * font_size
                          : run.script == Script::super     ? -super_rise * font_size
                          : run.script == Script::super_sub ? -super_sub_rise * font_size
                                                            : 0.0;
    std::string attributes;
    if (run.math) attributes += run.italic ? " class=\"math var\"" : " class=\"math\"";
    if (run.script != Script::base) attributes += " font-size=\"" + svg_number(size_of(run.script) * font_size) + "\"";
    if (wanted != shift) attributes += " dy=\"" + svg_number(wanted - shift) + "\"";
    shift = wanted;
    if (attributes.empty()) {
      out += xml_escape(run.text);
    } else {
      out += "<tspan" + attributes + ">" + xml_escape(run.text) + "</tspan>";
    }
  }
  return out;
}

double text_width(const std::vector<TextRun>& runs, double font_size) {
  double sum = 0.0;
  for (const TextRun& run : runs) sum += run_width(run, font_size);
  return sum;
}

double text_width(std::string_view markup, double font_size) { return text_width(parse_markup(markup), font_size); }

std::vector<std::string> wrap_markup(std::string_view markup, double font_size, double width) {
  std::vector<std::string> lines;
  std::string line, word;
  const auto end_word = [&] {
    if (word.empty()) return;
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && text_width(longer, font_size) > width) {
      lines.push_back(line);
      line = word;
    } else {
      line = longer;
    }
    word.clear();
  };
  bool in_math = false;
  for (std::size_t i = 0; i < markup.size(); ++i) {
    const char c = markup[i];
    if (c == '\\' && i + 1 < markup.size()) {
      word += c;
      word += markup[++i];
    } else if (c == '$') {
      in_math = in_math || closing_dollar(markup, i + 1) ? !in_math : in_math;
      word += c;
    } else if (!in_math && (c == ' ' || c == '\n' || c == '\t')) {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace carom::report
