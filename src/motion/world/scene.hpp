// A scene that has been looked over: what can meet what, by which material, and who is held by what.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "course.hpp"
#include "solid.hpp"
#include "touch.hpp"

namespace carom::world {

struct Scene {
  /// @throws InvalidInput as World
  explicit Scene(WorldProblem given);

  WorldProblem problem;
  std::vector<double> radius;  ///< of each body: of the ball that holds it
  std::vector<std::shared_ptr<const Solid>> solids;
  std::vector<std::size_t> rank;         ///< places of the bodies in an order that does not depend on the list
  std::vector<std::optional<Arm>> arms;  ///< of pendulums
  std::vector<std::size_t> held;         ///< the plane whose cloth holds a body down, or none
  std::vector<Wall> planes, tubes, cushions;
  std::vector<std::vector<std::size_t>> pockets_of;  ///< of each plane: its pockets
  std::vector<std::optional<PlaneFriction>> cloths;  ///< of each plane
  bool has_pendulums = false;

  bool movable(std::size_t body) const { return !problem.bodies[body].body.immovable; }
  bool is_ball(std::size_t body) const { return solids[body]->ball; }
  /// Whether two balls meet, or a ball and a wall: what has closed forms.
  bool round(std::size_t body, const Partner& partner) const {
    return is_ball(body) && (partner.kind != PartnerKind::body || is_ball(partner.index));
  }
  Course fixed_course(std::size_t body) const;
  Course pressed_course(std::size_t body, double start, const Body& now) const;
  Course settling_course(std::size_t body, double start, const Body& now, std::size_t plane,
                         const Settling& settling) const;
  /// How far something is from a partner: the bodies where they are [m].
  double distance(std::size_t body, const Body& now, const Partner& partner, const Body& other,
                  double enough = never) const;
  const Wall& wall(const Partner& partner) const {
    return partner.kind == PartnerKind::plane  ? planes[partner.index]
           : partner.kind == PartnerKind::tube ? tubes[partner.index]
                                               : cushions[partner.index];
  }
  /// What the surfaces of two things do to each other; they have a material.
  const WorldMaterial& material(std::size_t body, const Partner& partner) const;
  /// The friction on a plane: of its cloth, else of the pair.
  PlaneFriction friction_on(std::size_t body, std::size_t plane) const;
  double pressing(std::size_t plane) const { return -problem.gravity.dot(planes[plane].axis); }
  /// The pocket of a plane over which a place is.
  std::optional<std::size_t> pocket_at(std::size_t plane, const Vector3d& place) const;
  /// Least radius of the movable ones.
  double size(std::size_t body, const Partner& partner) const;
  /// The course of a body that is left to itself: it swings, or flies.
  Course free_course(std::size_t body, double start, const Body& now) const;
  Course course_on(std::size_t body, std::size_t plane, double start, const Body& now) const;
  /// Potential energy [J].
  double potential(std::size_t body, const Body& now) const;

private:
  Course of(std::size_t body, Course course) const;
  void check_numbers() const;
  void check_bodies();
  void check_walls();
  void check_materials();
  void check_supports();
  void hold(const WorldCloth& cloth, const std::string& field);
  void hang(const WorldPendulum& pendulum, const std::string& field);
  void check_forces() const;
  void check_forces_of(std::size_t material) const;
  void check_overlaps() const;
  void check_pairs() const;
  void check_balls_only() const;
  void check_pockets();
  std::size_t place_of_label(const Partner& partner) const;
  const std::string& label(const Partner& partner) const;
  std::size_t find_material(const std::string& a, const std::string& b) const;

  std::map<std::pair<std::string, std::string>, std::size_t> by_labels_;
  std::vector<std::size_t> label_of_;              // number of the label: bodies, planes, tubes, cushions in a row
  std::vector<std::vector<std::size_t>> between_;  // material by two numbers of labels, or none
};

std::string described(const Partner& partner);  ///< "body 3", "plane 0"

}  // namespace carom::world
