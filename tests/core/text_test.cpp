// Numbers as text: what is written reads back as the same double, in the shortest way, on every platform.
#include "carom/core/text.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "internal/core/portable_numbers.hpp"

namespace carom {
namespace {

/// Doubles of every size, among them whole numbers and short decimals.
double some_double(std::mt19937_64& rng) {
  for (;;) {
    double value = 0.0;
    switch (rng() % 4) {
      case 0:
        value = std::bit_cast<double>(rng());
        break;
      case 1:
        value = static_cast<double>(static_cast<std::int64_t>(rng() >> (rng() % 64)));
        break;
      case 2:
        value = static_cast<double>(rng() % 100000) / std::pow(10.0, static_cast<double>(rng() % 12));
        break;
      default:
        value = std::ldexp(static_cast<double>(rng() >> 11), static_cast<int>(rng() % 80) - 90);
    }
    if (std::isfinite(value)) return rng() % 2 != 0 ? value : -value;
  }
}

TEST(NumberText, ReadsBack) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const double value = some_double(rng);
    double back = 0.0;
    ASSERT_TRUE(parse_number(number_text(value), back));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value)) << number_text(value);
  }
}

TEST(NumberText, IsTheSameWithoutTheStandardFunctions) {
  std::mt19937_64 rng(2);
  const auto as_standard = [](double value) {
    char buffer[32];
    return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  };
  for (int i = 0; i < 20'000; ++i) {
    const double value = some_double(rng);
    std::string portable;
    append_portable(portable, value);
    EXPECT_EQ(portable, as_standard(value));
  }
  for (const double value : {0.0, -0.0, 1.0, 1e5, 123456.0, 1e22, 1e23, 0.001, 1e-5, 5e-324, 1.7976931348623157e308}) {
    std::string portable;
    append_portable(portable, value);
    EXPECT_EQ(portable, as_standard(value));
  }
}

TEST(NumberText, IsReadTheSameWithoutTheStandardFunctions) {
  for (const std::string text :
       {"1",  "-1.5e3", "1.", ".5",    "-.5e-3x", "1e",     "1e+",    "1e5.5",    "",       "-",    ".",
        "-.", "e5",     "1x", "00012", "1e999",   "-1e999", "1e-999", "4.9e-324", "2e-324", "0x10", "1e0000000001"}) {
    double a = 0.0, b = 0.0;
    bool out_of_range = false;
    const char *first = text.data(), *last = first + text.size();
    const char* end = read_portable(first, last, a, out_of_range);
    const auto [standard_end, error] = std::from_chars(first, last, b);
    EXPECT_EQ(end - first, error == std::errc::invalid_argument ? 0 : standard_end - first) << text;
    EXPECT_EQ(out_of_range, error == std::errc::result_out_of_range) << text;
    if (error == std::errc{}) {
      EXPECT_EQ(a, b) << text;
    }
  }
}

TEST(LeadingNumber, EndsWhereTheNumberEnds) {
  double number = 0.0;
  EXPECT_EQ(leading_number("30 deg", number), 2U);
  EXPECT_EQ(number, 30.0);
  EXPECT_EQ(leading_number("-1.5e3rad", number), 6U);
  EXPECT_EQ(number, -1500.0);
  for (const char* none : {"", "x", "inf", "nan", "-inf", "+1", " 1", "-"})
    EXPECT_EQ(leading_number(none, number), 0U) << none;
  EXPECT_EQ(leading_number("1e999", number), 5U);
  EXPECT_EQ(number, std::numeric_limits<double>::infinity());
  EXPECT_EQ(leading_number("-1e-999", number), 7U);
  EXPECT_EQ(number, 0.0);
  EXPECT_FALSE(parse_number("1 ", number));
  EXPECT_TRUE(parse_number("1", number));
}

}  // namespace
}  // namespace carom
