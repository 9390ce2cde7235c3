// Scenes in DART, an engine of robot dynamics: generalised coordinates, contacts as a boxed linear complementarity
// problem (Dantzig's method, its default). Its own collision detector, which knows balls and boxes exactly: planes are
// faces of large boxes.
#include <dart/collision/CollisionObject.hpp>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <map>

#include "world_engines.hpp"

namespace carom::bench {

namespace {

namespace dyn = dart::dynamics;

/// Edge of the box that stands for a half space [m].
constexpr double large = 20.0;

/// DART multiplies the restitutions of two touching bodies and takes the lesser of their frictions.
class DartScene {
public:
  DartScene(const WorldProblem& problem, double step) : problem_(problem), world_(dart::simulation::World::create()) {
    world_->setTimeStep(step);
    world_->setGravity(problem.gravity);
    world_->getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) add(i);
    for (std::size_t k = 0; k < problem.planes.size(); ++k) {
      const Eigen::Vector3d n = problem.planes[k].normal.normalized();
      const auto skeleton = dyn::Skeleton::create("plane " + std::to_string(k));
      dyn::WeldJoint::Properties weld;
      weld.mT_ParentBodyToJoint.linear() =
          Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), n).toRotationMatrix();
      weld.mT_ParentBodyToJoint.translation() = problem.planes[k].point - 0.5 * large * n;
      const auto body = skeleton->createJointAndBodyNodePair<dyn::WeldJoint>(nullptr, weld).second;
      const double restitution = cloth_of(problem) != nullptr && cloth_of(problem)->plane == k ? 0.0 : -1.0;
      shape(body, std::make_shared<dyn::BoxShape>(Eigen::Vector3d::Constant(large)), restitution);
      finish(skeleton, body, problem.bodies.size() + k, false);
    }
    if (const WorldCloth* cloth = cloth_of(problem)) cloth_ = problem.bodies.size() + cloth->plane;
  }

  void step(double) {
    world_->step();
    touching_.clear();
    for (const dart::collision::Contact& contact : world_->getLastCollisionResult().getContacts()) {
      const Touching pair = {number(contact.collisionObject1), number(contact.collisionObject2)};
      if (pair.first != cloth_ && pair.second != cloth_ && !contact.force.isZero(0.0)) touching_.push_back(pair);
    }
  }

  const std::vector<Touching>& touching() const { return touching_; }
  std::vector<Body> bodies() const {
    std::vector<Body> now;
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i) {
      Body body = problem_.bodies[i].body;
      if (!body.immovable) {
        body.position = nodes_[i]->getCOM();
        body.orientation = Eigen::Quaterniond(nodes_[i]->getWorldTransform().linear());
        body.velocity = nodes_[i]->getCOMLinearVelocity();
        body.angular_velocity = nodes_[i]->getAngularVelocity();
        if (arm_of(problem_, i) != nullptr) body.angular_velocity.setZero();
      }
      now.push_back(body);
    }
    return now;
  }

private:
  /// @param restitution  below zero: that of the scene
  dyn::ShapeNode* shape(dyn::BodyNode* body, const dyn::ShapePtr& shape, double restitution = -1.0) {
    auto* node = body->createShapeNodeWith<dyn::CollisionAspect, dyn::DynamicsAspect>(shape);
    node->getDynamicsAspect()->setRestitutionCoeff(restitution < 0.0 ? std::sqrt(restitution_of(problem_)) : 0.0);
    node->getDynamicsAspect()->setFrictionCoeff(problem_.materials[0].friction);
    return node;
  }

  void finish(const dyn::SkeletonPtr& skeleton, dyn::BodyNode* body, std::size_t number, bool mobile) {
    skeleton->setMobile(mobile);
    numbers_[body] = number;
    world_->addSkeleton(skeleton);
  }

  void add(std::size_t i) {
    const WorldBody& given = problem_.bodies[i];
    const auto skeleton = dyn::Skeleton::create("body " + std::to_string(i));
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    at.linear() = given.body.orientation.toRotationMatrix();
    at.translation() = given.body.position;
    dyn::BodyNode* body = nullptr;
    const WorldPendulum* arm = arm_of(problem_, i);
    if (given.body.immovable) {
      dyn::WeldJoint::Properties weld;
      weld.mT_ParentBodyToJoint = at;
      body = skeleton->createJointAndBodyNodePair<dyn::WeldJoint>(nullptr, weld).second;
    } else if (arm != nullptr) {
      dyn::RevoluteJoint::Properties hinge;
      hinge.mAxis = arm->axis;
      hinge.mT_ParentBodyToJoint.translation() = arm->anchor;
      hinge.mT_ChildBodyToJoint.translation() = arm->anchor - given.body.position;
      body = skeleton->createJointAndBodyNodePair<dyn::RevoluteJoint>(nullptr, hinge).second;
    } else {
      const auto made = skeleton->createJointAndBodyNodePair<dyn::FreeJoint>();
      body = made.second;
      made.first->setRelativeTransform(at);
      Eigen::Vector6d velocity;
      velocity << given.body.angular_velocity, given.body.velocity;
      made.first->setRelativeSpatialVelocity(velocity, dyn::Frame::World());
      // The reference of the world's axes is at its origin: said again where the body is.
      made.first->setLinearVelocity(given.body.velocity);
      made.first->setAngularVelocity(given.body.angular_velocity);
    }
    if (!given.body.immovable) {
      const double share = arm != nullptr ? inertia_share_on_arms : 1.0;
      body->setInertia(dyn::Inertia(given.body.mass, Eigen::Vector3d::Zero(), share * given.body.inertia));
    }
    for (const WorldPart& part : parts_of(given)) {
      dyn::ShapePtr solid;
      if (const auto* ball = std::get_if<Sphere>(&part.shape))
        solid = std::make_shared<dyn::SphereShape>(ball->radius);
      else
        solid = std::make_shared<dyn::BoxShape>(std::get<Box>(part.shape).size);
      dyn::ShapeNode* node = shape(body, solid);
      Eigen::Isometry3d offset = Eigen::Isometry3d::Identity();
      offset.linear() = part.orientation.toRotationMatrix();
      offset.translation() = part.position;
      node->setRelativeTransform(offset);
    }
    nodes_.push_back(body);
    finish(skeleton, body, i, !given.body.immovable);
  }

  std::size_t number(const dart::collision::CollisionObject* object) const {
    return numbers_.at(object->getShapeFrame()->asShapeNode()->getBodyNodePtr().get());
  }

  const WorldProblem& problem_;
  dart::simulation::WorldPtr world_;
  std::vector<dyn::BodyNode*> nodes_;
  std::map<const dyn::BodyNode*, std::size_t> numbers_;
  std::size_t cloth_ = static_cast<std::size_t>(-1);
  std::vector<Touching> touching_;
};

}  // namespace

EngineRun run_dart(const WorldProblem& problem, double step) {
  return follow([&] { return std::make_unique<DartScene>(problem, step); }, problem, step);
}

}  // namespace carom::bench
