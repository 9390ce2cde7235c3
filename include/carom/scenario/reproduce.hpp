// What do the works print, and is it true?
// A catalogue lists the numbers, figures and claims of a work: where they stand, what is printed, what became of it and
// why. Each entry is bound to what computes it: a row of `carom solve`, a scenario, or many of them. Nothing computed
// is stored: reproduce() computes it now and compares. docs/reproduce-format.md describes the files.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/core/names.hpp"
#include "carom/core/progress.hpp"
#include "carom/report/document.hpp"

#pragma GCC visibility push(default)

namespace carom {
namespace scenario {

/// What became of something printed.
enum class PrintVerdict {
  reproduced,      ///< comes out as printed
  rounding,        ///< off in its last digit
  step_error,      ///< the text's own error of integration
  typo,            ///< a slip of the print
  refuted,         ///< does not come out
  claim,           ///< something said of all cases, or of many: holds
  figure,          ///< something to be seen
  inputs_missing,  ///< cannot be computed from what is printed
  experiment,      ///< a measurement of the text's
  timing,          ///< of the text's machine
};

/// How what is computed now compares with what is printed.
enum class Comparison {
  agrees,        ///< to every digit printed
  last_digit,    ///< off by at most two of the last digit printed
  differs,       ///< by more
  holds,         ///< the condition of the entry is true
  fails,         ///< it is not
  drawn,         ///< the picture is made
  not_computed,  ///< nothing is; the entry says why
  error,         ///< could not be computed
};

}  // namespace scenario

template <>
inline constexpr auto names_of<scenario::PrintVerdict> = std::to_array<Named<scenario::PrintVerdict>>({
    {scenario::PrintVerdict::reproduced, "reproduced"},
    {scenario::PrintVerdict::rounding, "rounding"},
    {scenario::PrintVerdict::step_error, "step_error"},
    {scenario::PrintVerdict::typo, "typo"},
    {scenario::PrintVerdict::refuted, "refuted"},
    {scenario::PrintVerdict::claim, "claim"},
    {scenario::PrintVerdict::figure, "figure"},
    {scenario::PrintVerdict::inputs_missing, "inputs_missing"},
    {scenario::PrintVerdict::experiment, "experiment"},
    {scenario::PrintVerdict::timing, "timing"},
});

template <>
inline constexpr auto names_of<scenario::Comparison> = std::to_array<Named<scenario::Comparison>>({
    {scenario::Comparison::agrees, "agrees"},
    {scenario::Comparison::last_digit, "last digit"},
    {scenario::Comparison::differs, "differs"},
    {scenario::Comparison::holds, "holds"},
    {scenario::Comparison::fails, "fails"},
    {scenario::Comparison::drawn, "drawn"},
    {scenario::Comparison::not_computed, "not computed"},
    {scenario::Comparison::error, "error"},
});

namespace scenario {

/// One thing that a work prints, as it stands in its catalogue.
struct Printed {
  std::string id, where, quantity, unit;
  std::string text;  ///< as printed; "" for a figure without numbers
  PrintVerdict verdict = PrintVerdict::reproduced;
  std::string why;                 ///< the reason, if it is not reproduced; what must be seen, of a figure
  std::string scenario;            ///< the shipped scenario that computes it, or ""
  std::vector<std::string> plots;  ///< its pictures that show it
  bool bound = true;               ///< something computes it
};

/// A work and its catalogue. Holds what computes the entries, too.
class Work {
public:
  const std::string& name() const;    ///< of its file: "jia-2012"
  const std::string& title() const;   ///< "Jia 2012, Three-dimensional impact: ..."
  const std::string& theory() const;  ///< page of the docs, "theory/compliant.md"
  std::vector<Printed> entries() const;

private:
  struct Loaded;
  friend Work load_work(const std::filesystem::path&);
  friend struct WorkInside;
  explicit Work(std::shared_ptr<const Loaded> loaded) : loaded_(std::move(loaded)) {}
  std::shared_ptr<const Loaded> loaded_;
};

/// Reads one catalogue.
/// @throws BadScenario with every mistake found
Work load_work(const std::filesystem::path& file);

/// An entry and what became of it now.
struct Reproduction {
  Printed printed;
  Comparison comparison = Comparison::not_computed;
  bool as_expected = false;           ///< the comparison is what the verdict says
  std::vector<double> computed;       ///< what stands for the printed numbers
  std::string said;                   ///< the same as text, or what could not be computed
  double difference = 0.0;            ///< largest, from the printed numbers; NaN if there are none
  std::vector<report::Plot> figures;  ///< the pictures that show it, as they came out
};

struct ReproductionRequest {
  std::filesystem::path scenarios;    ///< folder of the shipped scenarios
  std::span<const std::string> only;  ///< ids; empty: all entries
  Progress progress = {};
};

/// Computes the entries, on all cores, in their order.
/// @throws InvalidInput naming `only` if there is no entry of that id; Cancelled
std::vector<Reproduction> reproduce(const Work& work, const ReproductionRequest& request);

/// The results as a document: a table of the entries, and one of the counts per verdict.
report::Document describe(const Work& work, std::span<const Reproduction> results);

/// The results of one work.
struct ReproducedWork {
  Work work;
  std::vector<Reproduction> results;
};

/// A figure of a page: a file beside it, in the folder `figures`.
struct PageFigure {
  std::string name, svg;
};

/// The results as a page of the docs, in Markdown, with figures beside what must be seen in them.
/// @param figures  takes the pictures that the page shows
std::string reproduction_page(const ReproducedWork& reproduced, std::vector<PageFigure>& figures);

/// All results as one page of a browser that needs nothing else, figures inside.
std::string reproduction_html(std::span<const ReproducedWork> all);

/// What the works print, and what is true: a row for each work with its entries by verdict, as a table in Markdown.
/// @param pages  where the works' pages are, from where the table stands: "docs/reproduce/"
std::string verdicts_table(std::span<const Work> works, const std::string& pages);

}  // namespace scenario
}  // namespace carom

#pragma GCC visibility pop
