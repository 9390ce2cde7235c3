// Wang 2017, chapter 2: what its figures and examples are, computed independently of this library (30 digits, with the
// printed W and the velocities that follow from the printed results), here to the digits of that list.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <vector>

#include "carom/impact/even_path.hpp"
#include "carom/impact/impulse_space.hpp"
#include "carom/impact/spatial.hpp"

namespace carom {
namespace {

using Eigen::Vector2d, Eigen::Vector3d;

struct Figure {
  const char* name;
  double friction;
  Vector3d velocity;
  Vector3d impulse, velocity_after;
  std::vector<Vector2d> rays;  // angle [rad], rate [1/kg]
};

Eigen::Matrix3d printed_w() {  // eq. 2.12
  Eigen::Matrix3d w;
  w << 11.5984, -.910367, 2.44236, -.910367, 9.90134, 1.95747, 2.44236, 1.95747, 2.59042;
  return w;
}

const std::vector<Figure>& figures() {
  static const std::vector<Vector2d> weak = {{-2.5568789, -5.6778963}, {.748632424, .645575}};  // friction .25
  static const std::vector<Figure> all = {{"2.5a",
                                           .8,
                                           {-.26197634, .38632873, -.07717452},
                                           {-.003383095881, -.059338169516, .101211667362},
                                           {0, 0, .060590782629},
                                           {{-2.789315184, -11.6131512}, {.857715433, -4.7031232}}},
                                          {"2.5b",
                                           .4,
                                           {-.26197634, .38632873, -.82717452},
                                           {-.21245278218, -.260052293136, 1.019237812156},
                                           {0, 0, .785148754034},
                                           {{-2.618698128, -7.2485104}, {.784497663, -.824956}}},
                                          {"2.5c",
                                           .25,
                                           {-.26197634, .38632873, -.82717452},
                                           {-.116081573275, -.160133906371, .836108434279},
                                           {.579521560013, .543122487958, .741727181317},
                                           weak},
                                          {"2.5d",
                                           3.,
                                           {-.26197634, .38632873, -.52717452},
                                           {-.13283271001, -.18361427244, .669625636444},
                                           {0, 0, .523592393663},
                                           {{-1.654130324, -31.4401847},
                                            {-.907341569, -34.3233111},
                                            {1.017910888, -25.7185406},
                                            {3.044072896, -37.5164036}}},
                                          {"2.8",
                                           .25,
                                           {-.86197634, -.46367127, -1.52717452},
                                           {-.181281749234, -.188533582829, 1.378001129058},
                                           {.572655009449, .532022417292, 1.230623039295},
                                           weak},
                                          {"2.12a",
                                           .35,
                                           {-.26197634, .38632873, -.82717452},
                                           {-.206735893986, -.254563882911, .994134924585},
                                           {0, 0, .744827829425},
                                           {{-2.597642505, -6.7210508}, {.773139959, -.3360834}}},
                                          {"2.12b",
                                           .25,
                                           {-.26197634, .38632873, -2.02717452},
                                           {-.352132224661, -.379826457627, 2.125975611071},
                                           {1.192032531695, 1.107640868412, 1.876462666195},
                                           weak},
                                          {"2.12c",
                                           .55,
                                           {-.26197634, .38632873, -.12717452},
                                           {-.014350194201, -.069866962891, .149368256528},
                                           {0, 0, .087941174917},
                                           {{-2.68333275, -8.8554769}, {.8153482, -2.2851995}}}};
  return all;
}

SpatialProblem problem_of(double friction, const Vector3d& velocity) {
  return {{printed_w(), velocity}, {.friction = friction, .restitution = .95}, RestitutionLaw::energetic};
}

TEST(SpatialFigures, ImpulsesVelocitiesAndRays) {
  for (const Figure& figure : figures()) {
    const SpatialImpact impact = spatial_impact(problem_of(figure.friction, figure.velocity));
    EXPECT_LE((impact.impulse - figure.impulse).norm(), 2e-12) << figure.name;
    EXPECT_LE((impact.velocity_after - figure.velocity_after).norm(), 2e-12) << figure.name;
    const auto rays = invariant_directions(printed_w(), figure.friction).directions;
    ASSERT_EQ(rays.size(), figure.rays.size()) << figure.name;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      EXPECT_NEAR(std::atan2(rays[i].direction[1], rays[i].direction[0]), figure.rays[i][0], 2e-8) << figure.name;
      EXPECT_NEAR(rays[i].rate, figure.rays[i][1], 1e-7 * std::max(1., std::abs(figure.rays[i][1]))) << figure.name;
      EXPECT_EQ(rays[i].centrifugal, rays[i].rate > 0) << figure.name;
    }
  }
}

double normal_impulse_at(const SpatialImpact& impact, EventType type) {
  for (const auto& event : impact.events)
    if (event.type == type) return event.impulse[2];
  return NAN;
}

// Where slip and compression end, of figures 2.5b, 2.5d, 2.6, 2.12a, 2.12c and 2.16.
TEST(SpatialFigures, Events) {
  const auto at = [](const char* name, EventType type) {
    for (const Figure& figure : figures())
      if (figure.name == std::string(name))
        return normal_impulse_at(spatial_impact(problem_of(figure.friction, figure.velocity)), type);
    return std::nan("");
  };
  EXPECT_NEAR(at("2.5b", EventType::slip_ends), .353503, 5e-7);
  EXPECT_NEAR(at("2.5d", EventType::slip_ends), .0148384, 5e-8);
  EXPECT_NEAR(at("2.5a", EventType::compression_ends), .0439639, 5e-8);
  EXPECT_NEAR(at("2.5a", EventType::slip_ends), .0714555, 5e-8);
  EXPECT_NEAR(at("2.12a", EventType::slip_ends), .837705, 5e-7);
  EXPECT_NEAR(at("2.12c", EventType::compression_ends), .067825, 5e-7);
  EXPECT_NEAR(at("2.12c", EventType::slip_ends), .137340, 5e-7);
  EXPECT_TRUE(std::isnan(at("2.5c", EventType::slip_ends)));

  SpatialProblem pin;
  pin.space.inverse_inertia << 1.55465, .00238675, -.360808, .00238675, 5.15191, -.00313296, -.360808, -.00313296,
      1.105;
  pin.space.velocity = {-.2069135, .1102884, -1.5068927};
  pin.material = {.friction = .7, .restitution = .7};
  const SpatialImpact impact = spatial_impact(pin);
  EXPECT_LE((impact.impulse - Vector3d(.733064660934233, -.020174899296291, 2.58502395368315)).norm(), 1e-13);
  EXPECT_NEAR(normal_impulse_at(impact, EventType::slip_ends), .2910180323938657, 1e-13);
  EXPECT_NEAR(normal_impulse_at(impact, EventType::compression_ends), 1.52248842433166, 1e-13);
  EXPECT_NEAR(critical_friction(pin.space.inverse_inertia), .232082876878198, 1e-14);
  EXPECT_EQ(invariant_directions(pin.space.inverse_inertia, .7).directions.size(), 4u);
}

// Section 2.2.2: the velocities after (2.14), those of masses 3 and 1.
TEST(SpatialFigures, VelocitiesOfTheBodies) {
  const Vector3d impulse = spatial_impact(problem_of(.8, figures()[0].velocity)).impulse;
  EXPECT_LE((Vector3d(-.1, .5, .95) + impulse / 3 - Vector3d(-.101127698627, .480220610161, .983737222454)).norm(),
            1e-12);
  EXPECT_LE((Vector3d(.1, .1, 1) - impulse - Vector3d(.103383095881, .159338169516, .898788332638)).norm(), 1e-12);
}

// Figure 2.8, on the path itself: slip is least where I_n is .1735261, and not zero.
TEST(SpatialFigures, LeastSlip) {
  const SpatialProblem problem = problem_of(.25, figures()[4].velocity);
  double least = INFINITY, where = 0;
  for (const PathPoint<3>& point : even_path(problem, 10000))
    if (const double slip = point.velocity.head<2>().norm(); slip < least) least = slip, where = point.impulse[2];
  EXPECT_NEAR(least, .00438807603040829, 5e-7);
  EXPECT_NEAR(where, .1735261, 1e-4);
}

// Corollary 6: along the centripetal ray slip comes to rest and resumes in the one centrifugal direction.
TEST(SpatialFigures, ResumesAlongTheCentrifugalRay) {
  const SpatialImpact impact = spatial_impact(problem_of(.25, {-.25016103503832404, -.16558821379722166, -.8}));
  const EventType expected[] = {EventType::start_slip,   EventType::straight_slip,    EventType::slip_ends,
                                EventType::slip_resumes, EventType::compression_ends, EventType::separates};
  ASSERT_EQ(impact.events.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(impact.events[i].type, expected[i]);
  EXPECT_NEAR(std::atan2(impact.velocity_after[1], impact.velocity_after[0]), .748632424, 1e-9);
}

// Figure 2.7, were its starts 24 degrees apart: four of fifteen do not come to rest, and how fast they still slip.
TEST(SpatialFigures, FourOfFifteen) {
  const double degrees[] = {192, 216, 240, 264}, speeds[] = {.0472, .1451, .1664, .0874};
  std::size_t found = 0;
  for (int i = 0; i < 15; ++i) {
    const double angle = i * 24. * std::numbers::pi / 180.;
    const double speed =
        spatial_outcome(problem_of(.8, {std::cos(angle), std::sin(angle), -.2})).velocity_after.head<2>().norm();
    if (speed == 0) continue;
    ASSERT_LT(found, 4u);
    EXPECT_EQ(24. * i, degrees[found]);
    EXPECT_NEAR(speed, speeds[found], 5e-5);
    ++found;
  }
  EXPECT_EQ(found, 4u);
}

}  // namespace
}  // namespace carom
