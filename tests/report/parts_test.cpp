// The parts behind the figures: markup, ticks, clipping, placing labels.
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "carom/core/utf8.hpp"

#include "internal/report/geometry.hpp"
#include "internal/report/label_placement.hpp"
#include "internal/report/math_text.hpp"
#include "internal/report/plot_range.hpp"
#include "internal/report/raster.hpp"
#include "internal/report/ticks.hpp"
#include "internal/report/utf8.hpp"

namespace carom::report {
namespace {

TEST(Markup, BecomesPlainUnicode) {
  EXPECT_EQ(plain_text("$P_x$ [N s]"), "P_x [N s]");
  EXPECT_EQ(plain_text("$v_0$, $e^2$, $10^{-3}$"), "v₀, e², 10⁻³");
  EXPECT_EQ(plain_text("$\\mu_{max} \\le 0.7$"), "μ_max ≤ 0.7");
  EXPECT_EQ(plain_text("$\\Delta T$, $\\sin \\theta$, $e^{kt}$"), "ΔT, sin\u2009θ, e^(kt)");
  EXPECT_EQ(plain_text("m/s$^2$"), "m/s²");
  EXPECT_EQ(plain_text("costs 5$, or \\$6"), "costs 5$, or $6");
  EXPECT_EQ(plain_text("$x_{"), "$x_{");
  EXPECT_EQ(plain_text("$x_{$ $^$ $\\$"), plain_text("$x_{$ $^$ $\\$"));  // odd markup does not crash
  EXPECT_EQ(plain_text("$\\dot x$"), "x\u0307");
  EXPECT_EQ(plain_text("$(E/E_0) e^{2 r t_1}$"), "(E/E₀)e^(2rt_1)");
}

TEST(Markup, AnIndexInAnExponentHangsFromTheExponent) {
  // The 1 of t_1 used to be the index of the e. Down from the exponent, above the line.
  const std::string svg = svg_tspans(parse_markup("$e^{t_1}$"), 100.0);
  EXPECT_EQ(svg,
            "<tspan class=\"math var\">e</tspan><tspan class=\"math var\" font-size=\"72\" dy=\"-38\">t</tspan>"
            "<tspan class=\"math\" font-size=\"60\" dy=\"16\">1</tspan>");
}

TEST(Markup, SurvivesAnyBytes) {
  std::mt19937_64 random(3);
  const std::string alphabet = "$$\\{}_^a1 -=\xce\xbc\xff";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random() % 24; n > 0; --n) text += alphabet[random() % alphabet.size()];
    EXPECT_GE(text_width(text, 10.0), 0.0);
    EXPECT_GE(svg_tspans(parse_markup(text), 10.0).size(), 0u);
    wrap_markup(text, 10.0, 30.0);
    EXPECT_LE(display_width(plain_text(text)), 3 * text.size());
  }
}

TEST(Markup, WrapsOutsideMathOnly) {
  const auto lines = wrap_markup("one $a = b$ two", 10.0, 1.0);
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "$a = b$", "two"}));
}

std::vector<std::string> labels(const Ticks& ticks) {
  std::vector<std::string> out;
  for (const Tick& tick : ticks.major) out.push_back(tick.label);
  return out;
}

TEST(Ticks, AreOneTwoFive) {
  EXPECT_EQ(labels(linear_ticks(0.0, 1.0, 5)), (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(linear_ticks(-0.11, 0.11, 4)), (std::vector<std::string>{"−0.10", "−0.05", "0.00", "0.05", "0.10"}));
}

TEST(Ticks, TakeOutPowersAndOffsets) {
  const Ticks large = linear_ticks(0.0, 2e6, 4);
  EXPECT_EQ(large.note, "×$10^{6}$");
  EXPECT_EQ(labels(large), (std::vector<std::string>{"0.0", "0.5", "1.0", "1.5", "2.0"}));
  const Ticks far = linear_ticks(1000000.001, 1000000.009, 4);
  EXPECT_EQ(far.note, "+ 1000000");
  EXPECT_EQ(labels(far), (std::vector<std::string>{"0.002", "0.004", "0.006", "0.008"}));
}

TEST(Ticks, CountDecades) {
  const Ticks t = logarithmic_ticks(1e-3, 1e2, 6);
  EXPECT_EQ(labels(t),
            (std::vector<std::string>{"$10^{-3}$", "$10^{-2}$", "$10^{-1}$", "$10^{0}$", "$10^{1}$", "$10^{2}$"}));
  EXPECT_EQ(t.minor.size(), 5u * 8u);
  EXPECT_EQ(labels(logarithmic_ticks(1.0, 8.0, 6)), (std::vector<std::string>{"1", "2", "5"}));
  EXPECT_LE(logarithmic_ticks(1e-200, 1e200, 6).major.size(), 8u);
}

TEST(Ticks, StayInRangeAndFewForAnyRange) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(-280, 280), unit(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    const double low = unit(random) * std::pow(10.0, exponent(random));
    const double span = std::abs(low) * std::pow(10.0, 11.0 * unit(random)) + 1e-290;
    const double high = low + span;
    const Ticks ticks = linear_ticks(low, high, 6);
    ASSERT_GE(ticks.major.size(), 2u) << low << ' ' << high;
    ASSERT_LE(ticks.major.size(), 11u) << low << ' ' << high;
    for (const Tick& tick : ticks.major) {
      ASSERT_GE(tick.value, low - 1e-6 * span);
      ASSERT_LE(tick.value, high + 1e-6 * span);
      ASSERT_LE(display_width(tick.label), 9u) << low << ' ' << high << ' ' << tick.label;
    }
  }
}

TEST(Range, ShowsCurvesWithAMarginAndIgnoresLines) {
  Plot plot;
  plot.curves.resize(1);
  plot.curves[0].points = {{0, 10}, {1, 20}};
  plot.lines = {{{1000, 1000}, {1, 0}, {}, "", ""}};
  const Frame frame = choose_frame(plot);
  EXPECT_DOUBLE_EQ(frame.x.low, -0.06);
  EXPECT_DOUBLE_EQ(frame.x.high, 1.06);
  EXPECT_DOUBLE_EQ(frame.y.low, 9.4);
  EXPECT_DOUBLE_EQ(frame.y.high, 20.6);
}

TEST(Range, EqualScalesAreEqual) {
  for (const double height : {0.01, 0.5, 1.0, 3.0, 100.0}) {
    Plot plot;
    plot.equal_scale = true;
    plot.curves.resize(1);
    plot.curves[0].points = {{0, 0}, {1, height}};
    const Frame f = choose_frame(plot);
    EXPECT_NEAR(f.width / (f.x.high - f.x.low), f.height / (f.y.high - f.y.low), 1e-9 * f.width);
    EXPECT_LE(f.x.low, 0.0);
    EXPECT_GE(f.y.high, height);
  }
}

TEST(Clip, KeepsEveryPieceInsideTheBox) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(-30, 40);
  const Box box{0, 0, 10, 10};
  for (int i = 0; i < 5000; ++i) {
    Polyline points;
    for (int k = 0; k < 8; ++k) points.push_back({place(random), place(random)});
    for (const Polyline& piece : clip_polyline(points, box)) {
      ASSERT_GE(piece.size(), 2u);
      for (const Point& p : piece) ASSERT_TRUE(box.grown(1e-9).contains(p));
    }
  }
}

TEST(Clip, SimplifiedCurveStaysWithinAFractionOfAPixel) {
  Polyline circle;
  const double radius = 200.0;
  for (int i = 0; i <= 20000; ++i) {
    const double a = 2e-4 * 1.5 * i;
    circle.push_back({radius * std::cos(a), radius * std::sin(a)});
  }
  const auto pieces = clip_polyline(circle, {-300, -300, 300, 300});
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_LT(pieces[0].size(), 2000u);
  for (std::size_t i = 0; i + 1 < pieces[0].size(); ++i) {
    const Point a = pieces[0][i], b = pieces[0][i + 1];
    EXPECT_NEAR(std::hypot(0.5 * (a.x + b.x), 0.5 * (a.y + b.y)), radius, 0.15);  // column width plus tolerance
  }
}

TEST(Labels, DoNotOverlapEachOtherMarkersOrTheFrame) {
  // Six markers in a close cluster and one in a corner: there is room for all within the far ring.
  const Box frame{0, 0, 400, 300};
  const std::vector<Point> markers = {{200, 150}, {208, 146}, {192, 156}, {210, 160}, {196, 140}, {204, 168}, {3, 3}};
  LabelPlacer placer(frame);
  std::vector<Box> boxes;
  for (const Point& m : markers) {
    boxes.push_back(Box{m.x, m.y, m.x, m.y}.grown(4.5));
    placer.avoid(boxes.back());
  }
  for (const Point& m : markers) {
    const auto places = places_around(m, 4.5, 50.0, 17.0);
    const Box box = places[placer.place(places)].box;
    EXPECT_GE(box.left, frame.left);
    EXPECT_GE(box.top, frame.top);
    for (const Box& other : boxes) EXPECT_EQ(overlap_area(box, other), 0.0);
    boxes.push_back(box);
  }
}

/// What a deflate stream of fixed codes (RFC 1951) holds.
std::string inflated(const std::string& bytes) {
  std::size_t at = 0;
  const auto bits = [&](unsigned count) {
    unsigned value = 0;
    for (unsigned i = 0; i < count; ++i, ++at)
      value |= (static_cast<unsigned char>(bytes.at(at / 8)) >> (at % 8) & 1U) << i;
    return value;
  };
  const auto code = [&](unsigned count, unsigned begun) {
    for (unsigned i = 0; i < count; ++i) begun = begun << 1U | bits(1);
    return begun;
  };
  EXPECT_EQ(bits(1), 1u);
  EXPECT_EQ(bits(2), 1u);
  std::string out;
  for (;;) {
    unsigned symbol = 0, c = code(7, 0);
    if (c < 24) {
      symbol = 256 + c;
    } else if (c = code(1, c); c < 192) {
      symbol = c - 0x30;
    } else if (c < 200) {
      symbol = 280 + c - 192;
    } else {
      symbol = 144 + code(1, c) - 400;
    }
    if (symbol == 256) return out;
    if (symbol < 256) {
      out += static_cast<char>(symbol);
      continue;
    }
    constexpr unsigned lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    const unsigned which = symbol - 257, more = which < 8 || which == 28 ? 0 : which / 4 - 1;
    const unsigned length = lengths[which] + bits(more);
    const unsigned place = code(5, 0), extra = place < 4 ? 0 : place / 2 - 1;
    const unsigned distance = (place < 4 ? place + 1 : ((2 + place % 2) << extra) + 1) + bits(extra);
    for (unsigned i = 0; i < length; ++i) out += out.at(out.size() - distance);
  }
}

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned value = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    value = value << 6U | static_cast<unsigned>(digits.find(c));
    if (++count % 4 != 1) out += static_cast<char>(value >> (6 - 2 * ((count - 1) % 4)) & 0xFFU);
  }
  return out;
}

TEST(Raster, ThePngHoldsEveryPixel) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    Raster raster;
    raster.width = 1 + random() % 400, raster.height = 1 + random() % 60;
    raster.colors.assign(1 + random() % 255, {1, 2, 3});
    const bool smooth = round % 2 == 0;
    for (std::size_t y = 0; y < raster.height; ++y)
      for (std::size_t x = 0; x < raster.width; ++x)
        raster.pixels.push_back(
            static_cast<std::uint8_t>((smooth ? (x * x + 3 * y * y) / 500 : random()) % (raster.colors.size() + 1)));
    const std::string data = png_data(raster), start = "data:image/png;base64,";
    ASSERT_TRUE(data.starts_with(start));
    const std::string png = from_base64(data.substr(start.size()));
    EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1A\n"));
    EXPECT_TRUE(png.ends_with("IEND\xAE\x42\x60\x82"));  // with the check sum every PNG ends with
    const std::size_t begin = png.find("IDAT") + 4;
    const std::string rows = inflated(png.substr(begin + 2, png.size() - begin - 2));
    ASSERT_EQ(rows.size(), (raster.width + 1) * raster.height);
    for (std::size_t y = 0; y < raster.height; ++y) {
      EXPECT_EQ(rows[y * (raster.width + 1)], '\0');
      for (std::size_t x = 0; x < raster.width; ++x)
        ASSERT_EQ(static_cast<std::uint8_t>(rows[y * (raster.width + 1) + 1 + x]), raster.pixels[y * raster.width + x]);
    }
  }
}

TEST(Utf8, CountsWhatIsSeenAndMendsWhatIsBroken) {
  EXPECT_EQ(display_width("μ²−ẋ"), 4u);
  EXPECT_EQ(display_width("x\u0307"), 1u);
  std::string_view broken = "\xC0\x80";  // overlong zero
  EXPECT_EQ(take_code_point(broken), char32_t{0xFFFD});
  EXPECT_EQ(pad_left("é", 3), "  é");
  EXPECT_EQ(pad_right("é", 3), "é  ");
}

}  // namespace
}  // namespace carom::report
