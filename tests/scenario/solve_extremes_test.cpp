// Rows of the two-body models with numbers at the ends of the range of doubles, or of another model's form.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/scenario/solve.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

json answer(const std::string& row) {
  bool failed = false;
  return json::parse(solve_row(row, failed));
}

bool has(const json& answer, const std::string& flag) {
  for (const json& f : answer.at("flags"))
    if (f == flag) return true;
  return false;
}

TEST(SolveExtremes, PlanarRowsWithBodiesAreSentToSpatial) {
  const std::string rest = R"("law":"newton","mu":0.4,"e":0.5,)", bodies = R"("bodies":[{"mass":1},"immovable"])",
                    contact = R"("contact":{"point":[0,0,0],"normal":[0,0,1]})";
  for (const auto& [row, field] :
       {std::pair{"{\"model\":\"planar\"," + rest + bodies + "," + contact + "}", "bodies"},
        std::pair{"{\"model\":\"planar\"," + rest + contact + "," + bodies + "}", "contact"},
        std::pair{"{\"model\":\"planar\",\"W\":[[1,0],[0,1]],\"v\":[0,-1]," + rest + contact + "}", "contact"}}) {
    const json error = answer(row).at("error");
    EXPECT_EQ(error.at("field"), field);
    const std::string message = error.at("message");
    EXPECT_NE(message.find("`spatial`"), std::string::npos) << message;
    EXPECT_NE(message.find("`W`"), std::string::npos) << message;
    EXPECT_NE(message.find("2 x 2"), std::string::npos) << message;
  }
}

// The contact feels nothing of a spin about the normal, but its energy is beyond every double.
TEST(SolveExtremes, EnergyBeyondTheRangeIsFlagged) {
  const json spinning =
      answer(R"({"model":"spatial","law":"newton","mu":0.4,"e":0.5,"bodies":[{"mass":1,"principal":[0.4,0.5,0.6],)"
             R"("position":[0,0,1],"velocity":[-1,0.3,-5],"angular_velocity":[0,2,1e200]},"immovable"],)"
             R"("contact":{"point":[0,0,0],"normal":[0,0,1]}})");
  EXPECT_TRUE(spinning.at("energy").at("before").is_null());
  EXPECT_TRUE(has(spinning, "overflow"));
  EXPECT_FALSE(spinning.at("impulse")[2].is_null());
  const json fast =
      answer(R"({"model":"compliant","W":[[3.5,0.2,0.5],[0.2,3,0.3],[0.5,0.3,1]],"v":[1e200,0.5,-2],"mu":0.4,"e":0.5,)"
             R"("eta0":1.1})");
  EXPECT_TRUE(has(fast, "overflow"));
}

// A centre of mass 1e10 m from the contact: the contact is 1e20 times lighter sideways than along the normal.
TEST(SolveExtremes, FarCentreEnds) {
  const json far = answer(R"({"model":"compliant","bodies":[{"mass":1,"principal":[0.4,0.5,0.6],"position":[0,0,1e10],)"
                          R"("velocity":[-1,0.3,-5],"angular_velocity":[0,2,0]},"immovable"],)"
                          R"("contact":{"point":[0,0,0],"normal":[0,0,1]},"mu":0.4,"e":0.5,"eta0":1.1})");
  ASSERT_TRUE(far.contains("verdict")) << far;
  EXPECT_FALSE(far.at("impulse")[2].is_null());
}

}  // namespace
}  // namespace carom::scenario
