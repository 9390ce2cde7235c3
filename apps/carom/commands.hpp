// What each command does, once the command line is understood. Each returns an exit code.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

constexpr int fine = 0, failed = 1, bad_input = 2;

/// An option that cannot be understood: "--set: must be path=value, ...".
struct BadOption : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct RunOptions {
  std::string scenario, folder;  ///< folder: "" for one named after the scenario
  std::vector<std::string> set;
  bool json = false, quiet = false, no_files = false;
};
struct SweepOptions : RunOptions {
  std::vector<std::string> vary, show;
};

int run(const RunOptions& options);
int sweep(const SweepOptions& options);
int check(const std::vector<std::string>& names);

struct ListOptions {
  bool json = false;
  std::optional<std::string> kind;  ///< "": the kinds themselves
};
int list(const ListOptions& options);

struct NewOptions {
  std::string kind, model, file;  ///< file: "" for standard output
};
int new_scenario(const NewOptions& options);

struct ExplainOptions {
  std::vector<std::string> words;  ///< none: all, without their meanings
  bool json = false, markdown = false;
};
int explain(const ExplainOptions& options);

struct ReproduceOptions {
  std::vector<std::string> works, only;  ///< works: names, or files; none: all that come with carom
  std::string html;                      ///< a file for a page; "": none
  std::string markdown;                  ///< a folder for pages of the docs; "": none
  bool json = false, list = false;
};
int reproduce(const ReproduceOptions& options);

struct ValidateOptions {
  std::vector<std::string> sets;  ///< names, or files; none: all that come with carom
  std::string data;               ///< a table of planar impacts
  double mass = 0.0364;           ///< of the body in it [kg]
  double gyration = 0.01924;      ///< its radius of gyration [m]
  bool json = false, list = false;
};
int validate(const ValidateOptions& options);

int solve(const std::string& source, int threads);
int schema(bool rows);

/// The kinds of scenarios and the words of the glossary, each once: for completion.
std::vector<std::string> kind_names();
std::vector<std::string> glossary_words();
