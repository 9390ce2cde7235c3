// How is a typed problem or result described once, so that reading, writing, error messages and JSON Schema follow?
// A Type<T> knows how a T is read, written and described. Fields<T> lists the members of a struct, each with its name,
// type, description and whether it must be given: adding a field is one line. Behind both stand formats that do not
// know T: they are compiled once, and a description costs next to nothing to compile.
#pragma once

#include <Eigen/Core>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/core/flags.hpp"
#include "carom/core/json_writer.hpp"
#include "carom/core/names.hpp"
#include "carom/schema/mistakes.hpp"
#include "carom/schema/value.hpp"

#pragma GCC visibility push(default)

namespace carom::schema {

/// What the values of one type look like outside. Which type that is, the Type that holds the format knows.
class Format {
public:
  virtual ~Format() = default;
  /// Returns false after adding at least one mistake.
  virtual bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const;
  virtual void write(JsonWriter& json, const void* value) const;
  virtual std::string json_schema() const = 0;

  /// Of an object, the member that answers for what the library calls `name`: one that `object` has, else the first;
  /// `called` becomes its name here. nullptr if there is none.
  virtual const Format* member(std::string_view name, const Value* object, std::string_view& called) const;
  /// Of a list, its items.
  virtual const Format* item() const { return nullptr; }
};
using FormatPointer = std::shared_ptr<const Format>;

/// How a T is read, written and described.
template <class T>
class Type {
public:
  explicit Type(FormatPointer format) : format_(std::move(format)) {}
  bool read(const Value& value, const Path& path, Mistakes& mistakes, T& out) const {
    return format_->read(value, path, mistakes, &out);
  }
  void write(JsonWriter& json, const T& value) const { format_->write(json, &value); }
  std::string json_schema() const { return format_->json_schema(); }
  const FormatPointer& format() const { return format_; }

private:
  FormatPointer format_;
};

/// The range a number must lie in.
struct Range {
  std::optional<double> low, high;
  bool low_excluded = false;

  static Range any() { return {}; }
  static Range positive() { return {0.0, std::nullopt, true}; }
  static Range at_least(double low) { return {low, std::nullopt, false}; }
  static Range between(double low, double high) { return {low, high, false}; }
  /// "must be >= 0", or nothing if `value` is inside.
  std::optional<std::string> problem(double value) const;
};

Type<double> number(Range range = Range::any());  ///< written as null when it is not finite
Type<int> integer(int low, int high);             ///< may be written 2.0
Type<std::size_t> index();                        ///< a number of a list, from 0
Type<double> angle();                             ///< radians, or text such as "30 deg"
Type<bool> boolean();
Type<std::string> text();

/// A vector of exactly N, or a matrix of exactly N x N numbers.
template <int N>
Type<Eigen::Matrix<double, N, 1>> vector();
template <int N>
Type<Eigen::Matrix<double, N, N>> matrix();
/// A vector or matrix of any size but empty; the rows of a matrix are equally long.
Type<Eigen::VectorXd> vector_of_any_size();
Type<Eigen::MatrixXd> matrix_of_any_size();
/// A matrix as the list of its columns.
Type<Eigen::MatrixXd> list_of_columns();

/// An inverse inertia: N x N, symmetric (then averaged), positive definite.
template <int N>
Type<Eigen::Matrix<double, N, N>> inverse_inertia();

/// A unit vector, normalised if it is within the unit tolerance.
template <int N>
Type<Eigen::Matrix<double, N, 1>> unit_vector();

std::string json_quoted(std::string_view text);  ///< as JSON

/// A type with a reader of its own: read(value, path, mistakes, out) -> bool, as Type::read.
template <class T, class Read>
Type<T> custom(Read read, std::string json_schema) {
  class Custom final : public Format {
  public:
    Custom(Read reader, std::string schema) : read_(std::move(reader)), schema_(std::move(schema)) {}
    bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
      return read_(value, path, mistakes, *static_cast<T*>(out));
    }
    std::string json_schema() const override { return schema_; }

  private:
    Read read_;
    std::string schema_;
  };
  return Type<T>(std::make_shared<Custom>(std::move(read), std::move(json_schema)));
}

// --- names ---

/// One of a few names, by number: how to keep the i-th, and which one a value is.
struct ChoiceAccess {
  void (*set)(void* out, std::size_t i);
  std::size_t (*find)(const void* value);
};
FormatPointer choice_format(std::vector<std::string> names, ChoiceAccess access);
/// The number of the name that a value is, or nothing after adding a mistake.
std::optional<std::size_t> chosen(const std::vector<std::string>& names, const Value& value, const Path& path,
                                  Mistakes& mistakes);
std::string choice_schema(const std::vector<std::string>& names);

/// One of the names of an enum.
template <class Enum>
Type<Enum> choice() {
  std::vector<std::string> names;
  for (const Named<Enum>& each : names_of<Enum>) names.push_back(each.name);
  return Type<Enum>(choice_format(std::move(names),
                                  {[](void* out, std::size_t i) { *static_cast<Enum*>(out) = names_of<Enum>[i].value; },
                                   [](const void* value) {
                                     std::size_t i = 0;
                                     while (i < names_of<Enum>.size() &&
                                            names_of<Enum>[i].value != *static_cast<const Enum*>(value))
                                       ++i;
                                     return i;
                                   }}));
}

/// One of a few names that stand for something; for reading.
template <class T>
Type<T> choice(const std::vector<std::pair<std::string, T>>& options) {
  std::vector<std::string> names;
  std::vector<T> meanings;
  for (const auto& [name, meaning] : options) names.push_back(name), meanings.push_back(meaning);
  std::string schema = choice_schema(names);
  return custom<T>(
      [names = std::move(names), meanings = std::move(meanings)](const Value& value, const Path& path,
                                                                 Mistakes& mistakes, T& out) {
        const auto i = chosen(names, value, path, mistakes);
        if (i) out = meanings[*i];
        return i.has_value();
      },
      std::move(schema));
}

/// The flags that are set, by name; for writing.
FormatPointer flags_format(std::vector<std::string> names, bool (*has)(const void* set, std::size_t i));
template <class Enum>
Type<FlagSet<Enum>> flag_names() {
  std::vector<std::string> names;
  for (const Named<Enum>& each : names_of<Enum>) names.push_back(each.name);
  return Type<FlagSet<Enum>>(flags_format(std::move(names), [](const void* set, std::size_t i) {
    return static_cast<const FlagSet<Enum>*>(set)->has(names_of<Enum>[i].value);
  }));
}

// --- lists and what may be absent ---

/// A container of items, whatever they are.
struct ListAccess {
  void (*clear)(void* list, std::size_t expected);
  void* (*add)(void* list);
  std::size_t (*size)(const void* list);
  const void* (*at)(const void* list, std::size_t i);
};
template <class List>
inline constexpr ListAccess list_access = {
    [](void* list, std::size_t expected) {
      static_cast<List*>(list)->clear();
      // Room for what is really there only, where an item takes more than its text.
      if constexpr (requires(List & l) { l.shrink_to_fit(); })
        if (sizeof(typename List::value_type) <= sizeof(Value)) static_cast<List*>(list)->reserve(expected);
    },
    [](void* list) -> void* { return &static_cast<List*>(list)->emplace_back(); },
    [](const void* list) { return static_cast<const List*>(list)->size(); },
    [](const void* list, std::size_t i) -> const void* { return &(*static_cast<const List*>(list))[i]; }};
FormatPointer list_format(FormatPointer item, const ListAccess& access, std::size_t least, std::size_t most);

/// A list of at least `least` items.
template <class T, class List = std::vector<T>>
Type<List> list_of(const Type<T>& item, std::size_t least = 0, std::size_t most = 100'000) {
  return Type<List>(list_format(item.format(), list_access<List>, least, most));
}

struct OptionalAccess {
  void* (*emplace)(void* optional);
  const void* (*get)(const void* optional);  ///< nullptr if it is empty
};
template <class T>
inline constexpr OptionalAccess optional_access = {
    [](void* optional) -> void* { return &static_cast<std::optional<T>*>(optional)->emplace(); },
    [](const void* optional) -> const void* {
      const auto& value = *static_cast<const std::optional<T>*>(optional);
      return value ? &*value : nullptr;
    }};
FormatPointer nullable_format(FormatPointer type, const OptionalAccess& access);

/// A T or null.
template <class T>
Type<std::optional<T>> nullable(const Type<T>& type) {
  return Type<std::optional<T>>(nullable_format(type.format(), optional_access<T>));
}

// --- objects ---

/// Where a member is in its object.
class Member {
public:
  virtual ~Member() = default;
  virtual void* at(void* object) const = 0;
};

/// The fields of an object, whatever its type: what Fields<T> fills.
class ObjectFormat final : public Format {
public:
  enum class When { required, optional };
  using AnyRule = void (*)();
  using RuleCall = void (*)(AnyRule, const void*, const Value&, const Path&, Mistakes&);
  using AnyFunction = void (*)();
  using ComputedCall = void (*)(AnyFunction, JsonWriter&, const void*);

  void add(std::string_view name, std::unique_ptr<Member> member, FormatPointer type, When when,
           const OptionalAccess* absent, std::string_view description);
  void ignore(std::string_view name, std::string_view description, std::string json_schema);
  void refuse(std::string_view name, std::string_view message);
  void add_computed(std::string_view name, AnyFunction function, ComputedCall call, std::string json_schema,
                    std::string_view description);
  void call_last(std::initializer_list<std::string_view> library_names);
  enum class Look { needs_all, needs_some, late };
  void add_rule(std::initializer_list<std::string_view> needs, AnyRule rule, RuleCall call, Look look);

  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override;
  void write(JsonWriter& json, const void* value) const override;
  /// The members, into the object that `json` has open.
  void write_members(JsonWriter& json, const void* value) const;
  std::string json_schema() const override;
  const Format* member(std::string_view name, const Value* object, std::string_view& called) const override;

private:
  struct Field {
    std::string name, quoted, description, fixed_schema, refusal;  ///< quoted: the name as JSON
    std::unique_ptr<Member> member;                                ///< none: ignored, refused or computed
    FormatPointer type;
    const OptionalAccess* absent = nullptr;
    bool required = false;
    std::vector<std::string> library_names;
    AnyFunction function = nullptr;
    ComputedCall computed = nullptr;
  };
  struct Rule {
    AnyRule rule;
    RuleCall call;
    std::uint64_t needs;  // fields as bits
    Look look;
  };
  Field& added(std::string_view name, std::string_view description);
  std::string suggested(std::string_view key) const;  ///< for a key that there is none of

  std::vector<Field> fields_;
  std::vector<std::string> names_;
  std::vector<Rule> rules_;
};

/// The members of a struct T, or of one it derives from.
template <class T>
class Fields {
public:
  /// A member that must be given, and is always written.
  template <class Base, class M>
  requires std::derived_from<T, Base> Fields& required(std::string_view name, M Base::*member, const Type<M>& type,
                                                       std::string_view description) {
    return add(name, member_of<M>(member), type.format(), ObjectFormat::When::required, nullptr, description);
  }
  /// A member that keeps its default when it is absent or null.
  template <class Base, class M>
  requires std::derived_from<T, Base> Fields& optional(std::string_view name, M Base::*member, const Type<M>& type,
                                                       std::string_view description) {
    return add(name, member_of<M>(member), type.format(), ObjectFormat::When::optional, nullptr, description);
  }
  /// An optional member that remembers whether it was given, and is written only then.
  template <class Base, class M>
  requires std::derived_from<T, Base> Fields& optional(std::string_view name, std::optional<M> Base::*member,
                                                       const Type<M>& type, std::string_view description) {
    return add(name, member_of<std::optional<M>>(member), type.format(), ObjectFormat::When::optional,
               &optional_access<M>, description);
  }
  /// The same for something inside a member: `get` gives a reference to it.
  template <class M, class Get>
  requires std::same_as<std::invoke_result_t<Get, T&>, M&> Fields& required(std::string_view name, Get get,
                                                                            const Type<M>& type,
                                                                            std::string_view description) {
    return add(name, inside<M>(get), type.format(), ObjectFormat::When::required, nullptr, description);
  }
  template <class M, class Get>
  requires std::same_as<std::invoke_result_t<Get, T&>, M&> Fields& optional(std::string_view name, Get get,
                                                                            const Type<M>& type,
                                                                            std::string_view description) {
    return add(name, inside<M>(get), type.format(), ObjectFormat::When::optional, nullptr, description);
  }
  /// A word that follows from the object, null for nullptr; for writing.
  Fields& text(std::string_view name, const char* (*word)(const T&), std::string_view description) {
    format_->add_computed(
        name, reinterpret_cast<ObjectFormat::AnyFunction>(word),
        [](ObjectFormat::AnyFunction any, JsonWriter& json, const void* object) {
          const char* found = reinterpret_cast<const char* (*)(const T&)>(any)(*static_cast<const T*>(object));
          found != nullptr ? json.text(found) : json.null();
        },
        R"({"type":["string","null"]})", description);
    return *this;
  }
  /// Something that is true of the object or not; for writing.
  Fields& boolean(std::string_view name, bool (*fact)(const T&), std::string_view description) {
    format_->add_computed(
        name, reinterpret_cast<ObjectFormat::AnyFunction>(fact),
        [](ObjectFormat::AnyFunction any, JsonWriter& json, const void* object) {
          json.boolean(reinterpret_cast<bool (*)(const T&)>(any)(*static_cast<const T*>(object)));
        },
        R"({"type":"boolean"})", description);
    return *this;
  }
  /// A key that is accepted here but read elsewhere.
  Fields& ignored(std::string_view name, std::string_view description, std::string json_schema) {
    format_->ignore(name, description, std::move(json_schema));
    return *this;
  }
  /// A key that does not belong here but is worth more than "unknown field".
  Fields& refused(std::string_view name, std::string_view message) {
    format_->refuse(name, message);
    return *this;
  }
  /// What the library calls the field just added, where that is something else.
  Fields& called(std::initializer_list<std::string_view> library_names) {
    format_->call_last(library_names);
    return *this;
  }

  template <class Base>
  using RuleOf = void (*)(const Base&, const Value&, const Path&, Mistakes&);
  /// Something about several members together, looked at once everything about the object is fine.
  Fields& check(RuleOf<T> rule) { return add_rule({}, rule, ObjectFormat::Look::needs_all); }
  /// The same, looked at once the members it needs are fine, whatever is wrong with the others.
  Fields& check(std::initializer_list<std::string_view> needs, RuleOf<T> rule) {
    return add_rule(needs, rule, ObjectFormat::Look::needs_some);
  }
  template <class Base>
  requires(std::derived_from<T, Base> &&
           !std::same_as<T, Base>) Fields& check(std::initializer_list<std::string_view> needs, RuleOf<Base> rule) {
    return add_rule(needs, rule, ObjectFormat::Look::needs_some);
  }
  /// The same for what solving a row would find anyway: looked at only when something is wrong with the row, because
  /// then its first bad field must be known.
  Fields& late_check(std::initializer_list<std::string_view> needs, RuleOf<T> rule) {
    return add_rule(needs, rule, ObjectFormat::Look::late);
  }
  template <class Base>
  requires(std::derived_from<T, Base> &&
           !std::same_as<T, Base>) Fields& late_check(std::initializer_list<std::string_view> needs,
                                                      RuleOf<Base> rule) {
    return add_rule(needs, rule, ObjectFormat::Look::late);
  }

  bool read(const Value& value, const Path& path, Mistakes& mistakes, T& out) const {
    return format_->read(value, path, mistakes, &out);
  }
  void write_members(JsonWriter& json, const T& value) const { format_->write_members(json, &value); }
  std::string json_schema() const { return format_->json_schema(); }
  std::shared_ptr<const ObjectFormat> format() const { return format_; }

private:
  template <class M>
  static std::unique_ptr<Member> member_of(M T::*member) {
    class Here final : public Member {
    public:
      explicit Here(M T::*where) : where_(where) {}
      void* at(void* object) const override { return &(static_cast<T*>(object)->*where_); }

    private:
      M T::*where_;
    };
    return std::make_unique<Here>(member);
  }
  template <class M, class Get>
  static std::unique_ptr<Member> inside(Get get) {
    class Here final : public Member {
    public:
      explicit Here(Get how) : get_(how) {}
      void* at(void* object) const override { return &get_(*static_cast<T*>(object)); }

    private:
      Get get_;
    };
    return std::make_unique<Here>(get);
  }
  Fields& add(std::string_view name, std::unique_ptr<Member> member, FormatPointer type, ObjectFormat::When when,
              const OptionalAccess* absent, std::string_view description) {
    format_->add(name, std::move(member), std::move(type), when, absent, description);
    return *this;
  }
  template <class Base>
  Fields& add_rule(std::initializer_list<std::string_view> needs, RuleOf<Base> rule, ObjectFormat::Look look) {
    format_->add_rule(
        needs, reinterpret_cast<ObjectFormat::AnyRule>(rule),
        [](ObjectFormat::AnyRule any, const void* object, const Value& value, const Path& path, Mistakes& mistakes) {
          reinterpret_cast<RuleOf<Base>>(any)(*static_cast<const T*>(object), value, path, mistakes);
        },
        look);
    return *this;
  }

  std::shared_ptr<ObjectFormat> format_ = std::make_shared<ObjectFormat>();
};

/// An object with these members.
template <class T>
Type<T> object(const Fields<T>& fields) {
  return Type<T>(fields.format());
}

/// The place to blame for a member: its own if it is in the object, else the object's.
int place_of(const Value& object, std::string_view key);

/// What the library has against an object, said of the field that the object has: "contacts[3].friction" ->
/// "contacts[3].mu".
void add_library_error(const Format& format, const Value& object, const Path& path, const InvalidInput& error,
                       Mistakes& mistakes);

}  // namespace carom::schema

#pragma GCC visibility pop
