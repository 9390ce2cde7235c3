// How does "$P_x$ [N s]" look to a reader?
// The markup of document.hpp is parsed once into runs of equally styled text; from these come plain Unicode text (for
// terminals), SVG tspans, and an estimate of the width a figure must leave for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom::report {

/// `super_sub` is the index of an exponent: t_1 in e^{t_1}.
enum class Script { base, sub, super, super_sub };

/// A stretch of text in one style. `math` runs come from between dollar signs.
struct TextRun {
  std::string text;
  bool math = false;
  bool italic = false;
  Script script = Script::base;
};

/// The markup as styled runs. A `$` without a partner, an unknown \command and `\$` are kept as text.
std::vector<TextRun> parse_markup(std::string_view markup);

/// The markup as plain Unicode: "$\mu^2$" becomes "μ²"; what has no such character keeps its sign ("P_x", "e^kt").
std::string plain_text(std::string_view markup);

/// The runs as the content of an SVG <text> set at `font_size` px.
std::string svg_tspans(const std::vector<TextRun>& runs, double font_size);

/// Width in px at `font_size`, an estimate on the wide side because the reader's font is not known here.
double text_width(const std::vector<TextRun>& runs, double font_size);
double text_width(std::string_view markup, double font_size);

/// The markup broken at spaces outside math into lines no wider than `width` px where the words allow.
std::vector<std::string> wrap_markup(std::string_view markup, double font_size, double width);

}  // namespace carom::report
