// Numbers as text, the range checks and the energy ledger.
#include "carom/core/error.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

#include "carom/core/energy.hpp"

#include "core/random.hpp"

namespace carom {
namespace {

using testing::refusal;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(InvalidInput, NamesTheField) {
  const InvalidInput error("friction", "must be >= 0, got -0.4");
  EXPECT_EQ(error.field(), "friction");
  EXPECT_EQ(error.message(), "must be >= 0, got -0.4");
  EXPECT_STREQ(error.what(), "friction: must be >= 0, got -0.4");
  EXPECT_THROW(throw error, std::invalid_argument);
}

TEST(NumberText, IsTheShortest) {
  EXPECT_EQ(number_text(0.0), "0");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(1.0), "1");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-0.4), "-0.4");
  EXPECT_EQ(number_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(number_text(1e300), "1e+300");
  EXPECT_EQ(number_text(1e-300), "1e-300");
  EXPECT_EQ(number_text(std::numeric_limits<double>::denorm_min()), "5e-324");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::max()), "-1.7976931348623157e+308");
  EXPECT_EQ(number_text(-2.2250738585072014e-308), "-2.2250738585072014e-308");  // the longest there is
}

TEST(NumberText, NotFinite) {
  EXPECT_EQ(number_text(infinity), "inf");
  EXPECT_EQ(number_text(-infinity), "-inf");
  EXPECT_EQ(number_text(nan), "nan");
  EXPECT_EQ(number_text(std::copysign(nan, -1.0)), "nan");
}

TEST(NumberText, ReadsBackAsTheSameBits) {
  testing::Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(static_cast<std::uint64_t>(rng()));
    if (!std::isfinite(value)) continue;
    const double back = std::strtod(number_text(value).c_str(), nullptr);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value)) << number_text(value);
  }
}

TEST(Require, Finite) {
  EXPECT_NO_THROW(require_finite("x", -1e308));
  EXPECT_EQ(refusal([] { require_finite("x", nan); }), "x: must be a finite number, got nan");
  EXPECT_EQ(refusal([] { require_finite("x", infinity); }), "x: must be a finite number, got inf");
  EXPECT_EQ(refusal([] { require_finite("x", -infinity); }), "x: must be a finite number, got -inf");
}

TEST(Require, Positive) {
  EXPECT_NO_THROW(require_positive("mass", std::numeric_limits<double>::denorm_min()));
  EXPECT_EQ(refusal([] { require_positive("mass", 0.0); }), "mass: must be positive, got 0");
  EXPECT_EQ(refusal([] { require_positive("mass", -1.0); }), "mass: must be positive, got -1");
  EXPECT_EQ(refusal([] { require_positive("mass", infinity); }), "mass: must be a finite number, got inf");
  EXPECT_EQ(refusal([] { require_positive("mass", nan); }), "mass: must be a finite number, got nan");
}

TEST(Require, AtLeast) {
  EXPECT_NO_THROW(require_at_least("friction", 0.0, 0.0));
  EXPECT_NO_THROW(require_at_least("friction", -0.0, 0.0));
  EXPECT_EQ(refusal([] { require_at_least("friction", -0.4, 0.0); }), "friction: must be >= 0, got -0.4");
  EXPECT_EQ(refusal([] { require_at_least("n", 1.0, 1.5); }), "n: must be >= 1.5, got 1");
  EXPECT_EQ(refusal([] { require_at_least("n", infinity, 0.0); }), "n: must be a finite number, got inf");
}

TEST(Require, Between) {
  EXPECT_NO_THROW(require_between("e", 0.0, 0.0, 1.0));
  EXPECT_NO_THROW(require_between("e", 1.0, 0.0, 1.0));
  EXPECT_EQ(refusal([] { require_between("e", std::nextafter(1.0, 2.0), 0.0, 1.0); }),
            "e: must be in [0, 1], got 1.0000000000000002");
  EXPECT_EQ(refusal([] { require_between("e", -1e-300, 0.0, 1.0); }), "e: must be in [0, 1], got -1e-300");
  EXPECT_EQ(refusal([] { require_between("e", nan, 0.0, 1.0); }), "e: must be a finite number, got nan");
}

TEST(EnergyLedger, ImbalanceIsWhatTheEntriesLeaveOut) {
  EXPECT_EQ(EnergyLedger{}.imbalance(), 0.0);
  // Powers of two, so that each entry shows in the sum by itself.
  const EnergyLedger ledger{
      .before = 64.0, .after = 32.0, .restitution_loss = 16.0, .friction_loss = 8.0, .residual = 4.0};
  EXPECT_EQ(ledger.imbalance(), 4.0);
  EnergyLedger gained = ledger;
  gained.restitution_loss = -16.0;  // the normal impulse gave energy
  EXPECT_EQ(gained.imbalance(), 36.0);
}

}  // namespace
}  // namespace carom
