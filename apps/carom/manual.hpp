// The manual page and the completions of shells, made from the definition of the command line.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>

/// For man: troff with the macros of man(7).
std::string manual_page(const CLI::App& app);

/// For `bash`, `zsh` or `fish`.
std::string completion(const CLI::App& app, std::string_view shell);
