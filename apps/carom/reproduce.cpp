#include "carom/scenario/reproduce.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

#include "carom/report/files.hpp"
#include "carom/report/writers.hpp"
#include "carom/schema/mistakes.hpp"

#include "commands.hpp"
#include "long_work.hpp"
#include "screen.hpp"
#include "shipped.hpp"

namespace fs = std::filesystem;
namespace scenario = carom::scenario;
namespace report = carom::report;

namespace {

/// A file, or the name of a shipped catalogue.
fs::path work_file(const std::string& word) {
  std::error_code error;
  if (fs::is_regular_file(word, error)) return word;
  std::vector<std::string> known;
  for (const fs::path& file : yaml_files(shipped_works())) {
    known.push_back(file.stem().string());
    if (known.back() == word) return file;
  }
  const std::string meant = carom::schema::suggestion(word, known);
  throw BadOption("there is no work '" + word + "'" + meant + (meant.empty() ? ";" : "") +
                  " `carom reproduce --list` shows them");
}

/// Two lines an entry, and those that come out otherwise than expected stand out.
void print(const scenario::Work& work, const std::vector<scenario::Reproduction>& results) {
  const std::size_t width = screen_width();
  std::cout << report::wrapped_text(work.title(), width) << "\n\n";
  for (const scenario::Reproduction& result : results) {
    const scenario::Printed& printed = result.printed;
    std::string text = printed.where + ": " + printed.quantity + ".";
    if (!printed.text.empty())
      text += " Printed " + printed.text + (printed.unit.empty() ? "" : " " + printed.unit) + ".";
    text += result.comparison == scenario::Comparison::not_computed ? " Not computed: " : " Now ";
    text += result.said;
    if (result.difference > 0.0) text += ", off by " + fmt::format("{:.2g}", result.difference);
    if (result.comparison != scenario::Comparison::not_computed)
      text += std::string(" (") + carom::name(result.comparison) + ")";
    text += std::string(": ") + carom::name(printed.verdict) + (printed.why.empty() ? "." : ", " + printed.why + ".");
    std::cout << (result.as_expected ? "  " : "! ") << printed.id << "\n    " << report::wrapped_text(text, width, 4, 4)
              << "\n";
  }
  std::cout << "\n";
}

void print_summary(const std::vector<report::Document>& documents) {
  for (const report::Document& document : documents) {
    std::cout << report::wrapped_text(document.summary, screen_width()) << "\n";
    for (const std::string& note : document.notes)
      std::cout << "  ! " << report::wrapped_text(note, screen_width(), 4, 4) << "\n";
  }
}

void print_list(const scenario::Work& work) {
  std::cout << work.name() << ": " << work.title() << "\n";
  for (const scenario::Printed& entry : work.entries())
    std::cout << "  " << entry.id << "  "
              << report::wrapped_text(entry.where + ": " + entry.quantity, screen_width(), 6, entry.id.size() + 4)
              << "\n";
}

/// A page a work with its figures in a folder beside it, and, of everything that comes with carom, the table of
/// verdicts.
void write_pages(const ReproduceOptions& options, const std::vector<scenario::Work>& works,
                 const std::vector<scenario::ReproducedWork>& reproduced) {
  const fs::path folder = options.markdown;
  std::vector<scenario::PageFigure> figures;
  fs::create_directories(folder / "figures");
  for (const scenario::ReproducedWork& each : reproduced)
    report::write_file(folder / (each.work.name() + ".md"), scenario::reproduction_page(each, figures));
  for (const scenario::PageFigure& figure : figures) report::write_file(folder / "figures" / figure.name, figure.svg);
  if (options.works.empty() && options.only.empty())
    report::write_file(folder / "README.md",
                       "# What the works print, and what is true\n\nMade by `carom reproduce --markdown`; "
                       "[how entries are written](../reproduce-format.md).\n\n" +
                           scenario::verdicts_table(works, ""));
}

}  // namespace

int reproduce(const ReproduceOptions& options) {
  // Said before the work, not after.
  if (const fs::path folder = fs::path(options.html).parent_path(); !folder.empty() && !fs::is_directory(folder))
    throw BadOption("--html: there is no folder '" + folder.string() + "'");
  std::vector<scenario::Work> works;
  if (options.works.empty())
    for (const fs::path& file : yaml_files(shipped_works())) works.push_back(scenario::load_work(file));
  for (const std::string& word : options.works) works.push_back(scenario::load_work(work_file(word)));
  if (options.list) {
    for (const scenario::Work& work : works) print_list(work);
    return fine;
  }
  // An id belongs to one work: those that do not have it are not asked.
  const auto ids_of = [&](const scenario::Work& work) {
    std::vector<std::string> ids;
    for (const scenario::Printed& entry : work.entries())
      if (std::find(options.only.begin(), options.only.end(), entry.id) != options.only.end()) ids.push_back(entry.id);
    return ids;
  };
  std::size_t found = 0;
  for (const scenario::Work& work : works) found += ids_of(work).size();
  if (found < options.only.size()) {
    std::vector<std::string> known;
    for (const scenario::Work& work : works)
      for (const scenario::Printed& entry : work.entries()) known.push_back(entry.id);
    for (const std::string& id : options.only)
      if (std::find(known.begin(), known.end(), id) == known.end())
        throw BadOption("--only: there is no entry '" + id + "'" + carom::schema::suggestion(id, known));
  }
  LongWork long_work;
  const carom::Progress progress = long_work.progress();
  int result = fine;
  std::string pages;
  std::vector<report::Document> documents;
  std::vector<scenario::ReproducedWork> reproduced;
  double done = 0.0;  // works
  for (const scenario::Work& work : works) {
    const std::vector<std::string> ids = ids_of(work);
    if (!options.only.empty() && ids.empty()) continue;
    const carom::Progress told{[&](double share) { progress.at((done + share) / static_cast<double>(works.size())); },
                               progress.cancelled};
    reproduced.push_back(
        {work, scenario::reproduce(work, {.scenarios = shipped_scenarios(), .only = ids, .progress = told})});
    ++done;
    const std::vector<scenario::Reproduction>& entries = reproduced.back().results;
    for (const scenario::Reproduction& entry : entries)
      if (!entry.as_expected) result = failed;
    documents.push_back(scenario::describe(work, entries));
    if (options.json)
      pages += (pages.empty() ? "" : ",\n") + report::json_text(documents.back());
    else if (options.html.empty() && options.markdown.empty())
      print(work, entries);
  }
  if (!options.html.empty()) report::write_file(options.html, scenario::reproduction_html(reproduced));
  if (!options.markdown.empty()) write_pages(options, works, reproduced);
  if (options.json)
    std::cout << "[" << pages << "]\n";
  else
    print_summary(documents);
  return result;
}
