// MuJoCo run with what contact_parameters says: does a ball rebound as asked?
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "carom/contact/parameters.hpp"

namespace carom {
namespace {

struct Rebound {
  double restitution, duration;
};

/// A ball of mass 1 that meets a plane at 1 m/s without gravity, with constant impedance and steps of `step`.
Rebound rebound(const std::array<double, 2>& solref, double step) {
  char text[1200];
  std::snprintf(text, sizeof text,
                R"(<mujoco><option timestep="%.17g" gravity="0 0 0" cone="elliptic"><flag refsafe="disable"/></option>
<worldbody><geom type="plane" size="9 9 1" solref="%.17g %.17g" solimp=".9 .9 .001 .5 2" margin="0"/>
<body pos="0 0 .1005"><freejoint/><geom type="sphere" size=".1" mass="1" solref="%.17g %.17g"
 solimp=".9 .9 .001 .5 2"/></body></worldbody></mujoco>)",
                step, solref[0], solref[1], solref[0], solref[1]);
  const auto file = std::filesystem::temp_directory_path() / "carom_mujoco_test.xml";
  std::ofstream(file) << text;
  char error[500] = "";
  mjModel* model = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  std::filesystem::remove(file);
  if (model == nullptr) throw std::runtime_error(error);
  mjData* data = mj_makeData(model);
  data->qvel[2] = -1.0;
  double touched = -1.0, left = -1.0;
  while (data->time < 1.0 && left < 0.0) {
    mj_step(model, data);
    // As long as there is a force: the ball may still be a little inside when it has ended.
    mjtNum force[6] = {0.0};
    if (data->ncon > 0) mj_contactForce(model, data, 0, force);
    const bool pressed = force[0] > 0.0;
    if (pressed && touched < 0.0) touched = data->time;
    if (!pressed && touched >= 0.0) left = data->time;
  }
  const Rebound got{data->qvel[2], left - touched};
  mj_deleteData(data);
  mj_deleteModel(model);
  return got;
}

TEST(Mujoco, DeliversTheRestitutionAskedFor) {
  for (const double e : {0.8, 0.5}) {
    const ContactParameters p = contact_parameters({ContactLaw::linear, 1.0, e, 0.02, {}, {}});
    ASSERT_TRUE(p.solref.has_value());
    const Rebound got = rebound(*p.solref, 1e-5);
    std::printf("asked for %g: MuJoCo gives %.6f in %.6f s\n", e, got.restitution, got.duration);
    EXPECT_NEAR(got.restitution, e, 2e-4);
    EXPECT_NEAR(got.duration, 0.02, 0.02 * 1e-2);
  }
}

}  // namespace
}  // namespace carom
