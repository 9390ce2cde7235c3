// The scenarios that come with carom, and the file that a word of the command line means.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

/// A word that names no scenario: "craddle: there is no such file, ..., did you mean 'cradle'? ...".
struct NoScenario : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where an installation puts them, or beside a program that was built and not installed.
std::filesystem::path shipped_scenarios();

/// The catalogues of what the works print, beside the scenarios.
std::filesystem::path shipped_works();
/// The measurements, beside them.
std::filesystem::path shipped_sets();
/// The .yaml files of a folder, sorted by name.
std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder);

/// Sorted by name.
std::vector<std::filesystem::path> shipped_files();

/// A file, or the name of a shipped scenario.
/// @throws NoScenario with the nearest name
std::filesystem::path scenario_file(const std::string& name);
