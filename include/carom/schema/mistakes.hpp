// What is wrong with an input, and where?
// Readers go on after a mistake and collect what they find. Of a file all mistakes are wanted, by line; of a row only
// the one that stands first.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace carom::schema {

class Value;

/// Where the reader is, as a chain on the stack; made into text only when there is something to say.
struct Path {
  const Path* up = nullptr;
  std::string_view key = {};
  int index = -1;

  Path at(std::string_view name) const& { return {this, name, -1}; }
  Path at(int i) const& { return {this, {}, i}; }
  Path at(std::string_view) const&& = delete;  // the path would point at a temporary
  Path at(int) const&& = delete;
  std::string text() const;  ///< "bodies[0].mass"
};

/// One thing wrong with a file.
struct Mistake {
  int line = 0;         ///< from 1; 0 when it belongs to no line (of a row: its byte)
  std::string path;     ///< where in the file's structure: "bodies[0].mass"; "" for the file as a whole
  std::string message;  ///< "must be positive, got -1"
};

/// More mistakes than this are counted, not listed: nobody reads them, and a file must not make its own report endless.
inline constexpr std::size_t max_mistakes = 100;

/// What was found wrong so far, and where the names of other files start. Of a file all mistakes are kept in the order
/// they were found, their places are lines. Of a row only the one that stands first is, places are bytes.
struct Mistakes {
  enum class Of { file, row };
  explicit Mistakes(Of what = Of::file) : of(what) {}

  void add(const Path& path, int place, std::string message);
  /// Something legal that is hardly meant. Rows have no place to say it.
  void warn(const Path& path, int place, std::string message);
  /// Something that an object lacks. In a row that comes after all the object has.
  void add_missing(const Path& path, const Value& object, std::string message);
  /// Whether a mistake at this place would be kept: what only makes its message can be left out otherwise.
  bool keeps(int place) const {
    return of == Of::file ? list.size() < max_mistakes : list.empty() || place < list.front().line;
  }
  std::size_t count() const { return count_; }  ///< found so far, kept or not

  Of of;
  /// Look for everything that could be wrong with a row, also for what solving it would find: Fields::late_check.
  bool thorough = false;
  std::vector<Mistake> list;
  std::vector<Mistake> warnings;
  std::filesystem::path folder = {};

private:
  std::size_t count_ = 0;
};

/// "must be <wanted>, got <value>"; returns false.
bool wrong_type(std::string_view wanted, const Value& value, const Path& path, Mistakes& mistakes);

/// ", did you mean 'x'?" when a known name is near, else "".
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace carom::schema

#pragma GCC visibility pop
