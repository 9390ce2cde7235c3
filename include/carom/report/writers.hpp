// How does a document reach a reader?
// As text on a terminal, as JSON for programs, as CSV per table and SVG per plot, and as a folder of all of them.
// Files are written under a temporary name and renamed, so a reader never sees half a file.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "carom/report/document.hpp"

namespace carom::report {

/// The document as aligned plain text; with `color`, headings and warnings use ANSI colours.
/// Numbers are shown with `digits` significant digits.
std::string terminal_text(const Document& document, bool color = false, int digits = 6);

/// The document as JSON: {"title","kind","summary","facts":{key:{"value","unit","label"}},
/// "tables":{name:{"title","columns":[{"key","label","unit"}..],"rows"}},"plots":[name..],"notes"}. Numbers in shortest
/// round-trip form, one line unless `pretty`.
std::string json_text(const Document& document, bool pretty = true);

/// The table as CSV (RFC 4180), one header row of "key [unit]", vectors spread over columns key_0, key_1, ...
/// @throws InvalidInput if a row is not as long as the columns
std::string csv_text(const Table& table);

/// What a figure carries besides the drawing; a page that sets its own heading and caption turns them off.
struct SvgOptions {
  bool title = true;
  bool caption = true;
};

/// The plot as a self-contained SVG that follows the reader's light or dark page and prints black on white.
/// Points that are not finite (or not positive on a logarithmic axis) leave a gap. Its colours are CSS variables
/// (--carom-ink, --carom-page, --carom-blue, ...) that a page may set on `.carom-plot`.
/// @throws InvalidInput if a heat map's edges do not increase or its values do not fill its cells
std::string svg_text(const Plot& plot, const SvgOptions& options = {});

/// Write `text` to `file` atomically: either the whole new content is there, or what was there before.
/// @throws std::runtime_error naming the file and the reason
void write_file(const std::filesystem::path& file, const std::string& text);

/// Write report.json, <table>.csv and <plot>.svg into `folder` (made if missing); the files written, in order.
/// @throws std::runtime_error naming the file and the reason; InvalidInput, before anything is written, if a name
///         cannot be a file name or is used twice
std::vector<std::filesystem::path> write_folder(const Document& document, const std::filesystem::path& folder);

}  // namespace carom::report
