// The racks of simultaneous_bench.cpp in Bullet, a physics engine of games and robot simulation: what it takes, how far
// its energy is off, and how far the balls left and right of the middle differ.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <btBulletDynamicsCommon.h>
#include <memory>

#include "carom/core/body.hpp"
#include "carom/impact/simultaneous.hpp"

#include "impact/simultaneous_scenes.hpp"

namespace {

using namespace carom::testing;
using carom::Body;
using carom::SimultaneousProblem;

/// Steps at Bullet's usual rate until the break is long over (.1 s; the balls fly apart at once).
constexpr double step = 1.0 / 240.0;
constexpr int steps = 24;

/// A world without gravity with the problem's balls in it. Bullet multiplies the coefficients of two touching bodies.
class BulletRack {
public:
  BulletRack(const SimultaneousProblem& problem, double radius)
      : ball_(radius), dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    const carom::Material& surface = problem.contacts[0].material;
    world_.setGravity(btVector3(0, 0, 0));
    world_.getSolverInfo().m_restitutionVelocityThreshold = 0.0;  // bounce however slow
    for (const Body& body : problem.bodies) {
      const double inertia = body.inertia(0, 0);
      btRigidBody::btRigidBodyConstructionInfo info(body.mass, nullptr, &ball_, btVector3(inertia, inertia, inertia));
      info.m_restitution = std::sqrt(surface.restitution);
      info.m_friction = std::sqrt(surface.friction);
      info.m_startWorldTransform.setIdentity();
      info.m_startWorldTransform.setOrigin(btVector3(body.position.x(), body.position.y(), body.position.z()));
      bodies_.push_back(std::make_unique<btRigidBody>(info));
      bodies_.back()->setLinearVelocity(btVector3(body.velocity.x(), body.velocity.y(), body.velocity.z()));
      bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
      world_.addRigidBody(bodies_.back().get());
    }
  }
  BulletRack(const BulletRack&) = delete;
  BulletRack& operator=(const BulletRack&) = delete;
  ~BulletRack() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void run() {
    for (int i = 0; i < steps; ++i) world_.stepSimulation(step, 0);
  }

  std::vector<Body> bodies(std::vector<Body> like) const {
    for (std::size_t i = 0; i < like.size(); ++i) {
      const btVector3 v = bodies_[i]->getLinearVelocity(), w = bodies_[i]->getAngularVelocity();
      like[i].velocity = {v.x(), v.y(), v.z()};
      like[i].angular_velocity = {w.x(), w.y(), w.z()};
    }
    return like;
  }

private:
  btSphereShape ball_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

double energy(const std::vector<Body>& bodies) {
  double sum = 0.0;
  for (const Body& body : bodies) sum += kinetic_energy(body);
  return sum;
}

void run(benchmark::State& state, const std::vector<int>& rows, const Surface& surface) {
  const SimultaneousProblem problem = rack(rows, surface);
  std::vector<Body> after;
  for (auto _ : state) {
    state.PauseTiming();
    auto world = std::make_unique<BulletRack>(problem, 0.03);
    state.ResumeTiming();
    world->run();
    state.PauseTiming();
    after = world->bodies(problem.bodies);
    world.reset();
    state.ResumeTiming();
  }
  std::vector<Eigen::Vector3d> velocities;
  for (const Body& body : after) velocities.push_back(body.velocity);
  const double before = energy(problem.bodies);
  state.counters["energy_error"] = (energy(after) - carom::simultaneous_impact(problem).energy.after) / before;
  state.counters["asymmetry"] = asymmetry(problem.bodies, velocities);
}

const std::vector<int> nine = {1, 2, 3, 2, 1}, fifteen = {1, 2, 3, 4, 5};

void bullet_nine_elastic(benchmark::State& state) { run(state, nine, {1.0, 1.0}); }
void bullet_nine_friction(benchmark::State& state) { run(state, nine, {1.0, .96, .03}); }
void bullet_fifteen_elastic(benchmark::State& state) { run(state, fifteen, {1.0, 1.0}); }
void bullet_fifteen_friction(benchmark::State& state) { run(state, fifteen, {1.0, .96, .03}); }
BENCHMARK(bullet_nine_elastic)->Unit(benchmark::kMillisecond);
BENCHMARK(bullet_nine_friction)->Unit(benchmark::kMillisecond);
BENCHMARK(bullet_fifteen_elastic)->Unit(benchmark::kMillisecond);
BENCHMARK(bullet_fifteen_friction)->Unit(benchmark::kMillisecond);

}  // namespace
