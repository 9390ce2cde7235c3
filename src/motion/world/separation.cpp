#include "separation.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

namespace carom::world {

namespace {

constexpr double last_digit = std::numeric_limits<double>::epsilon();

/// Steps to the nearest point of two cores; corners are reached in a handful, round rims in some thirty.
constexpr int most_steps = 64;
/// Improvements of a direction by the faces and edges next to it.
constexpr int most_climbs = 24;
/// Where parts seem to overlap by more than this share of their size, a better direction is looked for.
constexpr double overlap_share = 1e-10;
/// A slab of this share of their size is wide enough for a search.
constexpr double wide_share = 0.02;
/// A direction is tried this far aside to see which edges it lies across [rad].
constexpr double aside = 1e-5;

double size_of(const Placed& a, const Placed& b) {
  return a.part->reach + a.part->rounding + b.part->reach + b.part->rounding;
}

// --- the nearest point of the difference of two cores to the origin (Gilbert, Johnson and Keerthi 1988) ---

/// The point nearest to the origin of the hull of up to four points, and which of them it needs: every corner, edge,
/// face and the whole are tried.
struct Simplex {
  std::array<Vector3d, 4> points;
  int count = 0;

  Vector3d nearest() {
    Vector3d best = Vector3d::Zero();
    double least = std::numeric_limits<double>::infinity();
    unsigned kept = 0;
    for (unsigned set = 1; set < (1U << static_cast<unsigned>(count)); ++set) {
      Vector3d found;
      if (!inside(set, found)) continue;
      if (const double square = found.squaredNorm(); square < least) {
        least = square;
        best = found;
        kept = set;
      }
    }
    int next = 0;
    for (int k = 0; k < count; ++k)
      if ((kept >> static_cast<unsigned>(k) & 1U) != 0)
        points[static_cast<std::size_t>(next++)] = points[static_cast<std::size_t>(k)];
    count = next;
    return best;
  }

private:
  /// The foot of the origin on the plane (line, point) of a set of points, if it is within them.
  bool inside(unsigned set, Vector3d& foot) const {
    std::array<Vector3d, 3> edges;
    int n = 0;
    const Vector3d* base = nullptr;
    for (int k = 0; k < count; ++k) {
      if ((set >> static_cast<unsigned>(k) & 1U) == 0) continue;
      if (base == nullptr)
        base = &points[static_cast<std::size_t>(k)];
      else
        edges[static_cast<std::size_t>(n++)] = points[static_cast<std::size_t>(k)] - *base;
    }
    if (n == 0) {
      foot = *base;
      return true;
    }
    if (n == 1) {
      const double square = edges[0].squaredNorm(), share = -base->dot(edges[0]);
      if (!(share > 0.0 && share < square)) return false;
      foot = *base + share / square * edges[0];
      return true;
    }
    const Vector3d normal = edges[0].cross(edges[1]);
    const double square = normal.squaredNorm();
    if (!(square > 0.0)) return false;
    if (n == 2) {
      const double first = normal.dot(edges[1].cross(*base)), second = normal.dot(base->cross(edges[0]));
      if (!(first > 0.0 && second > 0.0 && first + second < square)) return false;
      foot = normal.dot(*base) / square * normal;
      return true;
    }
    const double volume = normal.dot(edges[2]);
    if (volume == 0.0) return false;
    const double x = -base->dot(edges[1].cross(edges[2])) / volume, y = -base->dot(edges[2].cross(edges[0])) / volume,
                 z = -base->dot(normal) / volume;
    if (!(x > 0.0 && y > 0.0 && z > 0.0 && x + y + z < 1.0)) return false;
    foot.setZero();
    return true;
  }
};

/// Direction from core b to core a; zero where they overlap.
Vector3d between_cores(const Placed& a, const Placed& b, const Vector3d& guess) {
  const Vector3d apart = a.pose.position - b.pose.position;
  const double size = a.part->reach + b.part->reach + apart.norm();
  Simplex simplex;
  Vector3d v = guess;
  if (!(v.squaredNorm() > 0.0)) v = apart.squaredNorm() > 0.0 ? apart : Vector3d::UnitZ();
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    const Vector3d w = apart + a.support(-v) - b.support(v);
    if (simplex.count > 0) {
      if (v.squaredNorm() - v.dot(w) <= 4.0 * last_digit * v.squaredNorm()) break;
      bool known = false;
      for (int k = 0; k < simplex.count; ++k) known = known || simplex.points[static_cast<std::size_t>(k)] == w;
      if (known) break;
    }
    simplex.points[static_cast<std::size_t>(simplex.count++)] = w;
    const Vector3d next = simplex.nearest();
    const double square = next.squaredNorm();
    if (simplex.count == 4 || square <= 1e-30 * size * size) return Vector3d::Zero();
    if (!(square < least)) break;
    least = square;
    v = next;
  }
  return v;
}

// --- faces and edges next to a direction ---

struct Best {
  Separation found;
  const Placed &a, &b;
  bool offer(const Vector3d& direction) {
    const double length = direction.norm();
    if (!(length > 1e-12)) return false;
    const Vector3d n = direction / length;
    const double gap = slab(a, b, n);
    if (!(gap > found.gap)) return false;
    found = {gap, n};
    return true;
  }
};

void climb(Best& best) {
  std::vector<Vector3d> faces, edges_a, edges_b;
  const Matrix3d &axes_a = best.a.pose.axes, &axes_b = best.b.pose.axes;
  const double little = last_digit * size_of(best.a, best.b);
  for (int k = 0; k < most_climbs; ++k) {
    const Vector3d n = best.found.normal;
    const double before = best.found.gap;
    const Vector3d in_a = -(axes_a.transpose() * n), in_b = axes_b.transpose() * n;
    best.a.part->faces_near(in_a, faces);
    for (const Vector3d& face : faces) best.offer(-(axes_a * face));
    best.b.part->faces_near(in_b, faces);
    for (const Vector3d& face : faces) best.offer(axes_b * face);
    best.a.part->edges_near(in_a, edges_a);
    best.b.part->edges_near(in_b, edges_b);
    for (const Vector3d& first : edges_a) {
      const Vector3d seen = axes_a * first;
      for (const Vector3d& second : edges_b) {
        const Vector3d across = seen.cross(axes_b * second);
        best.offer(across.dot(n) < 0.0 ? Vector3d(-across) : across);
      }
    }
    if (!(best.found.gap > before + little)) break;
  }
}

/// A direction across round parts is best where the points that are farthest along it lie straight behind each other:
/// solved for by Newton's method, in the directions that no edge rules out.
void polish(Best& best) {
  for (int round = 0; round < 6; ++round) {
    const Vector3d n = best.found.normal;
    const Vector3d t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    // Edges that lie across n.
    std::vector<Vector3d> edges;
    const auto look = [&](const Placed& who, double side) {
      const Vector3d here = who.support(side * n);
      const double far = 1e-3 * who.part->reach;
      for (const Vector3d& t : {t1, t2})
        for (const double way : {-aside, aside}) {
          const Vector3d step = who.support(side * (n + way * t)) - here;
          if (step.norm() <= far) continue;
          const Vector3d edge = step.normalized();
          if (edges.empty() || (edges.size() == 1 && edges[0].cross(edge).norm() > 1e-3)) edges.push_back(edge);
        }
    };
    look(best.a, -1.0);
    look(best.b, 1.0);
    const auto off = [&](const Vector3d& d) -> Vector3d {
      return best.a.pose.position - best.b.pose.position + best.a.support(-d) - best.b.support(d);
    };
    Vector3d next = n;
    if (edges.size() >= 2) {
      next = edges[0].cross(edges[1]);
      if (next.dot(n) < 0.0) next = -next;
    } else if (edges.size() == 1) {
      const Vector3d start = (n - n.dot(edges[0]) * edges[0]).normalized(), along = start.cross(edges[0]);
      const auto miss = [&](double angle) {
        const Vector3d d = std::cos(angle) * start + std::sin(angle) * along;
        return off(d).dot(std::cos(angle) * along - std::sin(angle) * start);
      };
      const double here = miss(0.0), slope = (miss(aside) - miss(-aside)) / (2.0 * aside);
      if (!(slope < 0.0)) {
        next = start;
      } else {
        const double angle = std::clamp(-here / slope, -0.1, 0.1);
        next = std::cos(angle) * start + std::sin(angle) * along;
      }
    } else {
      const Vector3d here = off(n), first = (off(n + aside * t1) - off(n - aside * t1)) / (2.0 * aside),
                     second = (off(n + aside * t2) - off(n - aside * t2)) / (2.0 * aside);
      // The farthest points lie straight behind each other: (here + x first + y second) is along n + x t1 + y t2.
      const double along = here.dot(n), a11 = first.dot(t1) - along, a12 = second.dot(t1), a21 = first.dot(t2),
                   a22 = second.dot(t2) - along, b1 = -here.dot(t1), b2 = -here.dot(t2), det = a11 * a22 - a12 * a21;
      if (det == 0.0) break;
      double x = (b1 * a22 - a12 * b2) / det, y = (a11 * b2 - a21 * b1) / det;
      if (const double far = std::hypot(x, y); far > 0.1) x *= 0.1 / far, y *= 0.1 / far;
      next = n + x * t1 + y * t2;
    }
    next.normalize();
    const double gap = slab(best.a, best.b, next), change = (next - n).norm();
    if (!(gap >= best.found.gap - 4.0 * last_digit * size_of(best.a, best.b))) break;
    best.found = {gap, next};
    if (change <= 1e-15) break;
  }
}

/// Corners of a flat convex figure in the plane across a normal, in order around it.
using Flat = std::vector<Eigen::Vector2d>;

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

Flat hull_of(const std::vector<Vector3d>& points, const Vector3d& right, const Vector3d& up, double size) {
  Flat flat;
  for (const Vector3d& p : points) flat.emplace_back(right.dot(p), up.dot(p));
  std::sort(flat.begin(), flat.end(), [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  });
  const double least = 1e-9 * size;
  Flat apart;
  for (const Eigen::Vector2d& p : flat)
    if (std::none_of(apart.begin(), apart.end(), [&](const Eigen::Vector2d& q) { return (p - q).norm() <= least; }))
      apart.push_back(p);
  if (apart.size() < 3) return apart;
  Flat around;
  const auto walk = [&](auto first, auto last) {
    const std::size_t start = around.size();
    for (auto p = first; p != last; ++p) {
      while (around.size() >= start + 2) {
        const Eigen::Vector2d edge = around.back() - around[around.size() - 2];
        if (cross(edge, *p - around[around.size() - 2]) > least * edge.norm()) break;
        around.pop_back();
      }
      around.push_back(*p);
    }
    around.pop_back();
  };
  walk(apart.begin(), apart.end());
  walk(apart.rbegin(), apart.rend());
  return around;
}

/// What of a figure lies on the left of a line.
Flat cut(const Flat& figure, const Eigen::Vector2d& at, const Eigen::Vector2d& along, double least) {
  Flat left;
  const std::size_t n = figure.size();
  const auto side = [&](const Eigen::Vector2d& p) { return cross(along, p - at); };
  for (std::size_t k = 0; k < n; ++k) {
    const Eigen::Vector2d &p = figure[k], &q = figure[(k + 1) % n];
    const double sp = side(p), sq = side(q);
    if (sp >= -least) left.push_back(p);
    if (n == 2 && k == 1) break;  // a line is gone along once
    if ((sp > least && sq < -least) || (sp < -least && sq > least)) left.emplace_back(p + sp / (sp - sq) * (q - p));
  }
  return left;
}

/// What two figures share: a point, the ends of a line, or the corners of a polygon.
Flat shared(Flat a, Flat b, double least) {
  if (a.size() > b.size()) std::swap(a, b);  // the simpler one is cut
  if (a.size() == 1) return a;
  if (b.size() >= 3) {
    Flat left = a;
    for (std::size_t k = 0; k < b.size() && !left.empty(); ++k) {
      const Eigen::Vector2d along = (b[(k + 1) % b.size()] - b[k]).normalized();
      left = cut(left, b[k], along, least);
    }
    return left;
  }
  // Two lines: they cross, or one lies along the other.
  const Eigen::Vector2d u = a[1] - a[0], w = b[1] - b[0];
  const double turn = cross(u, w);
  if (std::abs(turn) > 1e-6 * u.norm() * w.norm()) {
    const double s = std::clamp(cross(b[0] - a[0], w) / turn, 0.0, 1.0);
    return {a[0] + s * u};
  }
  const Eigen::Vector2d along = u.normalized();
  const double low = std::max(0.0, std::min(along.dot(b[0] - a[0]), along.dot(b[1] - a[0])));
  const double high = std::min(u.norm(), std::max(along.dot(b[0] - a[0]), along.dot(b[1] - a[0])));
  if (high - low <= least) return {a[0] + 0.5 * (low + high) * along};
  return {a[0] + low * along, a[0] + high * along};
}

/// The height of what touches along the normal, as a function of the place in the plane across it.
class Height {
public:
  Height(const std::vector<Vector3d>& points, const Vector3d& right, const Vector3d& up, const Vector3d& normal) {
    base_ = {right.dot(points[0]), up.dot(points[0])};
    height_ = normal.dot(points[0]);
    // The widest triangle, or the longest line.
    double widest = 0.0, longest = 0.0;
    for (std::size_t j = 1; j < points.size(); ++j) {
      const Vector3d e = points[j] - points[0];
      const Eigen::Vector2d p(right.dot(e), up.dot(e));
      if (p.norm() > longest) {
        longest = p.norm();
        if (widest == 0.0) slope_ = normal.dot(e) / p.squaredNorm() * p;
      }
      for (std::size_t k = j + 1; k < points.size(); ++k) {
        const Vector3d f = points[k] - points[0];
        const Eigen::Vector2d q(right.dot(f), up.dot(f));
        const double area = cross(p, q);
        if (std::abs(area) <= widest || std::abs(area) <= 1e-6 * p.norm() * q.norm()) continue;
        widest = std::abs(area);
        const double hp = normal.dot(e), hq = normal.dot(f);
        slope_ = Eigen::Vector2d(hp * q.y() - hq * p.y(), hq * p.x() - hp * q.x()) / area;
      }
    }
  }
  double at(const Eigen::Vector2d& place) const { return height_ + slope_.dot(place - base_); }

private:
  Eigen::Vector2d base_, slope_ = Eigen::Vector2d::Zero();
  double height_ = 0.0;
};

void tied(const Placed& who, const Vector3d& direction, double tolerance, std::vector<Vector3d>& found) {
  who.part->farthest(who.pose.axes.transpose() * direction, tolerance, found);
  for (Vector3d& p : found) p = who.pose.axes * p;
}

bool is_face(const std::vector<Vector3d>& points, const Vector3d& normal) {
  for (std::size_t j = 2; j < points.size(); ++j) {
    const Vector3d e = points[1] - points[0], f = points[j] - points[0];
    if (std::abs(e.cross(f).dot(normal)) > 1e-6 * e.norm() * f.norm()) return true;
  }
  return false;
}

}  // namespace

namespace {

/// Where cores overlap, or touch, the nearest point says nothing. Moved apart along a direction it does, and that leads
/// to a better direction: again with a smaller move, until it is small.
void draw_apart(Best& best) {
  const double size = size_of(best.a, best.b);
  Vector3d n = best.found.normal;
  for (double share = 0.5; share > 1e-6; share *= 0.3) {
    Placed moved = best.a;
    moved.pose.position += (share * size + std::max(-best.found.gap, 0.0)) * n;
    const Vector3d v = between_cores(moved, best.b, n);
    if (!(v.squaredNorm() > 0.0)) continue;
    n = v.normalized();
    best.offer(n);
    n = best.found.normal;
  }
}

}  // namespace

double slab(const Placed& a, const Placed& b, const Vector3d& direction) {
  return direction.dot((a.pose.position - b.pose.position) + (a.support(-direction) - b.support(direction))) -
         (a.part->rounding + b.part->rounding);
}

Separation separation(const Placed& a, const Placed& b, const Vector3d& guess) {
  Best best{{-std::numeric_limits<double>::infinity(), Vector3d::UnitZ()}, a, b};
  best.offer(guess);
  best.offer(between_cores(a, b, guess));
  if (!std::isfinite(best.found.gap)) best.offer(a.pose.position - b.pose.position);
  if (!std::isfinite(best.found.gap)) best.offer(Vector3d::UnitZ());
  const double size = size_of(a, b);
  if (best.found.gap > size) return best.found;  // far apart any good direction will do
  const double rounding = a.part->rounding + b.part->rounding;
  const bool round = !a.part->rims.empty() || !b.part->rims.empty();
  if (rounding == 0.0 || best.found.gap < -0.5 * rounding || round) climb(best);
  if (round) polish(best);
  if (best.found.gap < -overlap_share * size) {
    draw_apart(best);
    if (rounding == 0.0 || round) climb(best);
    if (round) polish(best);
  }
  return best.found;
}

Separation open_slab(const Placed& a, const Placed& b, const Vector3d& guess) {
  const bool corners = a.part->rims.empty() && b.part->rims.empty() && a.part->rounding + b.part->rounding == 0.0;
  if (!corners) return separation(a, b, guess);
  Best best{{-std::numeric_limits<double>::infinity(), Vector3d::UnitZ()}, a, b};
  best.offer(guess);
  // The faces that look at each other: where one of them leaves room, that will do.
  std::vector<Vector3d> faces;
  const auto offer_faces = [&](const Placed& who, double side) {
    who.part->faces_near(who.pose.axes.transpose() * (side * guess), faces);
    for (const Vector3d& face : faces) best.offer(side * (who.pose.axes * face));
  };
  offer_faces(a, -1.0);
  offer_faces(b, 1.0);
  if (best.found.gap > wide_share * size_of(a, b)) return best.found;
  if (std::isfinite(best.found.gap)) climb(best);
  return best.found.gap > 0.0 ? best.found : separation(a, b, guess);
}

bool apart_for_sure(const Placed& a, const Placed& b, double gap) {
  const Vector3d apart = a.pose.position - b.pose.position;
  const double length = apart.norm();
  if (!(length > 0.0)) return false;
  const Vector3d n = apart / length;
  if (slab(a, b, n) > gap) return true;
  std::vector<Vector3d> faces;
  const auto across_faces = [&](const Placed& who, double side) {
    who.part->faces_near(who.pose.axes.transpose() * (side * n), faces);
    return std::any_of(faces.begin(), faces.end(),
                       [&](const Vector3d& face) { return slab(a, b, side * (who.pose.axes * face)) > gap; });
  };
  return across_faces(a, -1.0) || across_faces(b, 1.0);
}

Ties ties_of(const Placed& a, const Placed& b, const Vector3d& normal, double tolerance) {
  Ties ties;
  std::vector<Vector3d> points;
  const auto edges = [&](const Placed& who, double side, std::vector<Vector3d>& list, bool& face) {
    tied(who, side * normal, tolerance, points);
    constexpr std::size_t enough = 12;
    for (std::size_t j = 0; j < points.size(); ++j)
      for (std::size_t k = 0; k < j && list.size() < enough; ++k) {
        const Vector3d e = points[j] - points[k];
        const Vector3d across = e - normal.dot(e) * normal;
        if (across.norm() > 1e-6 * who.part->reach) list.push_back(across.normalized());
      }
    face = is_face(points, normal);
  };
  edges(a, -1.0, ties.a, ties.face_a);
  edges(b, 1.0, ties.b, ties.face_b);
  return ties;
}

FeatureGap gap_at(const Feature& f, const Pose& a, const Pose& b, const Vector3d& before) {
  const Vector3d p = a.position + a.axes * f.first, q = b.position + b.axes * f.second;
  const double rounding = f.first_rounding + f.second_rounding;
  FeatureGap seen;
  switch (f.kind) {
    case Feature::Normal::world:
      seen.normal = f.normal;
      break;
    case Feature::Normal::first:
      seen.normal = a.axes * f.normal;
      break;
    case Feature::Normal::second:
      seen.normal = b.axes * f.normal;
      break;
    case Feature::Normal::crossing:
      seen.normal = (a.axes * f.edge_first).cross(b.axes * f.edge_second).normalized();
      break;
    case Feature::Normal::between:
      seen.normal = (p - q).normalized();
      break;
  }
  if (seen.normal.dot(before) < 0.0) seen.normal = -seen.normal;
  seen.gap = seen.normal.dot((a.position - b.position) + (a.axes * f.first - b.axes * f.second)) - rounding;
  // What does not turn may be wide: its point is where the first one is.
  seen.point = f.kind == Feature::Normal::world
                   ? Vector3d(p - (f.first_rounding + 0.5 * seen.gap) * seen.normal)
                   : Vector3d(0.5 * ((p - f.first_rounding * seen.normal) + (q + f.second_rounding * seen.normal)));
  return seen;
}

namespace {

double rim_at(const Convex& part, const Vector3d& point) {
  for (const Convex::Rim& rim : part.rims) {
    const Vector3d out = point - rim.centre;
    const double near = 1e-6 * rim.radius;
    if (std::abs(out.dot(part.axis)) <= near && std::abs(out.norm() - rim.radius) <= near) return rim.radius;
  }
  return 0.0;
}

/// How a point of a body is accelerated by its turning, in free flight.
Vector3d turning_acceleration(const Body& body, const Vector3d& lever) {
  const Vector3d& w = body.angular_velocity;
  if (body.immovable || w.isZero(0.0)) return Vector3d::Zero();
  const Matrix3d axes = body.orientation.toRotationMatrix();
  const Vector3d own = axes.transpose() * w;
  const Vector3d change = axes * body.inertia.inverse() * (body.inertia * own).cross(own);
  return change.cross(lever) + w.cross(w.cross(lever));
}

/// What the lowest point of a rim gains by running round it.
double running_round(double radius, const Vector3d& axis, const Vector3d& spin, const Vector3d& n,
                     const Vector3d& tilt) {
  const Vector3d across = n - n.dot(axis) * axis;
  const double steep = across.norm();
  if (!(steep > 1e-6)) return 0.0;  // it lies flat
  const Vector3d along = axis.cross(across / steep);
  const double turns = tilt.dot(along) + n.dot(spin.cross(along));
  return radius * turns * turns / steep;
}

}  // namespace

void note_rims(Feature& feature, const Convex& a, const Convex* b) {
  feature.first_rim = rim_at(a, feature.first);
  feature.first_axis = a.axis;
  if (b == nullptr) return;
  feature.second_rim = rim_at(*b, feature.second);
  feature.second_axis = b->axis;
}

double bend_at(const Feature& f, const Body& a, const Body& b, const Vector3d& n) {
  const Vector3d p = a.orientation * f.first, q = b.orientation * f.second;
  const Vector3d &spin_a = a.angular_velocity, &spin_b = b.angular_velocity;
  const Vector3d slip = velocity_at(a, a.position + p) - velocity_at(b, b.position + q);
  const double rounding = f.first_rounding + f.second_rounding;
  Vector3d tilt = Vector3d::Zero();
  switch (f.kind) {
    case Feature::Normal::world:
      break;
    case Feature::Normal::first:
      tilt = spin_a.cross(n);
      break;
    case Feature::Normal::second:
      tilt = spin_b.cross(n);
      break;
    case Feature::Normal::crossing: {
      const Vector3d first = a.orientation * f.edge_first, second = b.orientation * f.edge_second;
      const double falls = -n.dot(spin_a.cross(first)), falls_second = -n.dot(spin_b.cross(second));
      const double along = first.dot(second), square = 1.0 - along * along;
      if (square > 1e-8)
        tilt = ((falls - along * falls_second) * first + (falls_second - along * falls) * second) / square;
      break;
    }
    case Feature::Normal::between:
      tilt = (slip - n.dot(slip) * n) / rounding;
      break;
  }
  return n.dot(turning_acceleration(a, p) - turning_acceleration(b, q)) + 2.0 * tilt.dot(slip) -
         rounding * tilt.squaredNorm() - running_round(f.first_rim, a.orientation * f.first_axis, spin_a, n, tilt) -
         running_round(f.second_rim, b.orientation * f.second_axis, spin_b, n, tilt);
}

void features_of(const Placed& a, const Placed& b, const Separation& apart, double tolerance,
                 std::vector<Feature>& found) {
  const Vector3d& n = apart.normal;
  std::vector<Vector3d> first, second;
  tied(a, -n, tolerance, first);
  tied(b, n, tolerance, second);
  const Vector3d right = n.unitOrthogonal(), up = n.cross(right);
  const double size = std::min(a.part->reach > 0.0 ? a.part->reach : b.part->reach,
                               b.part->reach > 0.0 ? b.part->reach : a.part->reach);
  // From here on everything counts from the centre of a.
  const Vector3d to_b = b.pose.position - a.pose.position;
  for (Vector3d& p : second) p += to_b;
  const Flat figure_a = hull_of(first, right, up, size), figure_b = hull_of(second, right, up, size);
  Flat places = shared(figure_a, figure_b, 1e-9 * size);
  const Height low(first, right, up, n), high(second, right, up, n);
  const bool face_a = is_face(first, n), face_b = is_face(second, n);
  const double rounding = a.part->rounding + b.part->rounding;
  Feature feature;
  feature.first_rounding = a.part->rounding;
  feature.second_rounding = b.part->rounding;
  const Matrix3d to_first = a.pose.axes.transpose(), to_second = b.pose.axes.transpose();
  if (face_b && (b.part->rims.empty() || !face_a)) {
    feature.kind = Feature::Normal::second;
    feature.normal = to_second * n;
  } else if (face_a) {
    feature.kind = Feature::Normal::first;
    feature.normal = to_first * n;
  } else if (figure_a.size() == 2 && figure_b.size() == 2 && places.size() == 1 && rounding == 0.0) {
    feature.kind = Feature::Normal::crossing;
    feature.edge_first = to_first * (first[1] - first[0]).normalized();
    feature.edge_second = to_second * (second[1] - second[0]).normalized();
  } else if (rounding > 0.0) {
    feature.kind = Feature::Normal::between;
  } else {
    feature.kind = Feature::Normal::world;
    feature.normal = n;
  }
  if (places.empty()) {  // they lie beside each other but for rounding: where they come nearest
    places = {figure_a[0]};
    double least = std::numeric_limits<double>::infinity();
    for (const Eigen::Vector2d& p : figure_a)
      for (const Eigen::Vector2d& q : figure_b)
        if ((p - q).norm() < least) {
          least = (p - q).norm();
          places[0] = 0.5 * (p + q);
        }
  }
  const std::size_t start = found.size();
  for (const Eigen::Vector2d& place : places) {
    const double under = low.at(place), over = high.at(place);
    if (under - over - rounding > tolerance && places.size() > 1) continue;
    const Vector3d across = place.x() * right + place.y() * up;
    feature.first = to_first * (across + under * n);
    feature.second = to_second * (across + over * n - to_b);
    note_rims(feature, *a.part, b.part);
    found.push_back(feature);
  }
  std::sort(found.begin() + static_cast<std::ptrdiff_t>(start), found.end(), [](const Feature& x, const Feature& y) {
    return std::lexicographical_compare(x.first.data(), x.first.data() + 3, y.first.data(), y.first.data() + 3);
  });
}

}  // namespace carom::world
