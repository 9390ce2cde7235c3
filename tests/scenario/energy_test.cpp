// Energy means one thing: that of the bodies or the system where they are given, that of the relative motion where only
// W and v are, and the label says which.
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <ostream>

#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

json facts_of(const char* file) {
  const auto path = std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios" / file;
  return json::parse(report::json_text(load(path).answer()))["facts"];
}

double number(const json& facts, const char* key) { return facts[key]["value"].get<double>(); }

struct Expected {
  const char* file;
  const char* label;
  double before;  // [J], from masses and velocities of the file
};

std::ostream& operator<<(std::ostream& out, const Expected& expected) { return out << expected.file; }

class EnergyOf : public testing::TestWithParam<Expected> {};

TEST_P(EnergyOf, BeforeAfterAndTheLedger) {
  const json facts = facts_of(GetParam().file);
  EXPECT_EQ(facts["energy_before"]["label"], std::string("energy ") + GetParam().label + " before");
  EXPECT_EQ(facts["energy_after"]["label"], std::string("energy ") + GetParam().label + " after");
  const double before = number(facts, "energy_before");
  EXPECT_NEAR(before, GetParam().before, 1e-9 * before);
  EXPECT_NEAR(before - number(facts, "energy_after"),
              number(facts, "restitution_loss") + number(facts, "friction_loss"), 1e-12 * before);
}

std::string file_name(const testing::TestParamInfo<Expected>& info) {
  return std::filesystem::path(info.param.file).stem().string();
}

INSTANTIATE_TEST_SUITE_P(Scenarios, EnergyOf,
                         testing::Values(
                             // 1/2 m v^2 + 1/2 I w^2 = (1 + 25)/2 + 0.4 * 4/2; the relative motion alone has 13.7857.
                             Expected{"superball.yaml", "of the bodies", 13.8},
                             // disc 0.5 * (0.16 + 1.44)/2 + 0.5 * 0.01/2 * 900/2, plank 2 * 0.09/2
                             Expected{"disc_and_plank.yaml", "of the bodies", 0.4 + 1.125 + 0.09},
                             // v.W^-1 v/2 with the printed W
                             Expected{"icosahedron_tetrahedron.yaml", "of the relative motion", 0.01300092419},
                             // qdot.M qdot/2
                             Expected{"double_pendulum.yaml", "of the system", 0.84654222195}),
                         file_name);

}  // namespace
}  // namespace carom::scenario
