// How do other programs call carom?
// JSON Lines in, JSON Lines out: one model call per line, in order, streamed in bounded memory. A bad row answers with
// an error object and the run goes on. The interface is described in docs/solve.md.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace carom::scenario {

/// Lines longer than this are answered with an error row without being parsed [bytes].
inline constexpr std::size_t max_solve_line = 64'000'000;

struct SolveSummary {
  std::size_t rows = 0;    ///< rows answered, good or bad (blank lines do not count)
  std::size_t errors = 0;  ///< rows answered with an error
};

/// Answer one line of input, without its line break. `failed` tells whether the answer is an error row.
std::string solve_row(std::string_view line, bool& failed);

/// What solve_row would answer to a line if something is wrong with its fields, else "". Does not solve.
std::string check_row(std::string_view line);

/// The JSON Schema (draft 2020-12) of rows and of their answers, model by model, from the definitions that read and
/// write them.
std::string rows_schema();

/// Answer every line of `in` on `out`, in order, on `threads` threads (0: one per core).
/// The output does not depend on the number of threads.
SolveSummary solve_stream(std::istream& in, std::ostream& out, int threads = 1);

}  // namespace carom::scenario

#pragma GCC visibility pop
