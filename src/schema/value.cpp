#include "carom/schema/value.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "carom/core/json_writer.hpp"
#include "carom/core/text.hpp"

namespace carom::schema {

double Value::number() const {
  double result = 0.0;
  if (kind() == Kind::number) parse_number(text().substr(*text_ == '+' ? 1 : 0), result);
  return result;
}

const Value* Value::find(std::string_view key) const {
  for (const Member member : members())
    if (member.key == key) return &member.value;
  return nullptr;
}

void Tree::start(std::size_t nodes) {
  nodes_.reset(new Value[nodes + 1]);  // not initialised
  capacity_ = nodes + 1;
  count_ = 0;
  kept_.clear();
  kept_left_ = 0;
}

Value& Tree::added() {
  if (count_ == capacity_) {
    const std::size_t wider = 2 * capacity_ + 16;
    std::unique_ptr<Value[]> nodes(new Value[wider]);
    for (std::size_t i = 0; i < count_; ++i) nodes[i] = nodes_[i];
    nodes_ = std::move(nodes);
    capacity_ = wider;
  }
  return nodes_[count_++];
}

void Tree::add(Value::Kind kind, std::string_view text, std::size_t place) {
  Value& value = added();
  value.text_ = text.data();
  value.size_ = static_cast<std::uint32_t>(text.size());
  value.place_ = place & max_place;
  value.kind_ = static_cast<unsigned>(kind) & 7u;
}

std::size_t Tree::open(Value::Kind kind, std::size_t place) {
  Value& value = added();
  value.extent_ = 0;
  value.size_ = 0;
  value.place_ = place & max_place;
  value.kind_ = static_cast<unsigned>(kind) & 7u;
  return count_ - 1;
}

void Tree::repeat(std::size_t node, std::size_t place) {
  const std::size_t first = count_, nodes = static_cast<std::size_t>(nodes_[node].next() - &nodes_[node]);
  for (std::size_t i = 0; i < nodes; ++i) {
    Value& copy = added();
    copy = nodes_[node + i];  // a container's extent is relative: it holds for the copy too
  }
  put(first, place);
}

std::string_view Tree::keep(std::string_view text) {
  constexpr std::size_t chunk = 4096;
  if (text.size() > kept_left_) {
    kept_left_ = std::max(chunk, text.size());
    kept_.emplace_back(new char[kept_left_]);
    kept_at_ = kept_.back().get();
  }
  if (!text.empty()) std::memcpy(kept_at_, text.data(), text.size());
  const std::string_view copy(kept_at_, text.size());
  kept_at_ += text.size();
  kept_left_ -= text.size();
  return copy;
}

namespace {

/// The value as JSON, numbers as they were written, until `out` is longer than `enough`.
void write_json(JsonWriter& json, const Value& value, const std::string& out, std::size_t enough) {
  switch (value.kind()) {
    case Value::Kind::null:
      return json.null();
    case Value::Kind::boolean:
      return json.boolean(value.boolean());
    case Value::Kind::number:
      return json.raw(value.text());
    case Value::Kind::text:
      return json.text(value.text().substr(0, enough));
    case Value::Kind::list:
      json.begin_array();
      for (const Value& item : value.items()) {
        if (out.size() > enough) break;
        write_json(json, item, out, enough);
      }
      return json.end_array();
    case Value::Kind::object:
      json.begin_object();
      for (const Value::Member member : value.members()) {
        if (out.size() > enough) break;
        json.key(member.key);
        write_json(json, member.value, out, enough);
      }
      return json.end_object();
  }
}

}  // namespace

std::string json_text(const Value& value) {
  std::string text;
  JsonWriter json(text);
  write_json(json, value, text, std::string::npos);
  return text;
}

std::string shown(const Value& value) {
  constexpr std::size_t longest = 60;
  if (value.kind() == Value::Kind::list && value.size() > longest) return "a list of " + std::to_string(value.size());
  std::string text;
  JsonWriter json(text);
  write_json(json, value, text, longest);
  if (text.size() <= longest) return text;
  std::size_t cut = longest - 3;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;  // not inside a UTF-8 character
  return text.substr(0, cut) + "...";
}

std::size_t first_not_utf8(std::string_view text) {
  std::size_t i = 0;
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const auto follows = [&](std::size_t k, unsigned low, unsigned high) { return byte(k) >= low && byte(k) <= high; };
  while (i < text.size()) {
    const unsigned lead = byte(i);
    std::size_t length = 0;  // of the character; the second byte excludes overlong forms, surrogates and > 10FFFF
    if (lead < 0x80)
      length = 1;
    else if (lead >= 0xC2 && lead <= 0xDF && follows(i + 1, 0x80, 0xBF))
      length = 2;
    else if (lead >= 0xE0 && lead <= 0xEF && follows(i + 1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF))
      length = 3;
    else if (lead >= 0xF0 && lead <= 0xF4 && follows(i + 1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF))
      length = 4;
    if (length == 0) return i;
    for (std::size_t k = 2; k < length; ++k)
      if (!follows(i + k, 0x80, 0xBF)) return i;
    i += length;
  }
  return i;
}

}  // namespace carom::schema
