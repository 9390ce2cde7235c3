// Rows of `carom solve`: whatever the bytes, the answer is one line of JSON, the id comes back as it was, and the
// reader takes what nlohmann's parser takes. Rows of the models in `quick` are solved, the others only read (their
// solving may take a second); with CAROM_FUZZ_SOLVE=all in the environment every row is solved.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "carom/scenario/solve.hpp"
#include "carom/schema/json.hpp"

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 2> quick = {"planar", "spatial"};

void require(bool condition) {
  if (!condition) std::abort();
}

/// Whether nlohmann's parser takes a text.
class Judge : public json::json_sax_t {
public:
  bool overflow = false;  ///< it stops there, carom's reader does not
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(std::string&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    overflow = error.id == 406;
    return false;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace carom::scenario;
  using namespace carom::schema;
  static const bool all = std::getenv("CAROM_FUZZ_SOLVE") != nullptr;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  if (line.find('\n') != std::string_view::npos) return 0;

  Tree tree;
  std::string problem;
  const bool taken = read_json(line, tree, problem);
  Judge judge;
  const bool nlohmann_takes = json::sax_parse(line.begin(), line.end(), &judge);
  // nlohmann's parser sees the end of the text in a zero byte; carom's has a bound on depth.
  if (!judge.overflow && line.find('\0') == std::string_view::npos && !problem.starts_with("is nested"))
    require(taken == nlohmann_takes);

  bool solve = all;
  if (taken && tree.root().find("model") != nullptr) {
    const std::string_view model = tree.root().find("model")->text();
    solve |= std::find(quick.begin(), quick.end(), model) != quick.end();
  }
  bool failed = true;
  const std::string answer = solve ? solve_row(line, failed) : check_row(line);
  if (!solve) failed = !answer.empty();
  if (answer.empty()) return 0;
  require(answer.find('\n') == std::string::npos);
  Judge answer_judge;
  require(json::sax_parse(answer, &answer_judge) || answer_judge.overflow);  // an id may hold 1e999
  Tree answer_tree;
  require(read_json(answer, answer_tree, problem));
  require(failed == (answer_tree.root().find("error") != nullptr));
  const Value* id = taken ? tree.root().find("id") : nullptr;
  const Value* echo = answer_tree.root().find("id");
  if (id != nullptr) {
    require(echo != nullptr);
    require(json_slice(line, static_cast<std::size_t>(id->place())) ==
            json_slice(answer, static_cast<std::size_t>(echo->place())));
  } else {
    require((echo == nullptr) == (taken && tree.root().kind() == Value::Kind::object));
  }
  return 0;
}
