// The one definition of the command line: its help, its manual page and its completions all come from it.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>

/// What the command line asks for, once it is understood.
using Action = std::function<int()>;

/// The commands and their options. Parsing leaves what is to be done in `action`. The type name of an option tells how
/// shells complete it: SCENARIO, FILE, DIR, KIND, WORD, SHELL.
std::unique_ptr<CLI::App> command_line(Action& action);

/// "no command 'lst', did you mean 'list'?": what is wrong with a command line that was not understood.
std::string complaint(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments);
