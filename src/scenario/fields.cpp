#include "fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "carom/core/contact.hpp"
#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"
#include "carom/core/json_writer.hpp"

namespace carom::scenario {

std::string Path::text() const {
  std::string result = up != nullptr ? up->text() : "";
  if (index >= 0) return result + "[" + std::to_string(index) + "]";
  if (!result.empty() && !key.empty()) result += ".";
  return result.append(key);
}

std::string json_quoted(std::string_view text) {
  std::string result;
  JsonWriter(result).text(text);
  return result;
}

void Mistakes::add(const Path& path, int place, std::string message) {
  ++count_;
  if (!wants(place)) return;
  if (of == Of::row) list.clear();
  list.push_back({place, path.text(), std::move(message)});
}

void Mistakes::add_missing(const Path& path, const Value& object, std::string message) {
  if (of == Of::file) return add(path, object.place(), std::move(message));
  const Value* last = &object;  // the last thing in it; what is wrong with that stands first
  while (last->size() > 0) {
    const Value* item = nullptr;
    for (const Value::Member member : last->members()) item = &member.value;
    for (const Value& each : last->items()) item = &each;
    last = item;
  }
  add(path, last->place() + 1, std::move(message));
}

bool wrong_type(const char* wanted, const Value& value, const Path& path, Mistakes& mistakes) {
  mistakes.add(path, value.place(),
               mistakes.wants(value.place()) ? std::string("must be ") + wanted + ", got " + shown(value) : "");
  return false;
}

namespace {

/// Edits (insert, delete, replace, swap neighbours) that lead from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // nobody misspells a name into something longer
  if (name.empty() || name.size() > longest) return "";
  const std::string* best = nullptr;
  std::size_t least = 1 + std::max<std::size_t>(1, name.size() / 3);
  for (const std::string& candidate : known)
    if (const std::size_t distance = edit_distance(name, candidate); distance < least) {
      least = distance;
      best = &candidate;
    }
  return best != nullptr ? ", did you mean '" + *best + "'?" : "";
}

std::optional<std::string> Range::problem(double value) const {
  const bool low_ok = !low || (low_excluded ? value > *low : value >= *low);
  if (low_ok && (!high || value <= *high)) return std::nullopt;
  if (low && high)
    return std::string("must be in ") + (low_excluded ? "(" : "[") + number_text(*low) + ", " + number_text(*high) +
           "]";
  if (high) return "must be <= " + number_text(*high);
  if (low_excluded) return *low == 0.0 ? "must be positive" : "must be > " + number_text(*low);
  return "must be >= " + number_text(*low);
}

namespace {

bool read_number(const Value& value, const Path& path, Mistakes& mistakes, double& out) {
  if (value.kind() != Value::Kind::number) return wrong_type("a number", value, path, mistakes);
  out = value.number();
  if (std::isfinite(out)) return true;
  mistakes.add(path, value.place(), "is too large for a double, got " + shown(value));
  return false;
}

/// A list of numbers, each good. The field as a whole is blamed, its element named; `row` is that of a matrix, or -1.
bool read_numbers(const Value& value, const Path& path, Mistakes& mistakes, const std::string& wanted, int row,
                  std::span<double> out) {
  const auto complain = [&](const Value& about, const std::string& message, const std::string& index) {
    const std::string where = (row < 0 ? "" : "[" + std::to_string(row) + "]") + index;
    mistakes.add(path, about.place(), message + ", got " + shown(about) + (where.empty() ? "" : " at " + where));
    return false;
  };
  if (value.kind() != Value::Kind::list || value.size() != out.size()) return complain(value, "must be " + wanted, "");
  std::size_t i = 0;
  for (const Value& item : value.items()) {
    out[i] = item.number();
    if (item.kind() != Value::Kind::number || !std::isfinite(out[i]))
      return complain(item, item.kind() == Value::Kind::number ? "is too large for a double" : "must be " + wanted,
                      "[" + std::to_string(i) + "]");
    ++i;
  }
  return true;
}

/// A matrix of the size that `out` has.
template <class Matrix>
bool read_matrix(const Value& value, const Path& path, Mistakes& mistakes, const std::string& wanted, Matrix& out) {
  if (value.kind() != Value::Kind::list || value.size() != static_cast<std::size_t>(out.rows()))
    return wrong_type(wanted.c_str(), value, path, mistakes);
  Eigen::Matrix<double, Matrix::ColsAtCompileTime, 1> row(out.cols());
  Eigen::Index i = 0;
  for (const Value& item : value.items()) {
    if (!read_numbers(item, path, mistakes, wanted, static_cast<int>(i), {row.data(), row.data() + row.size()}))
      return false;
    out.row(i++) = row.transpose();
  }
  return true;
}

const std::string number_list_schema = R"("type":"array","items":{"type":"number"})";

std::string vector_schema(int n) {
  const std::string size = std::to_string(n);
  return "{" + number_list_schema + ",\"minItems\":" + size + ",\"maxItems\":" + size + "}";
}

std::string matrix_schema(int n) {
  const std::string size = std::to_string(n);
  return "{\"type\":\"array\",\"minItems\":" + size + ",\"maxItems\":" + size + ",\"items\":" + vector_schema(n) + "}";
}

}  // namespace

Type<double> number(Range range) {
  std::string schema = "{\"type\":\"number\"";
  if (range.low) schema += (range.low_excluded ? ",\"exclusiveMinimum\":" : ",\"minimum\":") + number_text(*range.low);
  if (range.high) schema += ",\"maximum\":" + number_text(*range.high);
  return {[range](const Value& value, const Path& path, Mistakes& mistakes, double& out) {
            if (!read_number(value, path, mistakes, out)) return false;
            if (const auto problem = range.problem(out)) {
              mistakes.add(path, value.place(), *problem + ", got " + shown(value));
              return false;
            }
            return true;
          },
          schema + "}"};
}

Type<int> integer(int low, int high) {
  const auto plain = number(Range::between(low, high));
  return {[plain](const Value& value, const Path& path, Mistakes& mistakes, int& out) {
            double read = 0.0;
            if (!plain.read(value, path, mistakes, read)) return false;
            if (read != std::floor(read)) return wrong_type("a whole number", value, path, mistakes);
            out = static_cast<int>(read);
            return true;
          },
          "{\"type\":\"integer\",\"minimum\":" + std::to_string(low) + ",\"maximum\":" + std::to_string(high) + "}"};
}

Type<double> angle() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, double& out) {
            if (value.kind() != Value::Kind::text) return read_number(value, path, mistakes, out);
            const std::string_view text = value.text();
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
            std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
            while (unit.starts_with(' ')) unit.remove_prefix(1);
            if (error != std::errc{} || !std::isfinite(out) || (unit != "deg" && unit != "rad"))
              return wrong_type("an angle in radians, or text such as \"30 deg\"", value, path, mistakes);
            if (unit == "deg") out *= std::numbers::pi / 180.0;
            return true;
          },
          R"({"anyOf":[{"type":"number"},{"type":"string","pattern":"^[-+0-9.eE]+ *(deg|rad)$"}]})"};
}

Type<bool> truth() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, bool& out) {
            if (value.kind() != Value::Kind::boolean) return wrong_type("true or false", value, path, mistakes);
            out = value.boolean();
            return true;
          },
          R"({"type":"boolean"})"};
}

Type<std::string> text() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, std::string& out) {
            if (value.kind() != Value::Kind::text) return wrong_type("text", value, path, mistakes);
            out = value.text();
            return true;
          },
          R"({"type":"string"})"};
}

template <int N>
Type<Eigen::Matrix<double, N, 1>> vector() {
  const std::string wanted = "a list of " + std::to_string(N) + " numbers";
  return {[wanted](const Value& value, const Path& path, Mistakes& mistakes, Eigen::Matrix<double, N, 1>& out) {
            return read_numbers(value, path, mistakes, wanted, -1, std::span(out.data(), N));
          },
          vector_schema(N)};
}

template <int N>
Type<Eigen::Matrix<double, N, N>> matrix() {
  const std::string wanted = "a " + std::to_string(N) + " x " + std::to_string(N) + " matrix of numbers";
  return {[wanted](const Value& value, const Path& path, Mistakes& mistakes, Eigen::Matrix<double, N, N>& out) {
            return read_matrix(value, path, mistakes, wanted, out);
          },
          matrix_schema(N)};
}

Type<Eigen::VectorXd> vector_of_any_size() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, Eigen::VectorXd& out) {
            if (value.kind() != Value::Kind::list || value.size() == 0)
              return wrong_type("a list of numbers", value, path, mistakes);
            out.resize(static_cast<Eigen::Index>(value.size()));
            return read_numbers(value, path, mistakes, "a list of numbers", -1, std::span(out.data(), value.size()));
          },
          "{" + number_list_schema + ",\"minItems\":1}"};
}

Type<Eigen::MatrixXd> matrix_of_any_size() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, Eigen::MatrixXd& out) {
            const std::string wanted = "a matrix of numbers, row by row";
            const std::size_t columns =
                value.kind() == Value::Kind::list && value.size() > 0 ? (*value.items().begin()).size() : 0;
            if (columns == 0) return wrong_type(wanted.c_str(), value, path, mistakes);
            // Before there is room for it: one long row and many short ones are few numbers but a huge matrix.
            int i = 0;
            for (const Value& row : value.items()) {
              if (row.size() != columns || row.kind() != Value::Kind::list) {
                mistakes.add(path, row.place(),
                             "must be " + wanted + ", got " + shown(row) + " at [" + std::to_string(i) + "]");
                return false;
              }
              ++i;
            }
            out.resize(static_cast<Eigen::Index>(value.size()), static_cast<Eigen::Index>(columns));
            return read_matrix(value, path, mistakes, wanted, out);
          },
          "{\"type\":\"array\",\"minItems\":1,\"items\":{" + number_list_schema + ",\"minItems\":1}}"};
}

template <int N>
Type<Eigen::Matrix<double, N, N>> inverse_inertia() {
  const auto plain = matrix<N>();
  return {[plain](const Value& value, const Path& path, Mistakes& mistakes, Eigen::Matrix<double, N, N>& out) {
            if (!plain.read(value, path, mistakes, out)) return false;
            if (const auto problem = inverse_inertia_problem(out)) {
              mistakes.add(path, value.place(), *problem);
              return false;
            }
            out = (0.5 * out + 0.5 * out.transpose()).eval();
            return true;
          },
          plain.schema};
}

template <int N>
Type<Eigen::Matrix<double, N, 1>> unit_vector() {
  const auto plain = vector<N>();
  return {[plain](const Value& value, const Path& path, Mistakes& mistakes, Eigen::Matrix<double, N, 1>& out) {
            if (!plain.read(value, path, mistakes, out)) return false;
            const double length = out.norm();
            if (!(std::abs(length - 1.0) <= unit_tolerance)) {
              mistakes.add(path, value.place(), "must have unit length, its length is " + number_text(length));
              return false;
            }
            out /= length;
            return true;
          },
          plain.schema};
}

template Type<Eigen::Vector2d> vector<2>();
template Type<Eigen::Vector3d> vector<3>();
template Type<Eigen::Matrix2d> matrix<2>();
template Type<Eigen::Matrix3d> matrix<3>();
template Type<Eigen::Matrix2d> inverse_inertia<2>();
template Type<Eigen::Matrix3d> inverse_inertia<3>();
template Type<Eigen::Vector2d> unit_vector<2>();
template Type<Eigen::Vector3d> unit_vector<3>();

}  // namespace carom::scenario
