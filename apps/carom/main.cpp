// carom: the command line. Thin: it finds files, calls `scenario`, and hands documents to the writers of `report`.
#include <CLI/Error.hpp>
#include <exception>
#include <iostream>

#include "carom/scenario/scenario.hpp"

#include "command_line.hpp"
#include "commands.hpp"
#include "shipped.hpp"

namespace {

/// What was printed has to arrive: a full device or a closed output is a failure, whatever the command was.
int exit_code(int code) {
  std::cout.flush();
  if (std::cout) return code;
  std::cerr << "carom: the output cannot be written\n";
  return code == bad_input ? bad_input : failed;
}

/// Understands the command line and does what it asks for.
int answer(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  Action action;
  const auto app = command_line(action);
  try {
    app->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return exit_code(app->exit(error) == 0 ? fine : bad_input);  // --help, --version
    std::cerr << complaint(*app, error, {argv + 1, argv + argc}) << "\n";
    return bad_input;
  }
  return exit_code(action());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return answer(argc, argv);
  } catch (const carom::scenario::BadScenario& error) {
    std::cerr << error.what() << "\n";
    return bad_input;
  } catch (const NoScenario& error) {
    std::cerr << error.what() << "\n";
    return bad_input;
  } catch (const BadOption& error) {
    std::cerr << "carom: " << error.what() << "\n";
    return bad_input;
  } catch (const std::exception& error) {
    std::cerr << "carom: " << error.what() << "\n";
    return failed;
  }
}
