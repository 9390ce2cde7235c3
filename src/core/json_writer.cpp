#include "carom/core/json_writer.hpp"

#include <cmath>

#include "carom/core/text.hpp"

namespace carom {

void JsonWriter::separate() {
  if (needs_comma_) out_ += ',';
  needs_comma_ = true;
}

void JsonWriter::begin_object() {
  separate();
  out_ += '{';
  needs_comma_ = false;
}

void JsonWriter::end_object() {
  out_ += '}';
  needs_comma_ = true;
}

void JsonWriter::begin_array() {
  separate();
  out_ += '[';
  needs_comma_ = false;
}

void JsonWriter::end_array() {
  out_ += ']';
  needs_comma_ = true;
}

void JsonWriter::key(std::string_view name) {
  text(name);
  out_ += ':';
  needs_comma_ = false;
}

void JsonWriter::raw_key(std::string_view json) {
  separate();
  out_ += json;
  out_ += ':';
  needs_comma_ = false;
}

void JsonWriter::text(std::string_view value) {
  static constexpr char hex[] = "0123456789abcdef";
  separate();
  out_ += '"';
  std::size_t plain = 0;  // start of the run of characters that need no escape
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto byte = static_cast<unsigned char>(value[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out_.append(value, plain, i - plain);
    plain = i + 1;
    out_ += '\\';
    switch (byte) {
      case '"':
      case '\\':
        out_ += value[i];
        break;
      case '\n':
        out_ += 'n';
        break;
      case '\r':
        out_ += 'r';
        break;
      case '\t':
        out_ += 't';
        break;
      default:
        out_ += "u00";
        out_ += hex[byte >> 4];
        out_ += hex[byte & 15];
    }
  }
  out_.append(value, plain);
  out_ += '"';
}

void JsonWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  separate();
  append_number(out_, value);
}

void JsonWriter::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
}

void JsonWriter::null() {
  separate();
  out_ += "null";
}

void JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
}

}  // namespace carom
