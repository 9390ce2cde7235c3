// How is a document written down?
// As text for a terminal, as JSON for programs, as CSV per table and plot, as SVG per plot. These functions only make
// text; files.hpp puts it on a disk.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace carom::report {

struct Document;
struct Plot;
struct Table;

/// How a document is written on a terminal.
struct TerminalOptions {
  bool color = false;       ///< headings and warnings in ANSI colours
  int digits = 6;           ///< significant digits of numbers
  std::size_t width = 100;  ///< columns; less than 40 count as 40
  std::string files = {};   ///< the folder that write_folder() wrote into, to name the files of long tables; "": none
};

/// The document as aligned plain text: columns that do not fit side by side follow below, long texts are wrapped, long
/// tables show their first and last rows, what is empty is left out, and rounding (1e-12 of the largest number of a
/// column) is shown as 0.
std::string terminal_text(const Document& document, const TerminalOptions& options = {});

/// Prose broken at spaces into lines of at most `width` columns, or 96: wider lines are hard to read.
/// @param indent      columns before every line but the first
/// @param first_used  columns of the first line that are taken
std::string wrapped_text(std::string_view text, std::size_t width, std::size_t indent = 0, std::size_t first_used = 0);

/// The document as JSON: {"title","kind","summary","facts":{key:{"value","unit","label"}},
/// "tables":{name:{"title","columns":[{"key","label","unit","cells"}..]}},"plots":{name:{"title","caption","x","y",
/// "curves","lines","markers","heat_map"}},"scenes":{name:{..}},"notes"}: docs/report-format.md. Numbers in shortest
/// round-trip form; one line unless `pretty` and shorter than 4 MB.
std::string json_text(const Document& document, bool pretty = true);

/// The table as CSV (RFC 4180), one header row of "key [unit]", vectors spread over columns key_0, key_1, ...
/// @throws InvalidInput if the columns are not equally long
std::string csv_text(const Table& table);

/// What a plot shows as CSV: curves, lines and markers one point a row ("element,legend,label,x,y"), or a heat map one
/// cell a row ("x_low,x_high,y_low,y_high,value"), or faces ("x_0,y_0,x_1,y_1,x_2,y_2,value"). A plot with one of these
/// and more gives these.
std::string csv_text(const Plot& plot);

/// What a figure carries besides the drawing; a page that sets its own heading and caption turns them off.
struct SvgOptions {
  std::string heading = {};  ///< what the plot belongs to, set above its title
  bool title = true;
  bool caption = true;
};

/// The plot as a self-contained SVG that follows the reader's light or dark page and prints black on white.
/// Points that are not finite (or not positive on a logarithmic axis) leave a gap. Its colours are CSS variables
/// (--carom-ink, --carom-page, --carom-blue, ...) that a page may set on `.carom-plot`.
/// @throws InvalidInput if a heat map's edges do not increase or its values do not fill its cells
std::string svg_text(const Plot& plot, const SvgOptions& options = {});

}  // namespace carom::report

#pragma GCC visibility pop
