#include <cmath>
#include <numbers>
#include <span>

#include "carom/core/contact.hpp"
#include "carom/core/contact_space.hpp"
#include "carom/core/text.hpp"
#include "carom/schema/fields.hpp"

namespace carom::schema {

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
bool read_numbers(const Value& value, const Path& path, Mistakes& mistakes, std::string_view wanted, int row,
                  std::span<double> out) {
  const auto refuse = [&](const Value& about, const std::string& message, const std::string& index) {
    const std::string where = (row < 0 ? "" : "[" + std::to_string(row) + "]") + index;
    mistakes.add(path, about.place(), message + ", got " + shown(about) + (where.empty() ? "" : " at " + where));
    return false;
  };
  if (value.kind() != Value::Kind::list || value.size() != out.size())
    return refuse(value, "must be " + std::string(wanted), "");
  std::size_t i = 0;
  for (const Value& item : value.items()) {
    out[i] = item.number();
    if (item.kind() != Value::Kind::number || !std::isfinite(out[i]))
      return refuse(item,
                    item.kind() == Value::Kind::number ? "is too large for a double" : "must be " + std::string(wanted),
                    "[" + std::to_string(i) + "]");
    ++i;
  }
  return true;
}

/// A matrix of the size that `out` has.
template <class Matrix>
bool read_matrix(const Value& value, const Path& path, Mistakes& mistakes, std::string_view wanted, Matrix& out) {
  if (value.kind() != Value::Kind::list || value.size() != static_cast<std::size_t>(out.rows()))
    return wrong_type(wanted, value, path, mistakes);
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

class Number : public Format {
public:
  explicit Number(Range range) : range_(range) {}
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    double& number = *static_cast<double*>(out);
    if (!read_number(value, path, mistakes, number)) return false;
    if (const auto problem = range_.problem(number)) {
      mistakes.add(path, value.place(), *problem + ", got " + shown(value));
      return false;
    }
    return true;
  }
  void write(JsonWriter& json, const void* value) const override { json.number(*static_cast<const double*>(value)); }
  std::string json_schema() const override {
    std::string schema = "{\"type\":\"number\"";
    if (range_.low)
      schema += (range_.low_excluded ? ",\"exclusiveMinimum\":" : ",\"minimum\":") + number_text(*range_.low);
    if (range_.high) schema += ",\"maximum\":" + number_text(*range_.high);
    return schema + "}";
  }

private:
  Range range_;
};

class Integer final : public Format {
public:
  Integer(int low, int high) : low_(low), high_(high), plain_(Range::between(low, high)) {}
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    double number = 0.0;
    if (!plain_.read(value, path, mistakes, &number)) return false;
    if (number != std::floor(number)) return wrong_type("a whole number", value, path, mistakes);
    *static_cast<int*>(out) = static_cast<int>(number);
    return true;
  }
  void write(JsonWriter& json, const void* value) const override { json.number(*static_cast<const int*>(value)); }
  std::string json_schema() const override {
    return "{\"type\":\"integer\",\"minimum\":" + std::to_string(low_) + ",\"maximum\":" + std::to_string(high_) + "}";
  }

private:
  int low_, high_;
  Number plain_;
};

class Index final : public Format {
public:
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    double number = 0.0;
    if (!plain_.read(value, path, mistakes, &number)) return false;
    if (number != std::floor(number)) return wrong_type("a whole number", value, path, mistakes);
    *static_cast<std::size_t*>(out) = static_cast<std::size_t>(number);
    return true;
  }
  void write(JsonWriter& json, const void* value) const override {
    json.number(static_cast<double>(*static_cast<const std::size_t*>(value)));
  }
  std::string json_schema() const override { return R"({"type":"integer","minimum":0})"; }

private:
  Number plain_{Range::between(0.0, 9e15)};  // a double counts so far
};

class Angle final : public Format {
public:
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    double& angle = *static_cast<double*>(out);
    if (value.kind() != Value::Kind::text) {
      if (!read_number(value, path, mistakes, angle)) return false;
      if (mistakes.of == Mistakes::Of::file && std::abs(angle) > 2.0 * std::numbers::pi)
        mistakes.warn(path, value.place(),
                      number_text(angle) + " is more than a full turn, since angles are in radians; write `" +
                          number_text(angle) + " deg` if degrees are meant, or `" + number_text(angle) + " rad`");
      return true;
    }
    const std::string_view text = value.text();
    const std::size_t size = leading_number(text, angle);
    std::string_view unit = text.substr(size);
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    if (size == 0 || !std::isfinite(angle) || (unit != "deg" && unit != "rad"))
      return wrong_type("an angle in radians, or text such as \"30 deg\"", value, path, mistakes);
    if (unit == "deg") angle *= std::numbers::pi / 180.0;
    return true;
  }
  void write(JsonWriter& json, const void* value) const override { json.number(*static_cast<const double*>(value)); }
  std::string json_schema() const override {
    return R"({"anyOf":[{"type":"number"},{"type":"string","pattern":"^[-+0-9.eE]+ *(deg|rad)$"}]})";
  }
};

class Boolean final : public Format {
public:
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    if (value.kind() != Value::Kind::boolean) return wrong_type("true or false", value, path, mistakes);
    *static_cast<bool*>(out) = value.boolean();
    return true;
  }
  void write(JsonWriter& json, const void* value) const override { json.boolean(*static_cast<const bool*>(value)); }
  std::string json_schema() const override { return R"({"type":"boolean"})"; }
};

class Text final : public Format {
public:
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    if (value.kind() != Value::Kind::text) return wrong_type("text", value, path, mistakes);
    *static_cast<std::string*>(out) = value.text();
    return true;
  }
  void write(JsonWriter& json, const void* value) const override { json.text(*static_cast<const std::string*>(value)); }
  std::string json_schema() const override { return R"({"type":"string"})"; }
};

/// Exactly n numbers in a row in memory.
class Numbers final : public Format {
public:
  explicit Numbers(int n) : n_(static_cast<std::size_t>(n)), wanted_("a list of " + std::to_string(n) + " numbers") {}
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    return read_numbers(value, path, mistakes, wanted_, -1, {static_cast<double*>(out), n_});
  }
  void write(JsonWriter& json, const void* value) const override {
    number_array(json, std::span(static_cast<const double*>(value), n_));
  }
  std::string json_schema() const override { return vector_schema(static_cast<int>(n_)); }

private:
  std::size_t n_;
  std::string wanted_;
};

template <class Matrix>
void write_rows(JsonWriter& json, const Matrix& matrix) {
  json.begin_array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    json.begin_array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) json.number(matrix(i, j));
    json.end_array();
  }
  json.end_array();
}

template <int N>
class SquareMatrix : public Format {
public:
  using Matrix = Eigen::Matrix<double, N, N>;
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    return read_matrix(value, path, mistakes, wanted_, *static_cast<Matrix*>(out));
  }
  void write(JsonWriter& json, const void* value) const override {
    write_rows(json, *static_cast<const Matrix*>(value));
  }
  std::string json_schema() const override { return matrix_schema(N); }

private:
  std::string wanted_ = "a " + std::to_string(N) + " x " + std::to_string(N) + " matrix of numbers";
};

template <int N>
class InverseInertia final : public SquareMatrix<N> {
public:
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    if (!SquareMatrix<N>::read(value, path, mistakes, out)) return false;
    auto& w = *static_cast<typename SquareMatrix<N>::Matrix*>(out);
    if (const auto problem = inverse_inertia_problem(w)) {
      mistakes.add(path, value.place(), *problem);
      return false;
    }
    w = (0.5 * w + 0.5 * w.transpose()).eval();
    return true;
  }
};

template <int N>
class UnitVector final : public Format {
public:
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    if (!plain_.read(value, path, mistakes, out)) return false;
    auto& vector = *static_cast<Eigen::Matrix<double, N, 1>*>(out);
    const double length = vector.norm();
    if (!(std::abs(length - 1.0) <= unit_tolerance)) {
      mistakes.add(path, value.place(), "must have unit length, its length is " + number_text(length));
      return false;
    }
    vector /= length;
    return true;
  }
  void write(JsonWriter& json, const void* value) const override { plain_.write(json, value); }
  std::string json_schema() const override { return plain_.json_schema(); }

private:
  Numbers plain_{N};
};

class AnyVector final : public Format {
public:
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    if (value.kind() != Value::Kind::list || value.size() == 0)
      return wrong_type("a list of numbers", value, path, mistakes);
    auto& vector = *static_cast<Eigen::VectorXd*>(out);
    vector.resize(static_cast<Eigen::Index>(value.size()));
    return read_numbers(value, path, mistakes, "a list of numbers", -1, std::span(vector.data(), value.size()));
  }
  void write(JsonWriter& json, const void* value) const override {
    number_array(json, *static_cast<const Eigen::VectorXd*>(value));
  }
  std::string json_schema() const override { return "{" + number_list_schema + ",\"minItems\":1}"; }
};

class AnyMatrix final : public Format {
public:
  bool read(const Value& value, const Path& path, Mistakes& mistakes, void* out) const override {
    const std::string_view wanted = "a matrix of numbers, row by row";
    const std::size_t columns =
        value.kind() == Value::Kind::list && value.size() > 0 ? (*value.items().begin()).size() : 0;
    if (columns == 0) return wrong_type(wanted, value, path, mistakes);
    // Before there is room for it: one long row and many short ones are few numbers but a huge matrix.
    int i = 0;
    for (const Value& row : value.items()) {
      if (row.size() != columns || row.kind() != Value::Kind::list) {
        mistakes.add(path, row.place(),
                     "must be " + std::string(wanted) + ", got " + shown(row) + " at [" + std::to_string(i) + "]");
        return false;
      }
      ++i;
    }
    auto& matrix = *static_cast<Eigen::MatrixXd*>(out);
    matrix.resize(static_cast<Eigen::Index>(value.size()), static_cast<Eigen::Index>(columns));
    return read_matrix(value, path, mistakes, wanted, matrix);
  }
  void write(JsonWriter& json, const void* value) const override {
    write_rows(json, *static_cast<const Eigen::MatrixXd*>(value));
  }
  std::string json_schema() const override {
    return "{\"type\":\"array\",\"minItems\":1,\"items\":{" + number_list_schema + ",\"minItems\":1}}";
  }
};

class Columns final : public Format {
public:
  void write(JsonWriter& json, const void* value) const override {
    write_rows(json, static_cast<const Eigen::MatrixXd*>(value)->transpose());
  }
  std::string json_schema() const override { return "{\"type\":\"array\",\"items\":{" + number_list_schema + "}}"; }
};

}  // namespace

Type<double> number(Range range) { return Type<double>(std::make_shared<Number>(range)); }
Type<int> integer(int low, int high) { return Type<int>(std::make_shared<Integer>(low, high)); }
Type<std::size_t> index() { return Type<std::size_t>(std::make_shared<Index>()); }
Type<double> angle() { return Type<double>(std::make_shared<Angle>()); }
Type<bool> boolean() { return Type<bool>(std::make_shared<Boolean>()); }
Type<std::string> text() { return Type<std::string>(std::make_shared<Text>()); }
Type<Eigen::VectorXd> vector_of_any_size() { return Type<Eigen::VectorXd>(std::make_shared<AnyVector>()); }
Type<Eigen::MatrixXd> matrix_of_any_size() { return Type<Eigen::MatrixXd>(std::make_shared<AnyMatrix>()); }
Type<Eigen::MatrixXd> list_of_columns() { return Type<Eigen::MatrixXd>(std::make_shared<Columns>()); }

template <int N>
Type<Eigen::Matrix<double, N, 1>> vector() {
  return Type<Eigen::Matrix<double, N, 1>>(std::make_shared<Numbers>(N));
}
template <int N>
Type<Eigen::Matrix<double, N, N>> matrix() {
  return Type<Eigen::Matrix<double, N, N>>(std::make_shared<SquareMatrix<N>>());
}
template <int N>
Type<Eigen::Matrix<double, N, N>> inverse_inertia() {
  return Type<Eigen::Matrix<double, N, N>>(std::make_shared<InverseInertia<N>>());
}
template <int N>
Type<Eigen::Matrix<double, N, 1>> unit_vector() {
  return Type<Eigen::Matrix<double, N, 1>>(std::make_shared<UnitVector<N>>());
}

// What a template is made for limits what a shared library shows of it, and Eigen's types are hidden.
#define SHOWN __attribute__((visibility("default")))
template SHOWN Type<Eigen::Vector2d> vector<2>();
template SHOWN Type<Eigen::Vector3d> vector<3>();
template SHOWN Type<Eigen::Matrix2d> matrix<2>();
template SHOWN Type<Eigen::Matrix3d> matrix<3>();
template SHOWN Type<Eigen::Matrix2d> inverse_inertia<2>();
template SHOWN Type<Eigen::Matrix3d> inverse_inertia<3>();
template SHOWN Type<Eigen::Vector2d> unit_vector<2>();
template SHOWN Type<Eigen::Vector3d> unit_vector<3>();

}  // namespace carom::schema
