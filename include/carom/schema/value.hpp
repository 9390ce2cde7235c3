// A parsed file or row before anyone knows what it means: null, booleans, numbers, text, lists and objects, each with
// the place it stood at. YAML and JSON both end up here, so one reader (fields.hpp) serves scenario files and `solve`.
// A tree is one list of small nodes, a container directly before its content; text and numbers are slices of what was
// read, and a number becomes a double when it is asked for. So a row of any kind costs a few times its own length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace carom::schema {

class Tree;

/// One value. It lives in its tree and is passed on by reference.
class Value {
public:
  enum class Kind : unsigned char { null, boolean, number, text, list, object };
  struct Member;
  template <class At>
  class Range;
  class ItemAt;
  class MemberAt;

  Kind kind() const { return static_cast<Kind>(kind_); }
  bool is_null() const { return kind() == Kind::null; }
  /// Where it stands: in a file its line, from 1 (for a member of an object, that of its key); in a row its byte, from
  /// 0.
  int place() const { return static_cast<int>(place_); }

  /// Of text, what it says; of a boolean or number, how it was written.
  std::string_view text() const { return is_container() ? std::string_view() : std::string_view(text_, size_); }
  bool boolean() const { return kind() == Kind::boolean && *text_ == 't'; }
  /// The nearest double: infinite when the number is too large for one, zero when it is too small.
  double number() const;

  /// How many items a list or members an object has.
  std::size_t size() const { return is_container() ? size_ : 0; }
  Range<ItemAt> items() const;      ///< of a list
  Range<MemberAt> members() const;  ///< of an object, in the order of the input; duplicates are kept
  /// The first member under `key`, or nullptr.
  const Value* find(std::string_view key) const;
  /// The value that follows this one and its content.
  const Value* next() const { return this + (is_container() ? extent_ : 1); }

private:
  friend class Tree;
  Value() = default;
  Value(const Value&) = default;
  Value& operator=(const Value&) = default;
  bool is_container() const { return kind() == Kind::list || kind() == Kind::object; }

  union {
    const char* text_;      // of scalars
    std::uint64_t extent_;  // of containers: nodes, this one and its whole content; 0 while it is being read
  };
  std::uint32_t size_;
  std::uint32_t place_ : 29;
  std::uint32_t kind_ : 3;
};

struct Value::Member {
  std::string_view key;
  const Value& value;
};

class Value::ItemAt {
public:
  explicit ItemAt(const Value* at) : at_(at) {}
  const Value& operator*() const { return *at_; }
  ItemAt& operator++() { return at_ = at_->next(), *this; }
  bool operator==(const ItemAt&) const = default;

private:
  const Value* at_;
};

class Value::MemberAt {  // a key is a text directly before its value
public:
  explicit MemberAt(const Value* key) : key_(key) {}
  Member operator*() const { return {key_->text(), key_[1]}; }
  MemberAt& operator++() { return key_ = key_[1].next(), *this; }
  bool operator==(const MemberAt&) const = default;

private:
  const Value* key_;
};

template <class At>
class Value::Range {
public:
  Range(const Value* first, const Value* last) : first_(first), last_(last) {}
  At begin() const { return At(first_); }
  At end() const { return At(last_); }

private:
  const Value *first_, *last_;
};

inline Value::Range<Value::ItemAt> Value::items() const {
  return kind() == Kind::list ? Range<ItemAt>(this + 1, next()) : Range<ItemAt>(this, this);
}
inline Value::Range<Value::MemberAt> Value::members() const {
  return kind() == Kind::object ? Range<MemberAt>(this + 1, next()) : Range<MemberAt>(this, this);
}

/// The owner of values: one root and what it holds. Readers add the nodes in the order of the input.
class Tree {
public:
  /// The greatest place a value can have, and so the longest text that can be read.
  static constexpr std::size_t max_place = (std::size_t{1} << 29) - 1;

  const Value& root() const { return nodes_[0]; }

  /// Forget everything; room for `nodes` values. (What is not used of it is never touched.)
  void start(std::size_t nodes);
  std::size_t size() const { return count_; }
  const Value& operator[](std::size_t node) const { return nodes_[node]; }
  /// A scalar. `text` must outlive the tree: a slice of the input, or kept.
  void add(Value::Kind kind, std::string_view text, std::size_t place);
  std::size_t open(Value::Kind kind, std::size_t place);  ///< a list or object; returns its node
  void count_item(std::size_t container) { ++nodes_[container].size_; }
  void close(std::size_t container) { nodes_[container].extent_ = count_ - container; }
  bool is_open(std::size_t node) const { return nodes_[node].is_container() && nodes_[node].extent_ == 0; }
  void repeat(std::size_t node, std::size_t place);  ///< a copy of an earlier value
  void put(std::size_t node, std::size_t place) { nodes_[node].place_ = place & max_place; }
  std::string_view keep(std::string_view text);  ///< a copy that lives as long as the tree

private:
  Value& added();

  std::unique_ptr<Value[]> nodes_;
  std::size_t count_ = 0, capacity_ = 0;
  std::vector<std::unique_ptr<char[]>> kept_;
  std::size_t kept_left_ = 0;  // bytes free at the end of the last of them
  char* kept_at_ = nullptr;
};

/// The value as JSON, numbers as they were written.
std::string json_text(const Value& value);

/// The value as a message shows it: JSON, shortened when long.
std::string shown(const Value& value);

/// The first byte that is not part of a UTF-8 character, or the size of the text.
std::size_t first_not_utf8(std::string_view text);

}  // namespace carom::schema

#pragma GCC visibility pop
