#include "carom/core/contact_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "carom/core/contact.hpp"
#include "carom/core/error.hpp"

#include "body_algebra.hpp"

namespace carom {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

std::string index_text(const char* list, std::size_t k) { return std::string(list) + "[" + std::to_string(k) + "]"; }

void require_valid_bodies(std::span<const Body> bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) try {
      require_valid(bodies[i]);
    } catch (const InvalidInput& error) {
      throw InvalidInput(index_text("bodies", i) + "." + error.field(), error.message());
    }
}

void require_valid_pair(std::span<const Body> bodies, const PairContact& contact, const std::string& name) {
  for (const std::size_t body : {contact.first, contact.second})
    if (body >= bodies.size())
      throw InvalidInput(name + ".bodies", "there is no body " + std::to_string(body) + ", only " +
                                               std::to_string(bodies.size()) + " bodies, counted from 0");
  if (contact.first == contact.second)
    throw InvalidInput(name + ".bodies", "body " + std::to_string(contact.first) + " cannot touch itself");
  if (bodies[contact.first].immovable && bodies[contact.second].immovable)
    throw InvalidInput(name + ".bodies", "bodies " + std::to_string(contact.first) + " and " +
                                             std::to_string(contact.second) +
                                             " are both immovable: one must be free to move");
}

/// Contacts sorted by their two bodies, so that only neighbours in the list can be the same contact.
void require_no_duplicates(std::span<const Body> bodies, std::span<const PairContact> contacts) {
  std::vector<std::size_t> order(contacts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto pair_of = [&](std::size_t k) { return std::minmax(contacts[k].first, contacts[k].second); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::make_pair(pair_of(a), a) < std::make_pair(pair_of(b), b);
  });
  std::size_t first = contacts.size(), same_as = 0;  // the first contact that repeats another
  for (std::size_t a = 0; a < order.size(); ++a)
    for (std::size_t b = a + 1; b < order.size() && pair_of(order[a]) == pair_of(order[b]); ++b) {
      const PairContact& one = contacts[order[a]];
      const Eigen::Vector3d& other = contacts[order[b]].point;
      const double size =
          (one.point - bodies[one.first].position).norm() + (one.point - bodies[one.second].position).norm();
      if ((one.point - other).norm() <= duplicate_tolerance * size && order[b] < first)
        first = order[b], same_as = order[a];
    }
  if (first == contacts.size()) return;
  const PairContact& one = contacts[same_as];
  throw InvalidInput(index_text("contacts", first), "the same contact as " + index_text("contacts", same_as) +
                                                        ": bodies " + std::to_string(one.first) + " and " +
                                                        std::to_string(one.second) + " at the same point");
}

/// M^(-1/2) J^T: an impulse in contact axes -> the body's velocities times the square root of its mass matrix.
ContactGraph::Half half_of(const Body& body, const Eigen::Vector3d& point, const Eigen::Matrix3d& frame, double sign) {
  ContactGraph::Half half = ContactGraph::Half::Zero();
  if (body.immovable) return half;
  const Eigen::Vector3d r = point - body.position;
  Eigen::Matrix3d skew;
  skew << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  half.topRows<3>() = sign / std::sqrt(body.mass) * frame;
  half.bottomRows<3>() =
      sign * inertia_factor(body).matrixL().solve(rotation_of(body).transpose() * (skew * frame)).eval();
  return half;
}

void require_count(const char* field, std::size_t got, std::size_t wanted) {
  if (got != wanted)
    throw InvalidInput(field, "must have length " + std::to_string(wanted) + ", got " + std::to_string(got));
}

}  // namespace

ContactGraph::ContactGraph(std::span<const Body> bodies, std::span<const PairContact> contacts)
    : body_count_(bodies.size()) {
  require_valid_bodies(bodies);
  edges_.reserve(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PairContact& contact = contacts[k];
    const std::string name = index_text("contacts", k);
    require_valid_pair(bodies, contact, name);
    Contact sound;
    try {
      sound = validated(Contact(contact));
    } catch (const InvalidInput& error) {
      throw InvalidInput(name + "." + error.field(), error.message());
    }
    Edge edge;
    edge.body = {contact.first, contact.second};
    edge.point = sound.point;
    edge.frame = contact_frame(sound);
    edge.half = {half_of(bodies[contact.first], sound.point, edge.frame, 1.0),
                 half_of(bodies[contact.second], sound.point, edge.frame, -1.0)};
    const double size = edge.half[0].squaredNorm() + edge.half[1].squaredNorm();
    if (!std::isfinite(size) || !(size > 0.0))
      throw InvalidInput(name, "the inverse inertia of its bodies leaves the range of a double");
    edges_.push_back(edge);
  }
  require_no_duplicates(bodies, contacts);
}

std::vector<Eigen::Vector3d> ContactGraph::velocities(std::span<const Body> bodies) const {
  require_count("bodies", bodies.size(), body_count_);
  std::vector<Eigen::Vector3d> u;
  u.reserve(edges_.size());
  for (const Edge& edge : edges_)
    u.push_back(edge.frame.transpose() *
                (velocity_at(bodies[edge.body[0]], edge.point) - velocity_at(bodies[edge.body[1]], edge.point)));
  return u;
}

std::vector<Eigen::Vector3d> ContactGraph::response(std::span<const Eigen::Vector3d> impulses) const {
  require_count("impulses", impulses.size(), edges_.size());
  std::vector<Vector6> z(body_count_, Vector6::Zero());
  for (std::size_t k = 0; k < edges_.size(); ++k)
    for (std::size_t side : {0U, 1U}) z[edges_[k].body[side]] += edges_[k].half[side] * impulses[k];
  std::vector<Eigen::Vector3d> u(edges_.size(), Eigen::Vector3d::Zero());
  for (std::size_t k = 0; k < edges_.size(); ++k)
    for (std::size_t side : {0U, 1U}) u[k] += edges_[k].half[side].transpose() * z[edges_[k].body[side]];
  return u;
}

Eigen::MatrixXd ContactGraph::dense() const {
  const auto n = static_cast<Eigen::Index>(edges_.size());
  Eigen::MatrixXd w = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (Eigen::Index a = 0; a < n; ++a)
    for (Eigen::Index b = 0; b < n; ++b)
      for (std::size_t s : {0U, 1U})
        for (std::size_t t : {0U, 1U}) {
          const Edge& one = edges_[static_cast<std::size_t>(a)];
          const Edge& two = edges_[static_cast<std::size_t>(b)];
          if (one.body[s] == two.body[t]) w.block<3, 3>(3 * a, 3 * b) += one.half[s].transpose() * two.half[t];
        }
  return w;
}

void ContactGraph::apply(std::span<const Eigen::Vector3d> impulses, std::span<Body> bodies) const {
  require_count("impulses", impulses.size(), edges_.size());
  require_count("bodies", bodies.size(), body_count_);
  for (std::size_t k = 0; k < edges_.size(); ++k) {
    const Eigen::Vector3d world = edges_[k].frame * impulses[k];
    apply_impulse(bodies[edges_[k].body[0]], edges_[k].point, world);
    apply_impulse(bodies[edges_[k].body[1]], edges_[k].point, -world);
  }
}

}  // namespace carom
