#include <cmath>
#include <fmt/format.h>
#include <map>

#include "carom/scenario/reproduce.hpp"

namespace carom::scenario {

namespace {

report::Table entries_table(std::span<const Reproduction> results) {
  report::Table table{"entries", "What is printed, and what comes out", {}};
  table.columns = {{"id", "id", ""},           {"where", "where", ""},       {"quantity", "quantity", ""},
                   {"printed", "printed", ""}, {"computed", "computed", ""}, {"difference", "difference", ""},
                   {"comparison", "now", ""},  {"verdict", "verdict", ""},   {"as_expected", "as expected", ""},
                   {"why", "why", ""}};
  for (const Reproduction& result : results) {
    const Printed& printed = result.printed;
    table.add_row({printed.id, printed.where, printed.quantity,
                   printed.text + (printed.unit.empty() || printed.text.empty() ? "" : " " + printed.unit), result.said,
                   result.difference, std::string(name(result.comparison)), std::string(name(printed.verdict)),
                   result.as_expected, printed.why});
  }
  return table;
}

struct Count {
  std::size_t entries = 0, computed = 0, unexpected = 0;
};

std::map<PrintVerdict, Count> counts(std::span<const Reproduction> results) {
  std::map<PrintVerdict, Count> all;
  for (const Reproduction& result : results) {
    Count& count = all[result.printed.verdict];
    ++count.entries;
    count.computed += result.comparison != Comparison::not_computed;
    count.unexpected += !result.as_expected;
  }
  return all;
}

report::Table counts_table(std::span<const Reproduction> results) {
  report::Table table{"verdicts", "Entries by verdict", {}};
  table.columns = {{"verdict", "verdict", ""},
                   {"entries", "entries", ""},
                   {"computed", "computed now", ""},
                   {"unexpected", "not as expected", ""}};
  for (const auto& [verdict, count] : counts(results))
    table.add_row({std::string(name(verdict)), static_cast<double>(count.entries), static_cast<double>(count.computed),
                   static_cast<double>(count.unexpected)});
  return table;
}

std::string summary_of(const Work& work, std::span<const Reproduction> results) {
  std::size_t computed = 0, unexpected = 0;
  for (const auto& [verdict, count] : counts(results)) computed += count.computed, unexpected += count.unexpected;
  return fmt::format("{}: {} entries, {} computed now, {} not as expected.", work.title(), results.size(), computed,
                     unexpected);
}

/// A cell of a table in Markdown.
std::string cell_text(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
  return out;
}

}  // namespace

report::Document describe(const Work& work, std::span<const Reproduction> results) {
  report::Document document;
  document.title = work.title();
  document.kind = "reproduce";
  document.summary = summary_of(work, results);
  document.tables = {entries_table(results), counts_table(results)};
  for (const Reproduction& result : results)
    if (!result.as_expected)
      document.notes.push_back(fmt::format("{}: {} ({}), where the catalogue says {}.", result.printed.id,
                                           name(result.comparison), result.said, name(result.printed.verdict)));
  return document;
}

std::string reproduction_page(const Work& work, std::span<const Reproduction> results) {
  std::string page = fmt::format(
      "# {}\n\nMade by `carom reproduce {} --markdown`. The models are explained in "
      "[{}](../{}).\n\n{}\n\n",
      work.title(), work.name(), work.theory(), work.theory(), summary_of(work, results));
  page += "| verdict | entries | computed now |\n|---|---|---|\n";
  for (const auto& [verdict, count] : counts(results))
    page += fmt::format("| {} | {} | {} |\n", name(verdict), count.entries, count.computed);
  page += "\n| where | what | printed | computed | verdict | why |\n|---|---|---|---|---|---|\n";
  for (const Reproduction& result : results) {
    const Printed& printed = result.printed;
    std::string how =
        cell_text(result.comparison == Comparison::not_computed ? "not computed: " + result.said : result.said);
    if (!printed.scenario.empty() && result.said != printed.scenario) how += "; ";
    if (!printed.scenario.empty()) {
      if (result.said == printed.scenario) how.clear();
      how += fmt::format("[{0}](../../scenarios/{0}.yaml)", printed.scenario);
      for (const std::string& plot : printed.plots) how += " `" + plot + "`";
    }
    page +=
        fmt::format("| {} | {} | {} | {} | {} | {} |\n", cell_text(printed.where), cell_text(printed.quantity),
                    cell_text(printed.text + (printed.unit.empty() || printed.text.empty() ? "" : " " + printed.unit)),
                    how, name(printed.verdict), cell_text(printed.why));
  }
  return page;
}

}  // namespace carom::scenario
