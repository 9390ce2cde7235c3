// Walks over the bytes of a file: words and numbers of its text, values of its binary parts, and where a mistake is.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace carom::soft {

class Scanner {
public:
  /// @param prefix   goes before the place in errors: "node, "
  /// @param comment  starts a comment to the end of the line (0: there are none)
  explicit Scanner(std::string_view text, std::string prefix = {}, char comment = 0)
      : text_(text), prefix_(std::move(prefix)), comment_(comment) {}

  std::size_t place() const { return at_; }
  void go_to(std::size_t place) { at_ = place; }
  /// Where the next word, or binary value, begins.
  std::size_t mark() {
    if (!binary_) skip_space();
    return at_;
  }
  std::size_t left() const { return text_.size() - at_; }
  std::string_view rest() const { return text_.substr(at_); }

  /// The next word, empty at the end of the file.
  std::string_view word();
  /// Whether a word is left on this line.
  bool word_on_line();
  /// The rest of this line, without its end.
  std::string_view line();

  /// The next word as a number. `what` says what it should be: "the x of a vertex".
  std::int64_t integer(const char* what);
  double number(const char* what);
  /// The next word as a count of things that take `bytes` each at least: refused if the file is too short for them.
  std::size_t count(const char* what, std::size_t bytes);
  /// The same for a count known already, from `place`.
  std::size_t checked_count(std::int64_t count, const char* what, std::size_t bytes, std::size_t place);

  /// From here on places are bytes, and values have these bytes' order.
  void binary(bool swapped) { binary_ = true, swapped_ = swapped; }
  template <class T>
  T value() {
    if (left() < sizeof(T)) fail("ends too early");
    char bytes[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = text_[at_ + (swapped_ ? sizeof(T) - 1 - i : i)];
    at_ += sizeof(T);
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }
  void skip(std::size_t bytes, const char* what);

  [[noreturn]] void fail(const std::string& message) const { fail_at(at_, message); }
  [[noreturn]] void fail_at(std::size_t place, const std::string& message) const;
  /// Of the word that was read last.
  [[noreturn]] void fail_word(const std::string& message) const { fail_at(word_at_, message); }

private:
  void skip_space();

  std::string_view text_;
  std::string prefix_;
  char comment_;
  std::size_t at_ = 0, word_at_ = 0;
  bool binary_ = false, swapped_ = false;
};

/// What a message shows of a word: at most forty printable characters.
std::string shown(std::string_view word);

}  // namespace carom::soft
