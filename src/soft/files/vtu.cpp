#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

#include "assemble.hpp"
#include "cells.hpp"
#include "inflate.hpp"
#include "scanner.hpp"

namespace carom {

namespace {

using soft::Scanner;
using soft::shown;

/// The value of a digit of base64, or -1.
int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Bytes as they are, or as base64: segments that each may end in padding, one after the other.
class Source {
public:
  Source(std::string_view text, bool base64) : text_(text), base64_(base64) {}

  /// As many bytes as these can still follow, at most.
  std::size_t most() const { return base64_ ? (text_.size() - at_) / 4 * 3 + 3 + held_.size() : text_.size() - at_; }

  /// Appends n bytes, or fewer at the end: then false.
  bool read(std::size_t n, std::string& out) {
    if (n > most()) return false;
    if (!base64_) {
      out.append(text_.substr(at_, n));
      at_ += n;
      return true;
    }
    while (held_.size() < n)
      if (!group()) return false;
    out.append(held_, 0, n);
    held_.erase(0, n);
    return true;
  }

private:
  /// Decodes up to some hundred groups of four digits.
  bool group() {
    const std::size_t before = held_.size();
    for (int i = 0; i < 300; ++i) {
      unsigned bits = 0;
      int digits = 0, padding = 0;
      for (; digits + padding < 4 && at_ < text_.size(); ++at_) {
        const char c = text_[at_];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
        if (c == '=' && digits >= 2)
          ++padding, bits <<= 6;
        else if (const int digit = base64_digit(c); digit >= 0 && padding == 0)
          ++digits, bits = bits << 6 | unsigned(digit);
        else
          return held_.size() > before;  // the end, or nothing that can be read
      }
      if (digits + padding < 4) return held_.size() > before;
      for (int byte = 0; byte < 3 - padding; ++byte) held_ += char(bits >> (16 - 8 * byte) & 0xFF);
    }
    return true;
  }

  std::string_view text_;
  bool base64_;
  std::size_t at_ = 0;
  std::string held_;
};

struct Tag {
  std::string_view name;
  std::map<std::string_view, std::string_view> attributes;
  bool closing = false, empty = false;
  std::size_t at = 0, end = 0;  ///< of '<', and behind '>'

  std::string_view operator[](std::string_view key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? std::string_view() : found->second;
  }
};

/// Digits as a number, -1 if they are none or too many.
std::int64_t digits_of(std::string_view text) {
  std::int64_t value = text.empty() || text.size() > 18 ? -1 : 0;
  for (const char c : text) {
    if (value < 0 || c < '0' || c > '9') return -1;
    value = 10 * value + (c - '0');
  }
  return value;
}

/// A DataArray: its tag and its text.
struct Array {
  Tag tag;
  std::size_t content_end = 0;
};

enum class NumberType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };
constexpr std::array<std::string_view, 10> type_names = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                                         "UInt32", "Int64", "UInt64", "Float32", "Float64"};
constexpr std::array<std::size_t, 10> type_bytes = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

class XmlVtk {
public:
  explicit XmlVtk(std::string_view file) : file_(file), in_(file) {}

  MeshFile read() {
    find_arrays();
    const std::size_t points = whole_number(piece_, "NumberOfPoints", max_mesh_vertices);
    const std::size_t cells = whole_number(piece_, "NumberOfCells", 4 * max_mesh_tets);
    soft::ListedMesh listed;
    const std::vector<double> coordinates = numbers<double>(array("Points", ""), 3 * points);
    for (std::size_t i = 0; i < points; ++i)
      listed.vertices.emplace_back(coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]);
    const Array& connectivity = array("Cells", "connectivity");
    const std::vector<std::int64_t> types = numbers<std::int64_t>(array("Cells", "types"), cells),
                                    ends = numbers<std::int64_t>(array("Cells", "offsets"), cells),
                                    ids = numbers<std::int64_t>(connectivity, {});
    for (std::size_t i = 0; i < cells; ++i) {
      const std::int64_t first = i == 0 ? 0 : ends[i - 1];
      if (ends[i] < first || std::uint64_t(ends[i]) > ids.size())
        fail(array("Cells", "offsets"), "offset " + std::to_string(i) + " must be " + std::to_string(first) + " to " +
                                            std::to_string(ids.size()) + ", got " + std::to_string(ends[i]));
      if (types[i] != soft::vtk_tetra) {
        if (!soft::is_no_solid(types[i])) fail(array("Cells", "types"), soft::cell_refusal(types[i]));
        continue;
      }
      if (ends[i] - first != 4)
        fail(array("Cells", "offsets"), "cell " + std::to_string(i) + ", a tetrahedron, must have 4 points, got " +
                                            std::to_string(ends[i] - first));
      const auto at = std::size_t(first);
      listed.tets.push_back({ids[at], ids[at + 1], ids[at + 2], ids[at + 3]});
    }
    return assemble(
        std::move(listed), [&](std::size_t, const std::string& message) { fail(connectivity, message); },
        [&](std::size_t i, const std::string& message) {
          fail(connectivity, "tetrahedron " + std::to_string(i) + ": " + message);
        });
  }

private:
  [[noreturn]] void fail(const Array& array, const std::string& message) const {
    const std::string_view name = array.tag["Name"];
    in_.fail_at(array.tag.at, (name.empty() ? std::string("DataArray") : shown(name)) + ": " + message);
  }

  /// The next tag from `at`, without comments, instructions and declarations. Its name is empty at the end.
  Tag next_tag(std::size_t at) {
    Tag tag;
    for (;;) {
      at = file_.find('<', at);
      if (at == std::string_view::npos) return tag;
      const std::string_view rest = file_.substr(at);
      const char* end = rest.starts_with("<!--")        ? "-->"
                        : rest.starts_with("<![CDATA[") ? "]]>"
                        : rest.starts_with("<?")        ? "?>"
                        : rest.starts_with("<!")        ? ">"
                                                        : nullptr;
      if (end == nullptr) break;
      const std::size_t over = rest.find(end, 2);
      if (over == std::string_view::npos) in_.fail_at(at, "a comment or declaration has no end");
      at += over + std::strlen(end);
    }
    tag.at = at++;
    const auto ends = [&] {
      if (at >= file_.size()) in_.fail_at(tag.at, "a tag has no end");
    };
    const auto skip_space = [&] {
      while (at < file_.size() && std::string_view(" \t\r\n").find(file_[at]) != std::string_view::npos) ++at;
      ends();
    };
    const auto name = [&] {
      const std::size_t first = at;
      while (at < file_.size() && std::string_view(" \t\r\n=/>\"'<").find(file_[at]) == std::string_view::npos) ++at;
      ends();
      return file_.substr(first, at - first);
    };
    ends();
    if (file_[at] == '/') tag.closing = true, ++at;
    tag.name = name();
    if (tag.name.empty()) in_.fail_at(tag.at, "a tag has no name");
    for (;;) {
      skip_space();
      if (file_[at] == '>') break;
      if (file_[at] == '/') {
        tag.empty = true;
        ++at;
        continue;
      }
      const std::string_view key = name();
      skip_space();
      if (key.empty() || file_[at] != '=') in_.fail_at(tag.at, "a tag must have attributes of the form name=\"value\"");
      ++at;
      skip_space();
      const char quote = file_[at];
      const std::size_t last = quote == '"' || quote == '\'' ? file_.find(quote, at + 1) : std::string_view::npos;
      if (last == std::string_view::npos) in_.fail_at(tag.at, "a tag must have attributes of the form name=\"value\"");
      tag.attributes.emplace(key, file_.substr(at + 1, last - at - 1));
      at = last + 1;
    }
    tag.end = at + 1;
    return tag;
  }

  void find_arrays() {
    std::string_view section;
    bool open = false, grid = false, piece = false;
    for (Tag tag = next_tag(0); !tag.name.empty(); tag = next_tag(tag.end)) {
      if (!open) {
        if (tag.name != "VTKFile") in_.fail_at(tag.at, "must start with <VTKFile>, got <" + shown(tag.name) + ">");
        head(tag);
        open = true;
      } else if (tag.closing) {
        if (tag.name == section) section = {};
      } else if (tag.name == "UnstructuredGrid") {
        grid = true;
      } else if (tag.name == "Piece") {
        if (piece) in_.fail_at(tag.at, "must have one piece: files of several are not read");
        piece = true;
        piece_ = tag;
      } else if (tag.name == "AppendedData") {
        const std::string_view encoding = tag["encoding"];
        if (encoding != "raw" && encoding != "base64")
          in_.fail_at(tag.at, "AppendedData must have encoding raw or base64, got " + shown(encoding));
        appended_base64_ = encoding == "base64";
        const std::size_t start = file_.find('_', tag.end);
        if (start == std::string_view::npos) in_.fail_at(tag.at, "AppendedData must begin with _");
        appended_ = file_.substr(start + 1);
        has_appended_ = true;
        break;  // bytes may look like tags
      } else if (tag.name == "DataArray") {
        std::size_t end = tag.end;
        if (!tag.empty) {
          end = file_.find("</DataArray", tag.end);
          if (end == std::string_view::npos) in_.fail_at(tag.at, "DataArray has no end");
        }
        if (section == "Points" || section == "Cells")
          arrays_.emplace(std::pair(section, section == "Cells" ? tag["Name"] : std::string_view()), Array{tag, end});
        tag.end = end;  // its content has no tags that count
      } else if (!tag.empty) {
        section = tag.name;
      }
    }
    if (!open) in_.fail_at(0, "must start with <VTKFile>");
    if (!grid || !piece) in_.fail_at(0, "must have an <UnstructuredGrid> with a <Piece>");
  }

  void head(const Tag& tag) {
    if (tag["type"] != "UnstructuredGrid")
      in_.fail_at(tag.at, "type must be UnstructuredGrid: other data sets are not read, got " + shown(tag["type"]));
    const std::string_view order = tag["byte_order"], header = tag["header_type"], compressor = tag["compressor"];
    if (!order.empty() && order != "LittleEndian" && order != "BigEndian")
      in_.fail_at(tag.at, "byte_order must be LittleEndian or BigEndian, got " + shown(order));
    swapped_ = (order == "BigEndian") == (std::endian::native == std::endian::little);
    if (order.empty()) swapped_ = false;
    if (!header.empty() && header != "UInt32" && header != "UInt64")
      in_.fail_at(tag.at, "header_type must be UInt32 or UInt64, got " + shown(header));
    header_bytes_ = header == "UInt64" ? 8 : 4;
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
      in_.fail_at(tag.at, "compressor must be vtkZLibDataCompressor, got " + shown(compressor));
    compressed_ = !compressor.empty();
  }

  std::size_t whole_number(const Tag& tag, const char* key, std::size_t most) const {
    const std::int64_t value = digits_of(tag[key]);
    if (value < 0 || std::uint64_t(value) > most)
      in_.fail_at(tag.at, std::string(key) + " must be 0 to " + std::to_string(most) + ", got " + shown(tag[key]));
    return std::size_t(value);
  }

  const Array& array(const char* section, const char* name) const {
    const auto found = arrays_.find(std::pair(std::string_view(section), std::string_view(name)));
    if (found == arrays_.end())
      in_.fail_at(piece_.at,
                  std::string("has no DataArray ") + (*name == 0 ? "in " : name + std::string(" in ")) + section);
    return found->second;
  }

  std::uint64_t header_value(const Array& array, Source& source) const {
    std::string bytes;
    if (!source.read(header_bytes_, bytes)) fail(array, "its data end too early");
    Scanner value(bytes);
    value.binary(swapped_);
    return header_bytes_ == 8 ? value.value<std::uint64_t>() : value.value<std::uint32_t>();
  }

  /// The bytes of an array that is not written as text.
  std::string bytes_of(const Array& array) const {
    const bool appended = array.tag["format"] == "appended";
    std::string_view text = file_.substr(array.tag.end, array.content_end - array.tag.end);
    if (appended) {
      if (!has_appended_) fail(array, "is appended, but there is no AppendedData");
      const std::string_view offset = array.tag["offset"];
      const std::int64_t place = digits_of(offset);
      if (place < 0 || std::uint64_t(place) > appended_.size())
        fail(array, "offset must be within AppendedData, got " + shown(offset));
      text = appended_.substr(std::size_t(place));
    }
    Source source(text, appended ? appended_base64_ : true);
    std::string out;
    if (!compressed_) {
      const std::uint64_t size = header_value(array, source);
      if (size > source.most() || !source.read(std::size_t(size), out))
        fail(array, "says that it has " + std::to_string(size) + " bytes, more than there are");
      return out;
    }
    if (!soft::can_inflate()) throw InvalidInput("file", "is compressed, and this program was built without zlib");
    const std::uint64_t blocks = header_value(array, source);
    if (blocks == 0) return out;
    if (blocks > source.most() / header_bytes_) fail(array, "says that it has more blocks than there is room for");
    const std::uint64_t full = header_value(array, source), last = header_value(array, source);
    std::vector<std::uint64_t> sizes(static_cast<std::size_t>(blocks));
    for (auto& size : sizes) size = header_value(array, source);
    for (std::size_t i = 0; i < blocks; ++i) {
      const std::uint64_t size = i + 1 == blocks && last != 0 ? last : full;
      std::string packed;
      if (sizes[i] > source.most() || !source.read(std::size_t(sizes[i]), packed))
        fail(array, "its data end too early");
      // zlib makes nothing smaller than to a thousandth.
      if (size / 1100 > packed.size() || !soft::inflate(packed, std::size_t(size), out))
        fail(array, "its data are not what zlib makes of " + std::to_string(size) + " bytes");
    }
    return out;
  }

  NumberType type_of(const Array& array) const {
    const auto found = std::find(type_names.begin(), type_names.end(), array.tag["type"]);
    if (found == type_names.end())
      fail(array, "type must be Float64, Int64 or the like, got " + shown(array.tag["type"]));
    return NumberType(found - type_names.begin());
  }

  /// All numbers of an array, as many as `expected` if that is given.
  template <class T>
  std::vector<T> numbers(const Array& array, std::optional<std::size_t> expected) const {
    constexpr bool real = std::is_same_v<T, double>;
    const std::string_view format = array.tag["format"];
    std::vector<T> values;
    if (format == "ascii") {
      Scanner text(file_.substr(0, array.content_end));
      text.go_to(array.tag.end);
      while (text.mark() < array.content_end) {
        if (expected && values.size() == *expected)
          fail(array, "must have " + std::to_string(*expected) + " numbers, has more");
        if constexpr (real)
          values.push_back(text.number("a number"));
        else
          values.push_back(text.integer("a number"));
      }
    } else if (format == "binary" || format == "appended") {
      const NumberType type = type_of(array);
      const std::string bytes = bytes_of(array);
      const std::size_t each = type_bytes[std::size_t(type)];
      if (bytes.size() % each != 0)
        fail(array, "has " + std::to_string(bytes.size()) + " bytes, no whole number of values");
      Scanner binary(bytes);
      binary.binary(swapped_);
      values.reserve(bytes.size() / each);
      while (binary.left() > 0) values.push_back(value_as<T>(type, binary));
    } else {
      fail(array, "format must be ascii, binary or appended, got " + shown(format));
    }
    if (expected && values.size() != *expected)
      fail(array, "must have " + std::to_string(*expected) + " numbers, has " + std::to_string(values.size()));
    if constexpr (real)
      for (const double x : values)
        if (!std::isfinite(x)) fail(array, "must have finite numbers, got " + number_text(x));
    return values;
  }

  template <class T>
  static T value_as(NumberType type, Scanner& in) {
    switch (type) {
      case NumberType::int8:
        return T(in.value<std::int8_t>());
      case NumberType::uint8:
        return T(in.value<std::uint8_t>());
      case NumberType::int16:
        return T(in.value<std::int16_t>());
      case NumberType::uint16:
        return T(in.value<std::uint16_t>());
      case NumberType::int32:
        return T(in.value<std::int32_t>());
      case NumberType::uint32:
        return T(in.value<std::uint32_t>());
      case NumberType::int64:
        return T(in.value<std::int64_t>());
      case NumberType::uint64:  // an id too large for a signed one becomes negative, which no vertex has
        return T(in.value<std::uint64_t>());
      case NumberType::float32:
        return from_real<T>(double(in.value<float>()));
      default:
        return from_real<T>(in.value<double>());
    }
  }
  template <class T>
  static T from_real(double x) {
    if constexpr (std::is_same_v<T, double>) return x;
    return x >= 0.0 && x < 1e15 && x == std::floor(x) ? T(x) : T(-1);  // ids and types are whole
  }

  std::string_view file_, appended_;
  Scanner in_;
  Tag piece_;
  std::map<std::pair<std::string_view, std::string_view>, Array> arrays_;
  bool swapped_ = false, compressed_ = false, has_appended_ = false, appended_base64_ = false;
  std::size_t header_bytes_ = 4;
};

}  // namespace

MeshFile read_vtu(std::string_view file) { return XmlVtk(file).read(); }

}  // namespace carom
