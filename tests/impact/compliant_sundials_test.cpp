// An independent formulation: the five differential equations of Jia 2012 (eqs. 63-69, corrected: E_n' = -v_n, and
// at the end of compression E_n <- e^2 E_n, eta <- eta0/e), integrated by CVODE with its root finding. The parameter s,
// dI_n = sqrt(E_n) ds, and the unknown sqrt(E_n) in place of E_n take the roots out of the equations.
#include <cvode/cvode.h>
#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "impact/compliant_cases.hpp"

namespace carom {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

struct Equations {
  CompliantProblem problem;
  bool slipping = false, restitution = false, approaching = true;
  double end = 0.0;  ///< root of the energy where integration stops, in place of zero

  double eta() const { return problem.stiffness_ratio_root / (restitution ? problem.material.restitution : 1.0); }
  Vector3d velocity(double n, const double* y) const {
    return problem.space.velocity + problem.space.inverse_inertia * Vector3d(y[0], y[1], n);  // eq. 63
  }
  /// Signed roots of the tangential energies, alpha sqrt(E_u) and beta sqrt(E_w) (eq. 66).
  Vector2d roots(const double* y) const { return Vector2d(y[2], y[3]) / (2 * problem.stiffness_ratio_root); }
  /// Rates of the tangential springs (eqs. 68, 69).
  Vector2d rates(const Vector3d& v, const double* y) const {
    if (!slipping) return v.head<2>();
    const double mu = problem.material.friction, h = eta(), a = roots(y)[0], b = roots(y)[1], energy = y[4] * y[4];
    const double common = -mu * mu * h * h * h * v[2] * y[4];
    return Vector2d(common * a + v[0] * b * b - v[1] * a * b, common * b + v[1] * a * a - v[0] * a * b) /
           (mu * mu * h * h * energy);
  }
};

int derivatives(double, N_Vector state, N_Vector out, void* data) {
  const auto& eq = *static_cast<const Equations*>(data);
  const double* y = N_VGetArrayPointer(state);
  double* dy = N_VGetArrayPointer(out);
  if (!(y[4] > 0.0)) return 1;
  const Vector3d v = eq.velocity(y[5], y);
  const Vector2d di = -eq.roots(y) / eq.eta();                                                    // eq. 64
  const Vector2d dg = (eq.restitution ? eq.problem.material.restitution : 1.0) * eq.rates(v, y);  // eq. 67
  dy[0] = di[0], dy[1] = di[1], dy[2] = dg[0], dy[3] = dg[1];
  dy[4] = -0.5 * v[2];  // eq. 65, with its sign
  dy[5] = y[4];
  return 0;
}

/// In slip the tangential force lies on the friction cone; the equations keep it there, their integration only nearly.
int back_to_the_cone(double, N_Vector state, N_Vector correction, double, N_Vector, void* data) {
  const auto& eq = *static_cast<const Equations*>(data);
  const double* y = N_VGetArrayPointer(state);
  double* change = N_VGetArrayPointer(correction);
  N_VConst(0.0, correction);
  if (!eq.slipping) return 0;
  const double factor = eq.problem.material.friction * eq.eta() * y[4] / eq.roots(y).norm() - 1.0;
  change[2] = factor * y[2], change[3] = factor * y[3];
  return 0;
}

int event_functions(double, N_Vector state, double* g, void* data) {
  const auto& eq = *static_cast<const Equations*>(data);
  const double* y = N_VGetArrayPointer(state);
  const Vector3d v = eq.velocity(y[5], y);
  const Vector2d roots = eq.roots(y);
  const double mu = eq.problem.material.friction, h = eq.eta();
  if (eq.slipping)
    g[0] = (v.head<2>() - eq.rates(v, y)).dot(roots) / roots.norm();  // slip speed, eq. 32
  else
    g[0] = mu * mu * h * h - roots.squaredNorm() / (y[4] * y[4]);  // eq. 52
  g[1] = v[2];
  g[2] = y[4] - eq.end;
  return 0;
}

Vector3d integrate(const CompliantProblem& problem) {
  SUNContext context;
  SUNContext_Create(nullptr, &context);
  Equations eq{problem, false, false, true, 0.0};
  const Vector3d v0 = problem.space.velocity;
  const double eta0 = problem.stiffness_ratio_root, mu = problem.material.friction;
  const double slip = v0.head<2>().norm();
  eq.slipping = slip > mu * eta0 * eta0 * -v0[2];

  // Series at first touch (eqs. 61, 73), from a normal impulse so small that their next terms do not matter.
  const double n = 1e-13 * -v0[2] / problem.space.inverse_inertia(2, 2);
  N_Vector state = N_VNew_Serial(6, context);
  double* y = N_VGetArrayPointer(state);
  const Vector2d u = v0.head<2>() / slip;
  const double ratio = eq.slipping ? mu : slip / (eta0 * eta0 * -v0[2]);
  y[0] = -ratio * n * u[0], y[1] = -ratio * n * u[1];
  y[4] = std::sqrt(-v0[2] * n);
  y[5] = n;
  const double g = 2.0 * eta0 * eta0 * ratio * y[4];
  y[2] = g * u[0], y[3] = g * u[1];

  void* cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, derivatives, 0.0, state);
  CVodeSStolerances(cvode, 1e-14, 1e-18);
  SUNMatrix matrix = SUNDenseMatrix(6, 6, context);
  SUNLinearSolver solver = SUNLinSol_Dense(state, matrix, context);
  CVodeSetLinearSolver(cvode, solver, matrix);
  CVodeSetUserData(cvode, &eq);
  CVodeSetProjFn(cvode, back_to_the_cone);
  CVodeSetProjErrEst(cvode, SUNFALSE);
  CVodeSetMaxNumSteps(cvode, 1000000);
  CVodeRootInit(cvode, 3, event_functions);
  CVodeSetNoInactiveRootWarn(cvode);
  double s = 0.0;
  Vector3d impulse = Vector3d::Constant(std::nan(""));
  for (int event = 0; event < 1000; ++event) {
    int direction[3] = {-1, eq.approaching ? 1 : -1, -1};
    CVodeSetRootDirection(cvode, direction);
    const int flag = CVode(cvode, s + 1e4, state, &s, CV_NORMAL);
    if (flag != CV_ROOT_RETURN) break;
    int found[3];
    CVodeGetRootInfo(cvode, found);
    if (found[2]) {
      impulse = {y[0], y[1], y[5]};
      break;
    }
    if (found[1]) {
      eq.approaching = !eq.approaching;
      if (!eq.restitution) {
        y[4] *= problem.material.restitution;
        eq.restitution = true;
        eq.end = 1e-7 * y[4];
      }
    } else if (found[0]) {
      eq.slipping = !eq.slipping;
      if (eq.slipping) {  // on the cone exactly, so that the slip equations start consistently
        y[4] = eq.roots(y).norm() / (mu * eq.eta());
      }
    }
    CVodeReInit(cvode, s, state);
  }
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(state);
  CVodeFree(&cvode);
  SUNContext_Free(&context);
  return impulse;
}

/// Compared by what the impulse does to the velocity, since a grazing impulse is small; and by itself.
void expect_agreement(const CompliantProblem& problem, const Vector3d& impulse, int row) {
  const Vector3d expected = integrate(problem);
  ASSERT_TRUE(expected.allFinite()) << row;
  const auto& w = problem.space.inverse_inertia;
  EXPECT_LT((w * (impulse - expected)).norm(), 1e-9 * problem.space.velocity.norm()) << row;
  EXPECT_LT((impulse - expected).norm(), 1e-9 * expected.norm()) << row;
}

TEST(CompliantSundials, TheFiveEquationsAgree) {
  cases::OrdinaryCases next(21);
  int stuck = 0;
  for (int i = 0; i < 200; ++i) {
    auto problem = next();
    problem.material.restitution = 0.1 + 0.9 * problem.material.restitution;
    const auto impact = compliant_impact(problem);
    expect_agreement(problem, impact.impulse, i);
    for (const auto& event : impact.events) stuck += event.type == EventType::slip_ends;
  }
  EXPECT_GT(stuck, 10);  // the cases do change mode
}

TEST(CompliantSundials, TheyAgreeOnRecompression) {
  cases::OrdinaryCases next(22);
  int compared = 0;
  for (int i = 0; compared < 10 && i < 100000; ++i) {
    auto problem = next();
    problem.material.restitution = 0.1 + 0.9 * problem.material.restitution;
    const auto outcome = compliant_outcome(problem);
    if (!outcome.flags.has(Flag::recompression)) continue;
    expect_agreement(problem, outcome.impulse, i);
    ++compared;
  }
  EXPECT_EQ(compared, 10);
}

}  // namespace
}  // namespace carom
