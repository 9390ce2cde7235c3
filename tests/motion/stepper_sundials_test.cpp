// An independent integration: a ball that strikes a plane and rolls, by CVODE, with the equations of Gonthier et al.
// 2004 (5, 15 to 26) written out here once more, in one plane. CVODE stops at touch and release and steps over the
// kinks of friction.
#include <array>
#include <cmath>
#include <cvode/cvode.h>
#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "carom/motion/stepper.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr double mass = 2.0, radius = 0.1, k = 1e6, gravity = 9.81, mu_s = 0.45, mu_c = 0.4, sigma0 = 1e5,
                 sigma1 = 300.0, v_s = 0.1, tau_dw = 0.01, d_half = 0.716375266635688;  // d of the exact law at e = .5

struct Touch {
  bool on = false;
  double speed = 1.0;
};

/// y: gap, x', gap', spin about y, bristle, dwell.
int derivatives(double, N_Vector state, N_Vector out, void* data) {
  const auto& touch = *static_cast<const Touch*>(data);
  const double* y = N_VGetArrayPointer(state);
  double* dy = N_VGetArrayPointer(out);
  double normal = 0.0, across = 0.0, bend = 0.0, dwell = 0.0;
  if (touch.on) {
    const double depth = std::fmax(-y[0], 0.0), slip = y[1] - radius * y[3], s = std::exp(-slip * slip / (v_s * v_s));
    normal = std::fmax(0.0, k * depth * std::sqrt(depth) * (1.0 - d_half / 0.5 * y[2] / touch.speed));
    const double r = std::abs(slip) / (0.01 * v_s);
    const double direction = std::copysign(r < 1.0 ? 1.5 * r - 0.5 * r * r * r : 1.0, slip);
    const double bristles = s * (sigma0 * y[4] + sigma1 * slip) + (1.0 - s) * mu_c * normal * direction;
    const double limit = normal * (mu_c + (mu_s - mu_c) * y[5]);
    across = -std::copysign(std::fmin(std::abs(bristles), limit), bristles);
    bend = s * slip + (1.0 - s) * (mu_c * normal * direction - sigma0 * y[4]) / sigma1;
    dwell = (s - y[5]) * (s >= y[5] ? 1.0 / tau_dw : sigma0 / sigma1);
  }
  dy[0] = y[2];
  dy[1] = across / mass;
  dy[2] = normal / mass - gravity;
  dy[3] = -across * radius / (0.4 * mass * radius * radius);
  dy[4] = bend;
  dy[5] = dwell;
  return 0;
}

int gap(double, N_Vector state, double* g, void*) {
  g[0] = N_VGetArrayPointer(state)[0];
  return 0;
}

struct End {
  std::array<double, 6> y;
  int touches;
};

End integrate(std::array<double, 6> start, double end_time) {
  SUNContext context;
  SUNContext_Create(nullptr, &context);
  Touch touch;
  N_Vector state = N_VNew_Serial(6, context), tolerances = N_VNew_Serial(6, context);
  double *y = N_VGetArrayPointer(state), *fine = N_VGetArrayPointer(tolerances);
  std::copy(start.begin(), start.end(), y);
  const double scales[6] = {1e-3, 1.0, 1.0, 10.0, 1e-4, 1.0};
  for (int i = 0; i < 6; ++i) fine[i] = 1e-12 * scales[i];
  void* cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, derivatives, 0.0, state);
  CVodeSVtolerances(cvode, 1e-12, tolerances);
  SUNMatrix matrix = SUNDenseMatrix(6, 6, context);
  SUNLinearSolver solver = SUNLinSol_Dense(state, matrix, context);
  CVodeSetLinearSolver(cvode, solver, matrix);
  CVodeSetUserData(cvode, &touch);
  CVodeSetMaxNumSteps(cvode, 1000000);
  CVodeRootInit(cvode, 1, gap);
  CVodeSetStopTime(cvode, end_time);
  int touches = 0;
  double t = 0.0;
  while (t < end_time) {
    const int how = CVode(cvode, end_time, state, &t, CV_NORMAL);
    if (how != CV_ROOT_RETURN) break;
    touch.on = y[2] < 0.0;
    if (touch.on) touch.speed = -y[2], ++touches;
    y[4] = y[5] = 0.0;
    CVodeReInit(cvode, t, state);
  }
  End end{{}, touches};
  std::copy(y, y + 6, end.y.begin());
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(tolerances);
  N_VDestroy(state);
  SUNContext_Free(&context);
  return end;
}

TEST(StepperComparison, AccurateModeIsCvode) {
  for (const double slide : {0.3, 1.0, 3.0}) {
    constexpr double end_time = 0.3;  // two touches, each above the floor of the touch speed
    const End truth = integrate({0.05, slide, -2.0, 5.0, 0.0, 0.0}, end_time);
    CompliantScene scene;
    scene.gravity = {0, 0, -gravity};
    Body ball;
    ball.mass = mass;
    ball.inertia = 0.4 * mass * radius * radius * Eigen::Matrix3d::Identity();
    ball.position = {0, 0, radius + 0.05};
    ball.velocity = {slide, 0, -2};
    ball.angular_velocity = {0, 5, 0};
    scene.bodies = {ball};
    const ContactSurface surface{
        k, 1.5, 0.5, {.mu_s = mu_s, .mu_c = mu_c, .sigma0 = sigma0, .sigma1 = sigma1, .v_s = v_s, .tau_dw = tau_dw}};
    scene.pairs = {{{0, Vector3d::Zero(), radius}, FixedSurface{}, surface, {}}};
    CompliantStepper stepper(scene, {StepMode::accurate, end_time, 0});
    stepper.advance();
    const Body& got = stepper.bodies()[0];
    EXPECT_EQ(stepper.pair(0).touches, truth.touches);
    EXPECT_GE(truth.touches, 1);
    EXPECT_NEAR(got.position[2] - radius, truth.y[0], 1e-8) << slide;
    EXPECT_NEAR(got.velocity[0], truth.y[1], 1e-7) << slide;
    EXPECT_NEAR(got.velocity[2], truth.y[2], 1e-7) << slide;
    EXPECT_NEAR(got.angular_velocity[1], truth.y[3], 1e-6) << slide;
  }
}

}  // namespace
}  // namespace carom
