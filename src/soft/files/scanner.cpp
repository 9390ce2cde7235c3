#include "scanner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

namespace carom::soft {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

}  // namespace

std::string shown(std::string_view word) {
  std::string text;
  for (const char c : word.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
  return word.size() > 40 ? text + "..." : text;
}

void Scanner::fail_at(std::size_t place, const std::string& message) const {
  place = std::min(place, text_.size());
  const std::string where =
      binary_ ? "byte " + std::to_string(place)
              : "line " + std::to_string(1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(place), '\n'));
  throw InvalidInput(prefix_ + where, message);
}

void Scanner::skip_space() {
  for (; at_ < text_.size(); ++at_) {
    if (comment_ != 0 && text_[at_] == comment_)
      while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    else if (!is_space(text_[at_]))
      return;
  }
}

std::string_view Scanner::word() {
  skip_space();
  word_at_ = at_;
  while (at_ < text_.size() && !is_space(text_[at_]) && (comment_ == 0 || text_[at_] != comment_)) ++at_;
  return text_.substr(word_at_, at_ - word_at_);
}

bool Scanner::word_on_line() {
  while (at_ < text_.size() && text_[at_] != '\n' && is_space(text_[at_])) ++at_;
  return at_ < text_.size() && text_[at_] != '\n' && (comment_ == 0 || text_[at_] != comment_);
}

std::string_view Scanner::line() {
  const std::size_t first = at_, end = std::min(text_.find('\n', at_), text_.size());
  at_ = std::min(end + 1, text_.size());
  std::string_view line = text_.substr(first, end - first);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::int64_t Scanner::integer(const char* what) {
  const std::string_view text = word();
  if (text.empty()) fail(std::string("ends where ") + what + " should be");
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail_word(std::string(what) + " must be a whole number, got " + shown(text));
  return value;
}

double Scanner::number(const char* what) {
  std::string_view text = word();
  if (text.empty()) fail(std::string("ends where ") + what + " should be");
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  if (!parse_number(text, value) || !std::isfinite(value))
    fail_word(std::string(what) + " must be a finite number, got " + shown(text));
  return value;
}

std::size_t Scanner::checked_count(std::int64_t count, const char* what, std::size_t bytes, std::size_t place) {
  if (count < 0) fail_at(place, std::string(what) + " must be >= 0, got " + std::to_string(count));
  if (std::uint64_t(count) > left() / bytes)
    fail_at(place, std::string(what) + " is " + std::to_string(count) + ", more than the file has room for");
  return std::size_t(count);
}

std::size_t Scanner::count(const char* what, std::size_t bytes) {
  const std::int64_t value = integer(what);
  return checked_count(value, what, bytes, word_at_);
}

void Scanner::skip(std::size_t bytes, const char* what) {
  if (bytes > left()) fail(std::string("ends within ") + what);
  at_ += bytes;
}

}  // namespace carom::soft
