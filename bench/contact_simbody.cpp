// The same ball in Simbody with its Hunt-Crossley force: the cost of one evaluation, and what it rebounds with when
// (1 - e)/v is given as its dissipation, as its documentation advises.
#include <Simbody.h>
#include <benchmark/benchmark.h>

namespace {

using namespace SimTK;

struct Ball {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  GeneralContactSubsystem contacts{system};
  MobilizedBody::Free ball;

  explicit Ball(double dissipation) {
    const ContactSetIndex set = contacts.createContactSet();
    const double radius = 0.1, mass = 2.0;
    Body::Rigid body(MassProperties(mass, Vec3(0), UnitInertia::sphere(radius) * mass));
    ball = MobilizedBody::Free(matter.Ground(), Transform(), body, Transform());
    contacts.addBody(set, ball, ContactGeometry::Sphere(radius), Transform());
    contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(),
                     Transform(Rotation(-0.5 * Pi, ZAxis), Vec3(0)));
    HuntCrossleyForce force(forces, contacts, set);
    // Both sides take half of the indentation; stiffness^(2/3) is shared. k = 4/3 sqrt(R) E/2^(3/2).. of equal sides.
    force.setBodyParameters(ContactSurfaceIndex(0), 1e7, dissipation, 0.45, 0.4, 0.0);
    force.setBodyParameters(ContactSurfaceIndex(1), 1e7, dissipation, 0.45, 0.4, 0.0);
    system.realizeTopology();
  }
};

/// 1: in touch, 0: apart. Positions, velocities and forces of the one ball anew.
void simbody_evaluation(benchmark::State& bench) {
  Ball scene(0.5);
  State state = scene.system.getDefaultState();
  const double height = bench.range(0) == 1 ? 0.0993 : 0.1007;
  scene.ball.setQToFitTransform(state, Transform(Vec3(0, height, 0)));
  scene.ball.setUToFitLinearVelocity(state, Vec3(0.3, -0.01, 0.1));
  scene.system.realize(state, Stage::Dynamics);
  for (auto _ : bench) {
    state.invalidateAllCacheAtOrAbove(Stage::Position);
    scene.system.realize(state, Stage::Dynamics);
  }
}
BENCHMARK(simbody_evaluation)->Arg(1)->Arg(0);

void simbody_ball_against_plane(benchmark::State& bench) {
  double rebound = 0.0;
  for (auto _ : bench) {
    bench.PauseTiming();
    Ball scene(0.5);
    State state = scene.system.getDefaultState();
    scene.ball.setQToFitTransform(state, Transform(Vec3(0, 0.1005, 0)));
    scene.ball.setUToFitLinearVelocity(state, Vec3(0, -1, 0));
    RungeKuttaMersonIntegrator integrator(scene.system);
    integrator.setAccuracy(1e-4);
    bench.ResumeTiming();
    TimeStepper stepper(scene.system, integrator);
    stepper.initialize(state);
    stepper.stepTo(0.03);
    rebound = scene.ball.getBodyOriginVelocity(stepper.getState())[1];
  }
  bench.counters["asked_for"] = 0.5;
  bench.counters["delivered"] = rebound;
}
BENCHMARK(simbody_ball_against_plane)->Unit(benchmark::kMicrosecond);

}  // namespace
