#include "carom/schema/fields.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace carom::schema {

bool Format::read(const Value&, const Path&, Mistakes&, void*) const {
  throw std::logic_error("a type that is only written was to be read");
}

void Format::write(JsonWriter&, const void*) const {
  throw std::logic_error("a type that is only read was to be written");
}

const Format* Format::member(std::string_view, const Value*, std::string_view&) const { return nullptr; }

std::string json_quoted(std::string_view text) {
  std::string result;
  JsonWriter(result).text(text);
  return result;
}

std::optional<std::size_t> chosen(const std::vector<std::string>& names, const Value& value, const Path& path,
                                  Mistakes& mistakes) {
  if (value.kind() == Value::Kind::text)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == value.text()) return i;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  mistakes.add(path, value.place(),
               "must be one of " + list + ", got " + shown(value) + suggestion(value.text(), names));
  return std::nullopt;
}

std::string choice_schema(const std::vector<std::string>& names) {
  std::string schema;
  for (const std::string& name : names) schema += (schema.empty() ? "" : ",") + json_quoted(name);
  return "{\"enum\":[" + schema + "]}";
}

namespace {

class Choice final : public Format {
public:
  Choice(std::vector<std::string> names, ChoiceAccess access) : names_(std::move(names)), access_(access) {
    for (const std::string& name : names_) quoted_.push_back(json_quoted(name));
  }
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    const auto i = chosen(names_, value, path, mistakes);
    if (i) access_.set(out, *i);
    return i.has_value();
  }
  void write(JsonWriter& json, const void* value) const override {
    const std::size_t i = access_.find(value);
    i < quoted_.size() ? json.raw(quoted_[i]) : json.null();
  }
  std::string json_schema() const override { return choice_schema(names_); }

private:
  std::vector<std::string> names_, quoted_;
  ChoiceAccess access_;
};

class FlagNames final : public Format {
public:
  FlagNames(std::vector<std::string> names, bool (*has)(const void*, std::size_t))
      : names_(std::move(names)), has_(has) {}
  void write(JsonWriter& json, const void* value) const override {
    json.begin_array();
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (has_(value, i)) json.text(names_[i]);
    json.end_array();
  }
  std::string json_schema() const override { return "{\"type\":\"array\",\"items\":" + choice_schema(names_) + "}"; }

private:
  std::vector<std::string> names_;
  bool (*has_)(const void*, std::size_t);
};

class List final : public Format {
public:
  List(FormatPointer item, const ListAccess& access, std::size_t least, std::size_t most)
      : item_(std::move(item)), access_(access), least_(least), most_(most) {}
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    if (value.kind() != Value::Kind::list) return wrong_type("a list", value, path, mistakes);
    if (value.size() < least_ || value.size() > most_) {
      mistakes.add(path, value.place(),
                   (value.size() < least_ ? "must have at least " + std::to_string(least_)
                                          : "must have at most " + std::to_string(most_)) +
                       " items, got " + std::to_string(value.size()));
      return false;
    }
    bool good = true;
    access_.clear(out, value.size());
    int i = 0;
    for (const Value& each : value.items()) {
      good &= item_->read(each, path.at(i++), mistakes, access_.add(out));
      if (!good && mistakes.of == Mistakes::Of::row) break;  // what follows is not the first mistake
    }
    return good;
  }
  void write(JsonWriter& json, const void* value) const override {
    json.begin_array();
    for (std::size_t i = 0; i < access_.size(value); ++i) item_->write(json, access_.at(value, i));
    json.end_array();
  }
  std::string json_schema() const override {
    return "{\"type\":\"array\",\"minItems\":" + std::to_string(least_) + ",\"items\":" + item_->json_schema() + "}";
  }
  const Format* item() const override { return item_.get(); }

private:
  FormatPointer item_;
  ListAccess access_;
  std::size_t least_, most_;
};

class Nullable final : public Format {
public:
  Nullable(FormatPointer type, const OptionalAccess& access) : type_(std::move(type)), access_(access) {}
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    return type_->read(value, path, mistakes, access_.emplace(out));
  }
  void write(JsonWriter& json, const void* value) const override {
    const void* given = access_.get(value);
    given != nullptr ? type_->write(json, given) : json.null();
  }
  std::string json_schema() const override { return "{\"anyOf\":[{\"type\":\"null\"}," + type_->json_schema() + "]}"; }

private:
  FormatPointer type_;
  OptionalAccess access_;
};

}  // namespace

FormatPointer choice_format(std::vector<std::string> names, ChoiceAccess access) {
  return std::make_shared<Choice>(std::move(names), access);
}

FormatPointer flags_format(std::vector<std::string> names, bool (*has)(const void*, std::size_t)) {
  return std::make_shared<FlagNames>(std::move(names), has);
}

FormatPointer list_format(FormatPointer item, const ListAccess& access, std::size_t least, std::size_t most) {
  return std::make_shared<List>(std::move(item), access, least, most);
}

FormatPointer nullable_format(FormatPointer type, const OptionalAccess& access) {
  return std::make_shared<Nullable>(std::move(type), access);
}

ObjectFormat::Field& ObjectFormat::added(std::string_view name, std::string_view description) {
  if (fields_.size() == 64) throw std::logic_error("an object has more fields than the reader has bits for");
  names_.emplace_back(name);
  Field& field = fields_.emplace_back();
  field.name = name;
  field.quoted = json_quoted(name);
  field.description = description;
  return field;
}

void ObjectFormat::add(std::string_view name, std::unique_ptr<Member> member, FormatPointer type, When when,
                       const OptionalAccess* absent, std::string_view description) {
  Field& field = added(name, description);
  field.member = std::move(member);
  field.type = std::move(type);
  field.required = when == When::required;
  field.absent = absent;
}

void ObjectFormat::ignore(std::string_view name, std::string_view description, std::string json_schema) {
  added(name, description).fixed_schema = std::move(json_schema);
}

void ObjectFormat::refuse(std::string_view name, std::string_view message) {
  Field& field = added(name, message);
  field.refusal = message;
  field.fixed_schema = R"({"not":{}})";
}

void ObjectFormat::add_computed(std::string_view name, AnyFunction function, ComputedCall call, std::string json_schema,
                                std::string_view description) {
  Field& field = added(name, description);
  field.function = function;
  field.computed = call;
  field.required = true;
  field.fixed_schema = std::move(json_schema);
}

void ObjectFormat::call_last(std::initializer_list<std::string_view> library_names) {
  fields_.back().library_names.assign(library_names.begin(), library_names.end());
}

void ObjectFormat::add_rule(std::initializer_list<std::string_view> needs, AnyRule rule, RuleCall call, Look look) {
  std::uint64_t mask = 0;
  for (const std::string_view name : needs) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) throw std::logic_error("no such field: " + std::string(name));
    mask |= std::uint64_t{1} << (found - names_.begin());
  }
  rules_.push_back({rule, call, mask, look});
}

std::string ObjectFormat::suggested(std::string_view key) const {
  for (const Field& field : fields_)  // what C++ and other formats call it
    if (std::find(field.library_names.begin(), field.library_names.end(), key) != field.library_names.end())
      return ", did you mean '" + field.name + "'?";
  return suggestion(key, names_);
}

bool ObjectFormat::read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const {
  if (value.kind() != Value::Kind::object) return wrong_type("an object", value, path, mistakes);
  const std::size_t before = mistakes.count();
  std::uint64_t seen = 0, bad = 0;                  // fields as bits
  for (const auto [key, item] : value.members()) {  // in the order of the input
    std::size_t f = 0;
    while (f < fields_.size() && fields_[f].name != key) ++f;
    if (f == fields_.size()) {
      mistakes.add(path.at(key), item.place(), mistakes.keeps(item.place()) ? "unknown key" + suggested(key) : "");
      continue;
    }
    const Field& field = fields_[f];
    const std::uint64_t bit = std::uint64_t{1} << f;
    bool good = true;
    if ((seen & bit) != 0) {
      mistakes.add(path.at(key), item.place(), "is given twice");
      good = false;
    } else if (item.is_null()) {
      if (field.required) mistakes.add(path.at(key), item.place(), "is required");
      good = !field.required;
      if (field.required) seen |= bit;
    } else {
      seen |= bit;
      if (field.member != nullptr) {
        void* member = field.member->at(out);
        good = field.type->read(item, path.at(key), mistakes, field.absent ? field.absent->emplace(member) : member);
      } else if (!field.refusal.empty()) {
        mistakes.add(path.at(key), item.place(), field.refusal);
        good = false;
      }
    }
    if (!good) bad |= bit;
  }
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (const std::uint64_t bit = std::uint64_t{1} << f; fields_[f].required && (seen & bit) == 0) {
      mistakes.add_missing(path.at(fields_[f].name), value, "is required");
      bad |= bit;
    }
  for (const Rule& rule : rules_) {
    if (rule.look == Look::late && !mistakes.thorough) continue;
    if (rule.look == Look::needs_all ? mistakes.count() == before : (rule.needs & bad) == 0)
      rule.call(rule.rule, out, value, path, mistakes);
  }
  return mistakes.count() == before;
}

void ObjectFormat::write(JsonWriter& json, const void* value) const {
  json.begin_object();
  write_members(json, value);
  json.end_object();
}

void ObjectFormat::write_members(JsonWriter& json, const void* value) const {
  for (const Field& field : fields_) {
    if (field.computed != nullptr) {
      json.raw_key(field.quoted);
      field.computed(field.function, json, value);
    } else if (field.member != nullptr) {
      const void* member = field.member->at(const_cast<void*>(value));  // only to find it: it is not changed
      if (field.absent != nullptr) member = field.absent->get(member);
      if (member == nullptr) continue;
      json.raw_key(field.quoted);
      field.type->write(json, member);
    }
  }
}

std::string ObjectFormat::json_schema() const {
  std::string properties, required;
  for (const Field& field : fields_) {
    const std::string schema = field.type != nullptr ? field.type->json_schema() : field.fixed_schema;
    // The description goes into the field's own schema, as its first entry.
    properties += (properties.empty() ? "" : ",") + json_quoted(field.name) +
                  ":{\"description\":" + json_quoted(field.description) +
                  (schema == "{}" ? "}" : "," + schema.substr(1));
    if (field.required) required += (required.empty() ? "" : ",") + json_quoted(field.name);
  }
  return "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[" + required + "],\"properties\":{" +
         properties + "}}";
}

const Format* ObjectFormat::member(std::string_view name, const Value* object, std::string_view& called) const {
  const Field* first = nullptr;
  for (const Field& field : fields_) {
    const bool answers = field.name == name || std::find(field.library_names.begin(), field.library_names.end(),
                                                         name) != field.library_names.end();
    if (!answers || field.type == nullptr) continue;
    const bool given = object != nullptr && object->find(field.name) != nullptr;
    if (first == nullptr || given) first = &field;
    if (given) break;
  }
  if (first == nullptr) return nullptr;
  called = first->name;
  return first->type.get();
}

int place_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr ? value->place() : object.place();
}

void add_library_error(const Format& format, const Value& object, const Path& path, const InvalidInput& error,
                       Mistakes& mistakes) {
  std::string name_here;
  const Format* type = &format;  // nullptr from where there is no such thing
  const Value* at = &object;     // the same
  const Value* last = &object;
  std::string_view rest = error.field();
  while (!rest.empty()) {
    if (rest.starts_with('[')) {
      const std::string_view index = rest.substr(0, std::min(rest.find(']'), rest.size() - 1) + 1);
      name_here += index;
      rest.remove_prefix(index.size());
      std::size_t i = 0, wanted = 0;
      for (const char c : index)
        if (c >= '0' && c <= '9') wanted = 10 * wanted + static_cast<std::size_t>(c - '0');
      const Value* item = nullptr;
      if (at != nullptr)
        for (const Value& each : at->items())
          if (i++ == wanted) item = &each;
      at = item;
      type = type != nullptr ? type->item() : nullptr;
    } else {
      if (rest.starts_with('.')) rest.remove_prefix(1);
      const std::string_view name = rest.substr(0, rest.find_first_of(".["));
      rest.remove_prefix(name.size());
      std::string_view called = name;
      type = type != nullptr ? type->member(name, at, called) : nullptr;
      name_here += (name_here.empty() ? "" : ".") + std::string(called);
      at = at != nullptr ? at->find(called) : nullptr;
    }
    if (at != nullptr) last = at;
  }
  const Path whole = path.at(std::string_view(name_here));
  if (at != nullptr)
    mistakes.add(whole, at->place(), error.message());
  else
    mistakes.add_missing(whole, *last, error.message());
}

}  // namespace carom::schema
