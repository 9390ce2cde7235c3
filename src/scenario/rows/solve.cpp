#include "carom/scenario/solve.hpp"

#include <istream>
#include <limits>
#include <memory>
#include <ostream>

#include "carom/core/error.hpp"
#include "carom/core/parallel.hpp"
#include "carom/schema/json.hpp"

#include "model.hpp"

namespace carom::scenario {

RowModel planar_rows();
RowModel spatial_rows();
RowModel compliant_rows();
RowModel simultaneous_rows();
RowModel multipoint_rows();
RowModel rod_rows();
RowModel world_rows();
RowModel normal_impact_rows();
RowModel stick_slip_rows();
RowModel sphere_on_plane_rows();
RowModel pendulum_impact_rows();
RowModel contact_parameters_rows();
RowModel batting_rows();
RowModel fit_rows();
RowModel fem_rows();
RowModel rest_shape_rows();
RowModel squeeze_rows();

namespace {

const std::vector<RowModel>& models() {
  static const std::vector<RowModel> all = {planar_rows(),
                                            spatial_rows(),
                                            compliant_rows(),
                                            simultaneous_rows(),
                                            multipoint_rows(),
                                            rod_rows(),
                                            world_rows(),
                                            normal_impact_rows(),
                                            stick_slip_rows(),
                                            sphere_on_plane_rows(),
                                            pendulum_impact_rows(),
                                            contact_parameters_rows(),
                                            batting_rows(),
                                            fit_rows(),
                                            fem_rows(),
                                            rest_shape_rows(),
                                            squeeze_rows()};
  return all;
}

/// The start of an answer. `id` is JSON and echoed as it was written; none in, none out.
void write_id(JsonWriter& json, std::string_view id) {
  if (id.empty()) return;
  json.key("id");
  json.raw(id);
}

std::string error_row(std::string_view id, const std::string* field, const std::string& message) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  write_id(json, id);
  json.key("error");
  json.begin_object();
  json.key("field");
  field != nullptr ? json.text(*field) : json.null();
  json.key("message"), json.text(message);
  json.end_object();
  json.end_object();
  return out;
}

std::string unreadable_row(const std::string& message) { return error_row("null", nullptr, message); }

const RowModel* find_model(const Value& row, std::string& problem) {
  const Value* name = row.find("model");
  if (name == nullptr || name->is_null()) {
    problem = "is required";
    return nullptr;
  }
  std::vector<std::string> names;
  std::string known;
  for (const RowModel& model : models()) {
    if (name->kind() == Value::Kind::text && name->text() == model.name) return &model;
    names.emplace_back(model.name);
    known += (known.empty() ? "" : ", ") + names.back();
  }
  problem = "must be one of " + known + ", got " + shown(*name) + suggestion(name->text(), names);
  return nullptr;
}

/// Lines of one batch: enough to keep every core busy, few enough to keep memory small.
constexpr std::size_t batch_lines = 4096;
constexpr std::size_t batch_bytes = 16'000'000;

struct Line {
  std::string text;
  bool too_long = false;
};

/// The next line that is not blank; false at the end. A line that is too long is skipped over, not stored.
class LineReader {
public:
  explicit LineReader(std::istream& in) : in_(in), buffer_(new char[capacity]) {}

  bool next(Line& line) {
    while (in_.good()) {
      in_.getline(buffer_.get(), capacity);
      std::size_t size = static_cast<std::size_t>(in_.gcount());
      if (in_.bad()) return false;
      line.too_long = in_.fail() && size == capacity - 1;
      if (line.too_long) {
        in_.clear();
        in_.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        first_ = false;
        line.text.clear();
        return true;
      }
      if (in_.fail()) return false;  // the end, with nothing before it
      if (!in_.eof()) --size;        // getline counts the line break
      std::string_view text(buffer_.get(), size);
      if (first_ && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
      first_ = false;
      if (text.find_first_not_of(" \t\r\v\f") == std::string_view::npos) continue;
      line.text = text;
      return true;
    }
    return false;
  }

  /// Whether the next line may not have arrived yet: then what is ready should be answered first.
  bool would_wait() { return in_.good() && in_.rdbuf()->in_avail() <= 0; }

private:
  static constexpr std::streamsize capacity = static_cast<std::streamsize>(max_solve_line) + 2;
  std::istream& in_;
  std::unique_ptr<char[]> buffer_;  // not initialised: only the pages that lines really reach are ever touched
  bool first_ = true;
};

/// Answers a line, or only reads it: then a row that is fine gives an answer without members.
std::string answered(std::string_view line, bool solve, bool& failed) {
  failed = true;
  Tree tree;
  std::string problem;
  if (!read_json(line, tree, problem)) return unreadable_row("not valid JSON: " + problem);
  const Value& row = tree.root();
  if (row.kind() != Value::Kind::object) return unreadable_row("must be a JSON object, got " + shown(row));
  const Value* given_id = row.find("id");
  const std::string_view id =
      given_id != nullptr ? json_slice(line, static_cast<std::size_t>(given_id->place())) : std::string_view();
  static const std::string model_field = "model";
  const RowModel* model = find_model(row, problem);
  if (model == nullptr) return error_row(id, &model_field, problem);

  std::string out;
  out.reserve(1024);  // most answers are shorter
  JsonWriter json(out);
  json.begin_object();
  write_id(json, id);
  Mistakes mistakes(Mistakes::Of::row);
  try {
    try {
      if (solve) model->answer(*model, row, mistakes, json);
    } catch (const InvalidInput& error) {
      add_library_error(*model->problem, row, {}, error, mistakes);
    }
    if (mistakes.count() > 0 || !solve) {
      mistakes.thorough = true;  // there may be another mistake before the one that was found
      model->answer(*model, row, mistakes, json);
    }
  } catch (const std::exception& error) {
    return error_row(id, nullptr, error.what());
  }
  if (mistakes.count() > 0) return error_row(id, &mistakes.list.front().path, mistakes.list.front().message);
  json.end_object();
  failed = false;
  return out;
}

}  // namespace

std::string solve_row(std::string_view line, bool& failed) { return answered(line, true, failed); }

std::string check_row(std::string_view line) {
  bool failed = true;
  std::string answer = answered(line, false, failed);
  return failed ? answer : "";
}

std::string rows_schema() {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("$schema"), json.text("https://json-schema.org/draft/2020-12/schema");
  json.key("title"), json.text("carom solve");
  json.key("description"),
      json.text(
          "Rows of `carom solve` and their answers, model by model. A row also names its `model`; its `id`, if it "
          "has one, is echoed. A row that is refused is answered with `error` instead.");
  json.key("$defs");
  json.begin_object();
  for (const RowModel& model : models()) {
    json.key(model.name);
    json.begin_object();
    json.key("row"), json.raw(model.problem->json_schema());
    json.key("answer"), json.raw(model.result->json_schema());
    json.end_object();
  }
  json.end_object();
  json.end_object();
  return indented(text) + "\n";
}

SolveSummary solve_stream(std::istream& in, std::ostream& out, int threads) {
  const int cores = available_threads();
  if (threads <= 0 || threads > cores) threads = cores;  // more than there are cores only slow each other down
  SolveSummary summary;
  LineReader reader(in);
  std::vector<Line> lines(batch_lines);
  std::vector<std::string> answers(batch_lines);
  std::vector<char> failed(batch_lines);
  for (bool more = true; more;) {
    std::size_t count = 0, bytes = 0;
    while (count < batch_lines && bytes < batch_bytes) {
      more = reader.next(lines[count]);
      if (!more) break;
      bytes += lines[count++].text.size();
      if (reader.would_wait()) break;
    }
    const auto answer = [&](std::size_t i) {
      bool row_failed = true;
      answers[i] = lines[i].too_long ? unreadable_row("the line is over 64 MB") : solve_row(lines[i].text, row_failed);
      failed[i] = row_failed;
    };
    parallel_for(count, 1, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) answer(i);
    });
    for (std::size_t i = 0; i < count; ++i) {
      out.write(answers[i].data(), static_cast<std::streamsize>(answers[i].size())).put('\n');
      ++summary.rows;
      summary.errors += failed[i] != 0;
      if (lines[i].text.capacity() > batch_bytes / batch_lines) lines[i].text = {}, answers[i] = {};
    }
    out.flush();
  }
  return summary;
}

}  // namespace carom::scenario
