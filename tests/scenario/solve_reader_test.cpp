// What the reader of rows promises whatever a row holds: ids come back byte for byte, valid JSON is taken and nothing
// else, and a row costs a bounded multiple of its length.
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

#include "carom/scenario/solve.hpp"

#include "scenario/memory_peak.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

const std::string rod = R"("model":"planar","law":"poisson","W":[[2.5,-1.5],[-1.5,2.5]],"v":[0.6,-1],"mu":0.7,"e":0.5)";

std::string answer(const std::string& row) {
  bool failed = false;
  return solve_row(row, failed);
}

std::string with_id(const std::string& id) { return "{\"id\":" + id + "," + rod + "}"; }

TEST(Ids, AreEchoedAsTheyWereWritten) {
  for (const char* id : {"1e999", "-0", "-0.0", "0e0", "1E+2", "12345678901234567890123", R"({"a":1,"a":2})",
                         R"({"a" : [ 1 ,2 ] , "b":{}})", R"("\u00e9\/\ud834\udd1e")", "\"\xC3\xA9\"", "[[],[[]], {}]",
                         R"({"]":"}","\"":"\\"})", "[\t1e-999 ]", "true", "null", R"("")"}) {
    EXPECT_EQ(answer(with_id(id)).find("{\"id\":" + std::string(id) + ",\"verdict\""), 0u) << id;
    const std::string bad = answer("{\"mu\":-1,\"model\":\"planar\", \"id\" : " + std::string(id) + " }");
    EXPECT_EQ(bad.find("{\"id\":" + std::string(id) + ",\"error\""), 0u) << bad;
  }
  EXPECT_EQ(answer("{\"id\":1,\"id\":2," + rod + "}"), R"({"id":1,"error":{"field":"id","message":"is given twice"}})");
}

/// Some JSON, with whatever JSON allows between its tokens.
std::string random_json(std::mt19937_64& rng, int depth) {
  const auto pick = [&](std::initializer_list<const char*> options) {
    return std::string(options.begin()[rng() % options.size()]);
  };
  const auto space = [&] { return pick({"", "", "", " ", "\t", "\r", "  "}); };
  const auto text = [&] {
    std::string s = "\"";
    for (auto n = rng() % 6; n > 0; --n)
      s += pick({"a", "\\n", "\\\"", "\\\\", "\\u00e9", "\\ud834\\udd1e", "\xC3\xA9", "\xF0\x9D\x84\x9E", "/", "{", "]",
                 ":", ",", "\\u0000", "\x7f"});
    return s + "\"";
  };
  switch (depth > 4 ? rng() % 4 : rng() % 6) {
    case 0:
      return pick({"null", "true", "false"});
    case 1:
      return pick({"", "-"}) + pick({"0", "1", "907", "123456789012345678901234567890"}) +
             pick({"", ".0", ".25", ".001"}) + pick({"", "e5", "E-3", "e+999", "e-999"});
    case 2:
    case 3:
      return text();
    case 4: {
      std::string s = "[" + space();
      for (auto n = rng() % 4, i = n; i > 0; --i)
        s += (i == n ? "" : ",") + space() + random_json(rng, depth + 1) + space();
      return s + "]";
    }
    default: {
      std::string s = "{" + space();
      for (auto n = rng() % 4, i = n; i > 0; --i)
        s += (i == n ? "" : ",") + space() + text() + space() + ":" + space() + random_json(rng, depth + 1) + space();
      return s + "}";
    }
  }
}

TEST(Ids, OfAnyKindAreEchoedByteForByte) {
  std::mt19937_64 rng(5);
  for (int i = 0; i < 3000; ++i) {
    const std::string id = random_json(rng, 0);
    ASSERT_EQ(answer(with_id(id)).find("{\"id\":" + id + ",\"verdict\""), 0u) << id;
  }
}

// nlohmann's parser as the judge: damaged rows are refused as not JSON by both or by none.
TEST(Reader, TakesWhatIsJson) {
  const std::string bytes = "{}[]\",:0123456789-+.eE\\tfnu \t\x01\x7f\xC3\xA9\xED\xA0\xF4";
  std::mt19937_64 rng(6);
  int refused = 0, taken = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = random_json(rng, 0);
    for (auto n = rng() % 3; n > 0; --n) {
      const std::size_t at = rng() % (text.size() + 1);
      switch (rng() % 3) {
        case 0:
          text.insert(at, 1, bytes[rng() % bytes.size()]);
          break;
        case 1:
          text.erase(at, 1);
          break;
        default:
          if (at < text.size()) text[at] = bytes[rng() % bytes.size()];
      }
    }
    const std::string message = answer("{\"model\":\"none\",\"x\":" + text + "}");
    const bool ours = message.find("not valid JSON") == std::string::npos;
    // It stops at numbers that overflow.
    bool theirs = true;
    try {
      const json parsed = json::parse("{\"model\":\"none\",\"x\":" + text + "}");
    } catch (const json::out_of_range&) {
      continue;
    } catch (const json::parse_error&) {
      theirs = false;
    }
    ASSERT_EQ(ours, theirs) << text;
    ++(ours ? taken : refused);
  }
  EXPECT_GT(taken, 3000);
  EXPECT_GT(refused, 3000);
}

TEST(Reader, SaysWhereItIsNotJson) {
  const auto message = [](const std::string& row) {
    return json::parse(answer(row))["error"]["message"].get<std::string>();
  };
  EXPECT_EQ(message("{\"id\":1,"), "not valid JSON: expected a key in quotes at byte 8");
  EXPECT_EQ(message("{\"id\":01}"), "not valid JSON: expected ',' or '}' at byte 7");
  EXPECT_EQ(message("{\"id\":\"\xff\"}"), "not valid JSON: is not UTF-8 at byte 7");
  EXPECT_EQ(message("{\"a\":\"\\ud800\"}"), "not valid JSON: half of a surrogate pair at byte 11");
  EXPECT_EQ(message("{} {}"), "not valid JSON: something follows the value at byte 3");
  EXPECT_EQ(message(std::string(101, '[')), "not valid JSON: is nested too deeply at byte 100");
  EXPECT_EQ(message(std::string("{\"a\":1}\0", 8)), "not valid JSON: something follows the value at byte 7");
}

TEST(Reader, NumbersAreTheNearestDoubles) {
  const auto read = [](const std::string& text) {
    return json::parse(answer(R"({"model":"planar","law":"poisson","W":[[1,0],[0,1]],"v":[1,)" + text +
                              R"(],"mu":0,"e":1})"))["velocity_after"][1]
        .get<double>();
  };
  EXPECT_EQ(read("0.1"), 0.1);
  EXPECT_EQ(read("123456789012345678901234567890"), 123456789012345678901234567890.0);
  EXPECT_EQ(read("4.9e-324"), 4.9e-324);
  EXPECT_EQ(read("1e-999"), 0.0);
  EXPECT_EQ(read("0." + std::string(400, '0') + "1e401"), 1.0);
  EXPECT_EQ(read("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(read("1" + std::string(400, '0') + "e-400"), 1.0);
  EXPECT_TRUE(json::parse(answer(R"({"model":"planar","mu":1)" + std::string(400, '0') + "e-5}")).contains("error"));
}

std::string repeated(const std::string& start, const char* item, int count, const std::string& end) {
  std::string text = start;
  text.reserve(start.size() + std::strlen(item) * static_cast<std::size_t>(count) + end.size());
  for (int i = 0; i < count; ++i) text += item;
  return text += end;
}

/// Expects that answering `start`, `count` times `item`, `end` takes less memory than `times` the row's length.
void expect_cost_below(const std::string& start, const char* item, int count, const std::string& end, double times) {
  const std::string row = repeated(start, item, count, end);
  answer(repeated(start, item, 3, end));  // what is kept from the first row on is not the row's
  const std::size_t before = memory_held();
  reset_memory_peak();
  answer(row);
  EXPECT_LT(static_cast<double>(memory_peak() - before), times * static_cast<double>(row.size())) << row.substr(0, 80);
}

TEST(Memory, OfARowIsBoundedByItsLength) {
  if (!memory_peak_works()) GTEST_SKIP() << "the sanitizer's malloc is not counted";
  expect_cost_below(R"({"model":"planar","v":[)", "1,", 4'000'000, "1]}", 15.0);
  expect_cost_below(R"({"model":"rod","sample_times":[)", "1,", 4'000'000, "1]}", 15.0);
  expect_cost_below(R"({"model":"multipoint","velocity":[)", "1,", 4'000'000, "1]}", 15.0);
  expect_cost_below(R"({"model":"planar","v":[)", "[],", 3'000'000, "1]}", 15.0);
  expect_cost_below(R"({"model":"planar")", R"(,"":{})", 1'500'000, "}", 15.0);
  expect_cost_below(R"({"model":"planar","v":[)", R"("\n",)", 1'500'000, "1]}", 15.0);
  expect_cost_below(R"({"model":"simultaneous","contacts":[)", "{},", 99'000, "{}]}", 15.0);
  expect_cost_below(R"({"model":"simultaneous","bodies":[)", "1,", 99'000, "1]}", 15.0);
  // Few numbers, but a matrix of 10^12.
  expect_cost_below(repeated(R"({"model":"multipoint","jacobian":[[)", "1,", 1'000'000, "1]"), ",[]", 1'000'000, "]}",
                    15.0);
}

}  // namespace
}  // namespace carom::scenario
