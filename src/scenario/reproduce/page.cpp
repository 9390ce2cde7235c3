#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "carom/core/utf8.hpp"
#include "carom/report/writers.hpp"
#include "carom/scenario/reproduce.hpp"

namespace carom::scenario {

namespace {

std::string printed_text(const Printed& printed) {
  return printed.text + (printed.unit.empty() || printed.text.empty() ? "" : " " + printed.unit);
}

report::Table entries_table(std::span<const Reproduction> results) {
  report::Table table{"entries", "What is printed, and what comes out", {}};
  table.columns = {{"id", "id", ""},           {"where", "where", ""},       {"quantity", "quantity", ""},
                   {"printed", "printed", ""}, {"computed", "computed", ""}, {"difference", "difference", ""},
                   {"comparison", "now", ""},  {"verdict", "verdict", ""},   {"as_expected", "as expected", ""},
                   {"why", "why", ""}};
  for (const Reproduction& result : results) {
    const Printed& printed = result.printed;
    table.add_row({printed.id, printed.where, printed.quantity, printed_text(printed), result.said, result.difference,
                   std::string(name(result.comparison)), std::string(name(printed.verdict)), result.as_expected,
                   printed.why});
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

/// A verdict in words.
std::string spoken(PrintVerdict verdict) {
  std::string words = name(verdict);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

/// What came out: nothing for a figure, which is shown.
std::string computed_text(const Reproduction& result) {
  if (result.comparison == Comparison::not_computed) return "not computed: " + result.said;
  if (result.comparison == Comparison::drawn) return "";
  return result.said;
}

bool is_figure(const Reproduction& result) { return !result.figures.empty(); }

/// The file of a picture: the same picture may show several entries, and the same scenario with other settings draws
/// another one.
std::string file_of(const std::string& wanted, std::string svg, std::vector<PageFigure>& figures) {
  std::string name = wanted + ".svg";
  for (int n = 2;; ++n) {
    const auto same = std::find_if(figures.begin(), figures.end(), [&](const auto& each) { return each.name == name; });
    if (same == figures.end()) break;
    if (same->svg == svg) return name;
    name = wanted + "_" + std::to_string(n) + ".svg";
  }
  figures.push_back({name, std::move(svg)});
  return name;
}

/// Text for Markdown, where it may stand in a cell of a table.
std::string markdown(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : c == '\n' ? " " : c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

// --- the page of a browser ---

constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #1b1d21; --page: #ffffff; --line: #d5d8dd; --soft: #f4f5f7; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6ea; --page: #16181c; --line: #3a3e46; --soft: #1f2228; --bad: #ff8a80; }
}
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--page); margin: 2rem auto;
  max-width: 78rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 2rem; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .5rem; text-align: left; vertical-align: top; }
td:nth-child(3), td:nth-child(4) { overflow-wrap: anywhere; min-width: 7rem; }
td:nth-child(6) { white-space: nowrap; }
th { background: var(--soft); position: sticky; top: 0; }
tr.unexpected td { color: var(--bad); font-weight: 600; }
.figure { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.5rem; margin: 1rem 0;
  padding: 1rem; border: 1px solid var(--line); border-radius: .4rem; }
.figure svg { width: 100%; max-width: 42rem; height: auto; }
.figure.unexpected { border-color: var(--bad); }
@media (max-width: 50rem) { .figure { grid-template-columns: 1fr; } }
)";

std::string cell(const std::string& text) { return "<td>" + xml_escape(text) + "</td>"; }

void add_html(std::string& page, const ReproducedWork& reproduced) {
  const auto& [work, results] = reproduced;
  page += fmt::format("<h2 id=\"{0}\">{1}</h2>\n<p>{2} The models are explained in <code>docs/{3}</code>.</p>\n",
                      xml_escape(work.name()), xml_escape(work.title()), xml_escape(summary_of(work, results)),
                      xml_escape(work.theory()));
  page +=
      "<table><tr><th>where</th><th>what</th><th>printed</th><th>computed</th><th>difference</th><th>verdict</th>"
      "<th>why</th></tr>\n";
  for (const Reproduction& result : results) {
    if (is_figure(result)) continue;
    const Printed& printed = result.printed;
    page += result.as_expected ? "<tr>" : "<tr class=\"unexpected\">";
    page += cell(printed.where) + cell(printed.quantity) + cell(printed_text(printed)) + cell(computed_text(result)) +
            cell(result.difference > 0.0 ? fmt::format("{:.2g}", result.difference) : "") +
            cell(spoken(printed.verdict)) + cell(printed.why) + "</tr>\n";
  }
  page += "</table>\n";
  for (const Reproduction& result : results) {
    if (!is_figure(result)) continue;
    const Printed& printed = result.printed;
    page += result.as_expected ? "<div class=\"figure\"><div>" : "<div class=\"figure unexpected\"><div>";
    for (const report::Plot& plot : result.figures) page += report::svg_text(plot);
    page += fmt::format("</div><div><h3>{}</h3><p>{}</p>", xml_escape(printed.where), xml_escape(printed.quantity));
    if (!printed.why.empty()) page += "<p>" + xml_escape(printed.why) + "</p>";
    page += fmt::format("<p><code>carom run {}</code></p></div></div>\n", xml_escape(printed.scenario));
  }
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

std::string verdicts_table(std::span<const Work> works, const std::string& pages) {
  std::string head = "| work | entries |", rule = "|---|---|";
  for (const auto& each : names_of<PrintVerdict>) head += " " + spoken(each.value) + " |", rule += "---|";
  std::string rows;
  std::map<PrintVerdict, std::size_t> all;
  std::size_t entries = 0, bound = 0;
  const auto add = [&](const std::string& called, std::size_t count, std::map<PrintVerdict, std::size_t>& by_verdict,
                       std::size_t computed) {
    rows += fmt::format("| {} | {} |", called, count);
    for (const auto& each : names_of<PrintVerdict>)
      rows += by_verdict[each.value] == 0 ? "  |" : fmt::format(" {} |", by_verdict[each.value]);
    rows += fmt::format(" {} |\n", computed);
  };
  for (const Work& work : works) {
    std::map<PrintVerdict, std::size_t> here;
    std::size_t computed = 0;
    const std::vector<Printed> printed = work.entries();
    for (const Printed& each : printed) ++here[each.verdict], ++all[each.verdict], computed += each.bound;
    entries += printed.size(), bound += computed;
    add(fmt::format("[{0}]({1}{0}.md)", work.name(), pages), printed.size(), here, computed);
  }
  add("all", entries, all, bound);
  return head + " computed now |\n" + rule + "---|\n" + rows;
}

std::string reproduction_page(const ReproducedWork& reproduced, std::vector<PageFigure>& figures) {
  const auto& [work, results] = reproduced;
  std::string page = fmt::format(
      "# {}\n\nMade by `carom reproduce --markdown`; `carom reproduce {}` prints it, computed on your machine. The "
      "models "
      "are explained in [{}](../{}).\n\n{}\n\n",
      work.title(), work.name(), work.theory(), work.theory(), summary_of(work, results));
  page += "| verdict | entries | computed now |\n|---|---|---|\n";
  for (const auto& [verdict, count] : counts(results))
    page += fmt::format("| {} | {} | {} |\n", name(verdict), count.entries, count.computed);
  const auto scenario = [](const Printed& printed) {
    return printed.scenario.empty() ? "" : fmt::format("[{0}](../../scenarios/{0}.yaml)", printed.scenario);
  };
  page +=
      "\n## Numbers and claims\n\n| where | what | printed | computed | verdict | why |\n|---|---|---|---|---|---|\n";
  bool drawn = false;
  for (const Reproduction& result : results) {
    drawn = drawn || is_figure(result);
    if (is_figure(result)) continue;
    const Printed& printed = result.printed;
    std::string how = markdown(computed_text(result));
    if (!printed.scenario.empty()) how += (how.empty() ? "" : "; ") + scenario(printed);
    page += fmt::format("| {} | {} | {} | {} | {} | {} |\n", markdown(printed.where), markdown(printed.quantity),
                        markdown(printed_text(printed)), how, name(printed.verdict), markdown(printed.why));
  }
  if (!drawn) return page;
  page += "\n## Figures\n\n| now | where, and what must be seen |\n|---|---|\n";
  for (const Reproduction& result : results) {
    if (!is_figure(result)) continue;
    const Printed& printed = result.printed;
    std::string shown;
    for (const report::Plot& plot : result.figures)
      shown += fmt::format("![{}](figures/{})", markdown(plot.title),
                           file_of(printed.scenario + "_" + plot.name, report::svg_text(plot), figures));
    page += fmt::format("| {} | **{}**: {}{} {} |\n", shown, markdown(printed.where), markdown(printed.quantity),
                        printed.why.empty() ? "." : ". " + markdown(printed.why) + ".", scenario(printed));
  }
  return page;
}

std::string reproduction_html(std::span<const ReproducedWork> all) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>What the works print, and what is true</title>\n<style>";
  page += style;
  page += "</style></head>\n<body>\n<h1>What the works print, and what is true</h1>\n";
  page += "<table><tr><th>work</th><th>entries</th><th>computed now</th><th>not as expected</th></tr>\n";
  for (const auto& [work, results] : all) {
    std::size_t computed = 0, unexpected = 0;
    for (const auto& [verdict, count] : counts(results)) computed += count.computed, unexpected += count.unexpected;
    page += fmt::format("<tr><td><a href=\"#{}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        xml_escape(work.name()), xml_escape(work.title()), results.size(), computed, unexpected);
  }
  page += "</table>\n";
  for (const ReproducedWork& each : all) add_html(page, each);
  return page + "</body></html>\n";
}

}  // namespace carom::scenario
