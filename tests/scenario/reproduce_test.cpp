// What the works print, computed now: formulas, the comparison with printed digits, and that a wrong print, a wrong
// verdict or a changed model is noticed.
#include "carom/scenario/reproduce.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <unistd.h>

#include "carom/core/error.hpp"
#include "carom/scenario/scenario.hpp"

#include "internal/scenario/reproduce/formula.hpp"

namespace carom::scenario {
namespace {

const std::filesystem::path source = CAROM_SOURCE_DIR;

/// A catalogue that is not one of the shipped ones, read and gone again.
Work written(const std::string& name, const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("carom_" + std::to_string(getpid()) + "_" + name + ".yaml");
  std::ofstream(file) << text;
  Work work = [&] {
    try {
      return load_work(file);
    } catch (...) {
      std::filesystem::remove(file);
      throw;
    }
  }();
  std::filesystem::remove(file);
  return work;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

std::vector<Reproduction> reproduced(const Work& work, const std::vector<std::string>& only = {}) {
  return reproduce(work, {.scenarios = source / "scenarios", .only = only});
}

using catalogue::Datum;
using catalogue::Numbers;
using catalogue::Texts;

Datum named(std::string_view name) {
  if (name == "x") return Numbers{0.0, 1.0, 2.0, 3.0};
  if (name == "y") return Numbers{-1.0, -0.5, 1.0, 4.0};
  if (name == "a.b[2].c") return Numbers{7.0};
  if (name == "flags") return Texts{"jamb", "marginal"};
  if (name == "none") return Numbers{};
  if (name == "gap") return Numbers{1.0, std::nan(""), 3.0};
  throw InvalidInput("formula", "there is nothing called " + std::string(name));
}

Numbers evaluated(const std::string& text) { return numbers_of(catalogue::Formula(text), named); }

std::string complaint(const std::string& text) {
  try {
    evaluated(text);
  } catch (const InvalidInput& error) {
    return error.message();
  }
  return "accepted";
}

TEST(Formula, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(evaluated("1 + 2*3^2 - 4/2"), Numbers{17.0});
  EXPECT_EQ(evaluated("-2^2"), Numbers{-4.0});
  EXPECT_EQ(evaluated("2^-1"), Numbers{0.5});
  EXPECT_EQ(evaluated("2^3^2"), Numbers{512.0});
  EXPECT_EQ(evaluated("(1 - .5) * 1e1"), Numbers{5.0});
  EXPECT_EQ(evaluated("1 - 2 - 3"), Numbers{-4.0});
  EXPECT_EQ(evaluated("8/4/2"), Numbers{1.0});
  EXPECT_EQ(evaluated("1 < 2 and not 3 <= 2 or 0"), Numbers{1.0});
  EXPECT_EQ(evaluated("not 1 == 1"), Numbers{0.0});
  EXPECT_DOUBLE_EQ(evaluated("sin(pi/6)")[0], 0.5);
  EXPECT_DOUBLE_EQ(evaluated("atan2(1, -1)")[0], 3.0 * std::acos(-1.0) / 4.0);
}

TEST(Formula, WorksItemByItem) {
  EXPECT_EQ(evaluated("2*x + 1"), (Numbers{1.0, 3.0, 5.0, 7.0}));
  EXPECT_EQ(evaluated("x*x - x^2"), (Numbers{0.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(evaluated("[x, a.b[2].c]"), (Numbers{0.0, 1.0, 2.0, 3.0, 7.0}));
  EXPECT_EQ(evaluated("[max(y), min(y), sum(x), mean(x), size(x)]"), (Numbers{4.0, -1.0, 6.0, 1.5, 4.0}));
  EXPECT_EQ(evaluated("argmax(y, x)"), Numbers{3.0});
  EXPECT_EQ(evaluated("argmin(abs(y), x)"), Numbers{1.0});
  EXPECT_EQ(evaluated("[first(x, y > 0), last(x, y < 0)]"), (Numbers{2.0, 1.0}));
  EXPECT_EQ(evaluated("pick(x, y > 0)"), (Numbers{2.0, 3.0}));
  EXPECT_DOUBLE_EQ(evaluated("crossings(y, x)")[0], 1.0 + 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(evaluated("at(y, x, 2.5)")[0], 2.5);
  EXPECT_EQ(evaluated("norm([3, 4])"), Numbers{5.0});
  EXPECT_EQ(evaluated("dot(x, x)"), Numbers{14.0});
  EXPECT_EQ(evaluated("if(1 < 2, 5, nowhere)"), Numbers{5.0});
}

TEST(Formula, KnowsTextsAndWhatIsMissing) {
  EXPECT_EQ(evaluated("has(flags, 'jamb') and not has(flags, 'jam')"), Numbers{1.0});
  EXPECT_EQ(evaluated("has(none, 'jamb')"), Numbers{0.0});
  EXPECT_EQ(evaluated("'a' == 'a' and 'a' != 'b'"), Numbers{1.0});
  EXPECT_EQ(evaluated("flags == 'jamb'"), (Numbers{1.0, 0.0}));
  EXPECT_EQ(evaluated("[max(gap), min(gap), all(gap), any(gap > 2)]"), (Numbers{3.0, 1.0, 0.0, 1.0}));
}

TEST(Formula, SaysWhatIsWrong) {
  EXPECT_EQ(complaint("1 +"), "\"1 +\" cannot be read from character 4 on");
  EXPECT_EQ(complaint("2 x"), "\"2 x\" cannot be read from character 3 on");
  EXPECT_EQ(complaint("(1"), "\"(1\" cannot be read from character 3 on");
  EXPECT_EQ(complaint("'a"), "\"'a\" cannot be read from character 1 on");
  EXPECT_EQ(complaint("foo(1)"), "there is no function \"foo\"");
  EXPECT_EQ(complaint("z"), "there is nothing called z");
  EXPECT_EQ(complaint("x + [1, 2]"), "+: lists of 4 and 2 items do not go together");
  EXPECT_EQ(complaint("flags + 1"), "+ takes numbers, not text");
  EXPECT_EQ(complaint("sqrt(1, 2)"), "sqrt takes 1 values, not 2");
  EXPECT_EQ(complaint("argmax(none, none)"), "argmax takes lists of one length, not 0 and 0");
  EXPECT_NE(complaint(std::string(100'000, '(')), "accepted");
  EXPECT_NE(complaint(std::string(100'000, '-') + "1"), "accepted");
}

// --- catalogues ---

/// A catalogue of one entry, worked out.
class OneEntry : public ::testing::Test {
protected:
  Reproduction result(const std::string& entry) {
    const Work work =
        written(::testing::UnitTest::GetInstance()->current_test_info()->name(),
                "work: A work\ntheory: theory/planar.md\nentries:\n- id: a\n  where: here\n  quantity: q\n" + entry);
    return reproduced(work).at(0);
  }
  std::string mistakes(const std::string& entry) {
    try {
      result(entry);
    } catch (const BadScenario& error) {
      const std::string all = error.what();
      return all.substr(all.find(".yaml") + 5);
    }
    return "accepted";
  }

  static constexpr const char* rod =
      "  row: {model: planar, law: poisson, W: [[2.5, -1.5], [-1.5, 2.5]], v: [.6, -1], mu: .7, e: .5}\n";
};

// Case 2 of the falling rod under Poisson's law: impulse (.24 e, .4 (1 + e)) = (.12, .6) at e = .5 (planar.md).
TEST_F(OneEntry, ComparesWithEveryDigitPrinted) {
  const auto comparison = [&](const std::string& printed, const std::string& verdict = "reproduced") {
    return result("  verdict: " + verdict + "\n  printed: " + printed + "\n" + rod + "  value: impulse\n");
  };
  EXPECT_EQ(comparison("[.12, .6]").comparison, Comparison::agrees);
  EXPECT_EQ(comparison("[.120, .600000]").comparison, Comparison::agrees);
  EXPECT_EQ(comparison("[.1, .6]").comparison, Comparison::agrees);  // .12 is .1, rounded
  EXPECT_EQ(comparison("[1.2e-1, 6.0E-01]").comparison, Comparison::agrees);
  EXPECT_EQ(comparison("[.121, .6]").comparison, Comparison::last_digit);
  EXPECT_EQ(comparison("[.122, .6]").comparison, Comparison::last_digit);
  EXPECT_EQ(comparison("[.1231, .6]").comparison, Comparison::differs);
  EXPECT_EQ(comparison("[0, 1]").comparison, Comparison::differs);  // whole numbers are meant exactly
  EXPECT_TRUE(comparison("[.12, .6]").as_expected);
  EXPECT_FALSE(comparison("[.121, .6]").as_expected);
  EXPECT_TRUE(comparison("[.121, .6]", "rounding").as_expected);
  EXPECT_FALSE(comparison("[.12, .6]", "rounding").as_expected);
  EXPECT_FALSE(comparison("[.12, .6]", "refuted").as_expected);
  EXPECT_TRUE(comparison("[.15, .7]", "refuted").as_expected);
  EXPECT_TRUE(comparison("[.13, .7]", "step_error").as_expected);
  EXPECT_NEAR(comparison("[.13, .7]").difference, 0.1, 1e-12);
  EXPECT_EQ(comparison("[.12]").comparison, Comparison::error);
  EXPECT_EQ(comparison("[.12]").said, "value: has 2 numbers, and 1 are printed");
}

TEST_F(OneEntry, SaysWhereAWrongPrintComesFrom) {
  // The paper prints .0625 for .625 of the energy under Newton's law: a misplaced point (planar.md).
  const std::string entry = "  verdict: typo\n  printed: .0625\n" + std::string(rod) + "  value: .625 + 0*impulse[0]\n";
  EXPECT_TRUE(result(entry + "  printed_from: .625/10\n").as_expected);
  EXPECT_FALSE(result(entry + "  printed_from: .625/9\n").as_expected);
}

TEST_F(OneEntry, TakesInputsOneByOneAndInAllCombinations) {
  const std::string row =
      "  row: {model: planar, law: '=law', W: [[2.5, '=-B3'], ['=-B3', 2.5]], v: [.6, -1], mu: '=mu', e: '=e'}\n";
  const Reproduction all = result(
      "  verdict: claim\n  inputs: {law: [poisson, energetic], e: {from: 0, to: 1, count: 5}, B3: "
      "'=1 + .5', mu: .7}\n" +
      row + "  each: {gain: energy.after - energy.before}\n" +
      "  holds: size(gain) == 10 and max(gain) < 0 and size(e) == 10 and e[0] != 1\n");
  EXPECT_EQ(all.comparison, Comparison::error);  // e[0] is no input
  EXPECT_EQ(all.said, "formula: \"e[0]\" differs from run to run: name it under `each`");
  EXPECT_TRUE(result("  verdict: claim\n  inputs: {law: [poisson, energetic], e: {from: 0, to: 1, count: 5}, B3: '=1 + "
                     ".5', mu: .7}\n" +
                     row + "  each: {gain: energy.after - energy.before}\n" +
                     "  holds: size(gain) == 10 and max(gain) < 0 and all(mu == .7) and sum(e) == 5\n")
                  .as_expected);
}

// Newton's law gains energy above e = .8: dT = (.625 e^2 - .4)/2 (planar.md, case 2).
TEST_F(OneEntry, FindsWhereSomethingIsZero) {
  const Reproduction found = result(
      "  verdict: reproduced\n  printed: .8000000000\n  inputs: {e: 0}\n"
      "  row: {model: planar, law: newton, W: [[2.5, -1.5], [-1.5, 2.5]], v: [.6, -1], mu: .7, e: '=e'}\n"
      "  find: {input: e, from: .1, to: 1, zero: energy.after - energy.before}\n  value: e\n");
  EXPECT_EQ(found.comparison, Comparison::agrees) << found.said;
  const Reproduction none = result(
      "  verdict: reproduced\n  printed: .8\n  inputs: {e: 0}\n"
      "  row: {model: planar, law: newton, W: [[2.5, -1.5], [-1.5, 2.5]], v: [.6, -1], mu: .7, e: '=e'}\n"
      "  find: {input: e, from: .1, to: .2, zero: energy.after - energy.before}\n  value: e\n");
  EXPECT_EQ(none.comparison, Comparison::error);
}

TEST_F(OneEntry, ReadsFactsTablesAndPicturesOfScenarios) {
  EXPECT_TRUE(result("  verdict: figure\n  scenario: falling_rod_case_2\n  plot: routh_diagram\n").as_expected);
  const Reproduction missing = result("  verdict: figure\n  scenario: falling_rod_case_2\n  plot: no_such\n");
  EXPECT_EQ(missing.said, "plot: there is no picture \"no_such\"");
  EXPECT_FALSE(missing.as_expected);
  EXPECT_TRUE(result("  verdict: claim\n  runs:\n    low: {scenario: superball, set: {material.friction: .01}}\n"
                     "    high: {scenario: superball, set: {material.friction: .02}}\n"
                     "  holds: low.impulse[0] != high.impulse[0]\n")
                  .as_expected);
}

TEST_F(OneEntry, TellsWhatARowOrAScenarioRefuses) {
  EXPECT_EQ(result("  verdict: claim\n  row: {model: planar}\n  holds: 1\n").said, "row: law: is required");
  EXPECT_NE(result("  verdict: claim\n  scenario: superball\n  set: {material.friction: -1}\n  holds: 1\n")
                .said.find("must be >= 0, got -1"),
            std::string::npos);
  EXPECT_EQ(result("  verdict: claim\n" + std::string(rod) + "  holds: nothing > 0\n").said,
            "formula: there is nothing called \"nothing\"");
}

TEST_F(OneEntry, NamesMistakesOfACatalogueByLine) {
  EXPECT_EQ(mistakes("  verdict: good\n"),
            ":7: entries[0].verdict: must be one of reproduced, rounding, step_error, typo, refuted, claim, figure, "
            "inputs_missing, experiment, timing, got \"good\"");
  EXPECT_EQ(mistakes("  verdict: claim\n" + std::string(rod)),
            ":4: entries[0]: needs `value`, `holds`, `plot` or `not_computed`");
  EXPECT_EQ(mistakes("  verdict: claim\n" + std::string(rod) + "  holds: 1 +\n"),
            ":9: entries[0].holds: \"1 +\" cannot be read from character 4 on");
  EXPECT_EQ(mistakes("  verdict: claim\n  printed: 1.5\n" + std::string(rod) + "  holds: 1\n  value: 2\n"),
            ":4: entries[0]: has `value` and `holds`: an entry says one thing");
}

/// Every catalogue that comes with carom.
std::vector<std::filesystem::path> shipped() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source / "reproduce"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void expect_as_the_catalogue_says(const std::vector<Reproduction>& results) {
  for (const Reproduction& result : results)
    EXPECT_TRUE(result.as_expected) << result.printed.id << ": " << name(result.comparison) << ", " << result.said;
}

class ShippedWork : public ::testing::TestWithParam<std::filesystem::path> {};
class SlowShippedWork : public ShippedWork {};

// What rows compute takes seconds; scenarios are in the slow test.
TEST_P(ShippedWork, RowsComeOutAsItsCatalogueSays) {
  const Work work = load_work(GetParam());
  std::vector<std::string> only;
  for (const Printed& printed : work.entries())
    if (printed.bound && printed.scenario.empty()) only.push_back(printed.id);
  ASSERT_FALSE(only.empty());
  expect_as_the_catalogue_says(reproduced(work, only));
  EXPECT_TRUE(std::filesystem::exists(source / "docs" / work.theory())) << work.theory();
}

TEST_P(SlowShippedWork, ComesOutAsItsCatalogueSays) { expect_as_the_catalogue_says(reproduced(load_work(GetParam()))); }

// A scenario that an entry names is there, also where it is not run here.
TEST_P(ShippedWork, NamesScenariosThatAreThere) {
  for (const Printed& printed : load_work(GetParam()).entries())
    EXPECT_TRUE(printed.scenario.empty() ||
                std::filesystem::exists(source / "scenarios" / (printed.scenario + ".yaml")))
        << printed.id;
}

// A print that is changed is noticed: a number that comes out as printed, with its first digit other than it is.
TEST_P(ShippedWork, NoticesAChangedPrint) {
  std::string text = content_of(GetParam());
  const Work work = load_work(GetParam());
  std::string id;
  for (const Printed& printed : work.entries()) {
    if (printed.verdict != PrintVerdict::reproduced || printed.text.find_first_of("123456789") == std::string::npos ||
        !printed.bound || !printed.scenario.empty())
      continue;
    if (reproduced(work, {printed.id}).at(0).comparison != Comparison::agrees) continue;
    id = printed.id;
    break;
  }
  ASSERT_NE(id, "");
  const std::size_t entry = text.find("- id: " + id + "\n");
  const std::size_t digit = text.find_first_of("123456789", text.find("printed:", entry));
  text[digit] = text[digit] == '9' ? '1' : static_cast<char>(text[digit] + 1);
  EXPECT_FALSE(reproduced(written("changed_" + work.name(), text), {id}).at(0).as_expected);
}

const auto work_name = [](const auto& one) {
  std::string name = one.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
};
INSTANTIATE_TEST_SUITE_P(All, ShippedWork, ::testing::ValuesIn(shipped()), work_name);
INSTANTIATE_TEST_SUITE_P(Slow, SlowShippedWork, ::testing::ValuesIn(shipped()), work_name);

// A constant of the model that is not what it was: the entries that depend on it notice, the others do not.
struct BrokenConstant {
  const char *work, *right, *wrong;
  std::vector<std::string> depend, do_not;
};

TEST(BrokenConstants, AreNoticedByTheEntriesThatDependOnThem) {
  const BrokenConstant all[] = {
      // friction of the ball of Sec. 8.1.1
      {"jia-2012", "mu: .4,", "mu: .41,", {"jia.eq46", "jia.eq61"}, {"jia.ball.compression_end", "jia.fn13"}},
      // W of the icosahedron and the tetrahedron (eq. 2.12)
      {"wang-2017-ch2-3", "11.5984", "11.7", {"wang2.cor6", "wang2.eq2.28.straight"}, {"wang2.prop2"}},
      // W of the falling rod (eq. 42)
      {"wang-mason-1992", "[-1.5, 2.5]", "[-1.5, 2.6]", {"wm.case2.poisson.px"}, {"wm.eq19_20.positive"}},
      // the ball's moment of inertia
      {"rodriguez-2010", ".125]]", ".126]]", {"rodriguez.eq4.6"}, {"rodriguez.eq3.2", "rodriguez.eq4.10"}},
      // another law of damping
      {"gonthier-2004",
       "law: gonthier",
       "law: flores",
       {"gonthier.abstract.energy_consistent", "gonthier.eq7.exit_speed_independent"},
       {"gonthier.eq14.d_hc"}},
      // an entry of the W that the text's batting followed
      {"wang-2017-ch4-5",
       "9.249871645356253",
       "9.35",
       {"wang.table4.1.closed.velocity"},
       {"wang.fig5.1.tb_r2.6", "wang.eq5.32"}},
      // the moment of inertia of the ball that comes back
      {"jia-2012",
       "principal: [.4, .4, .4], position: [0, 0, 1], velocity: [-1, 0, -5]",
       "principal: [.41, .41, .41], position: [0, 0, 1], velocity: [-1, 0, -5]",
       {"jia.ball.harmonic", "jia.fig14b.slip_throughout"},
       {"jia.ball.end", "jia.eq46", "jia.pencil.v0"}},
      // an entry of the W of icosahedron and tetrahedron
      {"wang-2017-ch2-3",
       "[-0.910367, 9.90134, 1.95747]",
       "[-0.910367, 9.92, 1.95747]",
       {"wang2.eq2.22.line_of_sticking", "wang2.eq2.28.straight", "wang2.cor6"},
       {"wang2.thm7", "wang2.eq2.20.B", "wang3.table3.3.same_speed"}},
      // Young's modulus of the tetrahedron
      {"wang-2017-ch6",
       "young: 5000",
       "young: 5100",
       {"wang6.tet.w1.eq6.28", "wang6.appA.K"},
       {"wang6.tet.mass", "wang6.thm18.fields"}},
  };
  for (const BrokenConstant& broken : all) {
    std::string text = content_of(source / "reproduce" / (std::string(broken.work) + ".yaml"));
    std::vector<std::string> only = broken.depend;
    only.insert(only.end(), broken.do_not.begin(), broken.do_not.end());
    expect_as_the_catalogue_says(reproduced(written("whole", text), only));
    ASSERT_NE(text.find(broken.right), std::string::npos) << broken.work;
    for (std::size_t at = 0; (at = text.find(broken.right, at)) != std::string::npos;)
      text.replace(at, std::string(broken.right).size(), broken.wrong);
    std::set<std::string> noticed;
    for (const Reproduction& result : reproduced(written("broken", text), only))
      if (!result.as_expected) noticed.insert(result.printed.id);
    EXPECT_EQ(noticed, std::set<std::string>(broken.depend.begin(), broken.depend.end())) << broken.work;
  }
}

TEST(Pages, ReadmeHasTheTableOfVerdicts) {
  std::vector<Work> works;
  for (const std::filesystem::path& file : shipped()) works.push_back(load_work(file));
  EXPECT_NE(content_of(source / "README.md").find(verdicts_table(works, "docs/reproduce/")), std::string::npos)
      << "the README's table is not this one:\n"
      << verdicts_table(works, "docs/reproduce/");
}

TEST(Pages, FiguresStandBesideWhatMustBeSeen) {
  const Work work = load_work(source / "reproduce" / "wang-mason-1992.yaml");
  const std::vector<ReproducedWork> all = {{work, reproduced(work, {"wm.fig1", "wm.case2.poisson.px"})}};
  std::vector<PageFigure> figures;
  const std::string page = reproduction_page(all[0], figures);
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(figures[0].name, "disc_and_plank_bodies.svg");
  EXPECT_EQ(figures[0].svg.substr(0, 4), "<svg");
  EXPECT_NE(page.find("](figures/disc_and_plank_bodies.svg)"), std::string::npos);
  EXPECT_NE(page.find("[disc_and_plank](../../scenarios/disc_and_plank.yaml)"), std::string::npos);
  EXPECT_NE(page.find("to be seen: both outlines"), std::string::npos);
  const std::string html = reproduction_html(all);
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_NE(html.find("<code>carom run disc_and_plank</code>"), std::string::npos);
  EXPECT_EQ(html.find("http"), html.find("http://www.w3.org"));  // nothing is fetched
}

}  // namespace
}  // namespace carom::scenario
