// Simultaneous impact of many contacts in parts. What happens at one contact reaches another, so many bodies on, as
// that power of time over that factorial: for a short while a part needs to know of its surroundings only so far. So
// each part goes by itself, with its surroundings, from one time to the next that all share; then what it says of its
// own contacts holds, and what it says of its surroundings is forgotten. A part in which nothing moves sleeps.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "flow.hpp"

namespace carom::simultaneous {

namespace {

/// Contacts that a part has of its own, if its surroundings do not end before.
constexpr std::size_t part_size = 24;
/// The parts' own contacts and surroundings together may be so many times all contacts; beyond, nothing is gained.
constexpr double most_overlap = 8.0;
/// Bodies that touch so many others couple them all (see coupling.hpp).
constexpr double most_neighbours = 40.0;

/// The time that parts go by themselves, as a share of the fastest swing there is (a period over 2 pi).
constexpr double alone_share = 1.4;
/// A contact slower than this share of the tolerance, whose spring can make it no faster, has come to rest: what would
/// go on there are the errors of the steps.
constexpr double asleep_tolerances = 0.1;
/// The errors of steps, small as they are allowed to be, add up along a chain: with more contacts less is allowed, down
/// to the finest tolerance there is.
constexpr double contacts_in_tolerance = 1000.0;
constexpr double finest = 1e-14;
/// What a part's unknown surroundings may change of it meanwhile, as a share of the tolerance.
constexpr double ignorance = 1e-3;
/// Swings are counted this much faster than by the present compressions: those grow meanwhile.
constexpr double swing_margin = 1.5;

/// Rigid friction of contacts that stick or creep, and the direction of slow slip, answer at once however far away. But
/// the answer fades from contact to contact, by (1 - sqrt(1 - r^2)) / r where r, below 1, is the mobility of a contact
/// by its neighbours' friction over that by its own (Demko, Moss and Smith 1984: inverses of banded matrices).
double sideways_fade(const System<3>& system, const std::vector<std::vector<std::size_t>>& neighbours) {
  constexpr double least = 0.1;  // ratio: the fade it gives is short enough
  double ratio = least;
  for (std::size_t c = 0; c < neighbours.size(); ++c) {
    const Eigen::Matrix2d here = system.block(c, c).topLeftCorner<2, 2>();
    const double own = std::min(here(0, 0), here(1, 1)) - std::abs(here(0, 1));
    double others = 0.0;
    for (const std::size_t b : neighbours[c]) {
      if (b == c) continue;
      const Eigen::Matrix2d there = system.block(c, b).topLeftCorner<2, 2>().cwiseAbs();
      others += std::sqrt(there.rowwise().sum().maxCoeff() * there.colwise().sum().maxCoeff());
    }
    if (others > 0.0) ratio = std::max(ratio, own > 0.0 ? others / own : 1.0);
  }
  return ratio < 1.0 ? (1.0 - std::sqrt(1.0 - ratio * ratio)) / ratio : 1.0;
}

template <int D>
class Parts {
public:
  Parts(const System<D>& system, double tolerance, Work& work, Log& log)
      : system_(system),
        work_(work),
        log_(log),
        limits_(
            std::max(tolerance * std::min(1.0, contacts_in_tolerance / static_cast<double>(system.size())), finest)),
        asleep_(std::max(idle_speed, asleep_tolerances * tolerance)),
        m_(system.size()),
        contacts_(m_),
        u_(system.initial()),
        change_(m_),
        home_(m_),
        place_(m_),
        z_(system.at_rest()) {}

  /// False if the contacts are too near each other.
  bool divide();
  Outcome run();

private:
  using Vector = typename System<D>::Vector;
  static constexpr int n = D - 1;

  /// A part while it is awake.
  struct Awake {
    Awake(const System<D>& whole, const std::vector<std::size_t>& all, const Thresholds& limits, Work& work, Log& log)
        : system(with_rows(whole.part(all))), flow(system, limits, work, log) {}
    static System<D> with_rows(System<D> part) {
      part.keep_rows();
      return part;
    }
    System<D> system;
    Flow<D> flow;
  };
  struct Part {
    std::vector<std::size_t> own, all;  // contacts, in order
    std::vector<std::size_t> places;    // of the own ones among all
    std::vector<std::size_t> near;      // parts that have contacts of this one among all of theirs
    Log log;
    std::unique_ptr<Awake> awake;
    bool moving = false;  // something moves at its own contacts
  };

  /// Far ahead of a wave, where leading forces have closed contacts (settle.hpp), and behind it nothing does.
  bool moves(std::size_t c) const {
    const double un = u_[c][n], d = std::max(contacts_[c].compression, 0.0);
    if (!contacts_[c].mode.closed()) return un < -asleep_;
    return std::abs(un) > asleep_ || system_.spring(c).energy(d) > asleep_ * asleep_;
  }
  void begin();
  void wake();
  double alone() const;
  bool go(Part& part, double to);
  void keep(Part& part);
  double last(double to) const;
  void tell(double to);
  void fill(std::vector<SimultaneousSample::Contact>& contacts, double time, bool after) const;
  void release();

  const System<D>& system_;
  Work& work_;
  Log& log_;
  Thresholds limits_;
  double asleep_;  // speed
  std::size_t m_;
  double time_ = 0.0;
  std::vector<Part> parts_;
  std::vector<std::size_t> awake_;  // parts
  std::vector<FlowContact<D>> contacts_;
  typename System<D>::Vectors u_, change_;
  std::vector<std::size_t> home_, place_;  // of each contact: its part, and its place among all of that part
  std::vector<double> reach_;              // of each contact: its mobility and that of what moves it
  typename System<D>::Motions z_;          // of the bodies, by all impulses
  Activity activity_;
  std::size_t steps_ = 0;
};

template <int D>
bool Parts<D>::divide() {
  const std::vector<std::vector<std::size_t>> touching = system_.contacts_of_blocks();
  double pairs = 0.0;
  for (const auto& list : touching) pairs += static_cast<double>(list.size()) * static_cast<double>(list.size());
  if (pairs > most_neighbours * static_cast<double>(m_)) return false;
  std::vector<std::vector<std::size_t>> neighbours(m_);
  for (std::size_t c = 0; c < m_; ++c) {
    for (const std::size_t block : system_.moved_by(c))
      neighbours[c].insert(neighbours[c].end(), touching[block].begin(), touching[block].end());
    std::sort(neighbours[c].begin(), neighbours[c].end());
    neighbours[c].erase(std::unique(neighbours[c].begin(), neighbours[c].end()), neighbours[c].end());
    double reach = 0.0;
    for (const std::size_t b : neighbours[c]) reach += system_.block(c, b).cwiseAbs().rowwise().sum().maxCoeff();
    reach_.push_back(reach);
  }
  // (share)^(2 hops + 1) / (2 hops + 1)!, and half of it lost at every hop: the other half stays where it is.
  int hops = 1;
  for (double share = alone_share; share > ignorance * limits_.tolerance; ++hops)
    share *= 0.5 * alone_share * alone_share / ((2.0 * hops) * (2.0 * hops + 1.0));

  if constexpr (D == 3) {
    const double fade = sideways_fade(system_, neighbours);
    if (!(fade < 1.0)) return false;
    hops = std::max(hops, static_cast<int>(std::ceil(std::log(ignorance * limits_.tolerance) / std::log(fade))));
  }

  // Parts grow from the first contact without one.
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::fill(home_.begin(), home_.end(), none);
  std::vector<std::size_t> seen(m_, none);
  double together = 0.0;
  for (std::size_t seed = 0; seed < m_; ++seed) {
    if (home_[seed] != none) continue;
    const std::size_t number = parts_.size();
    Part& part = parts_.emplace_back();
    part.own = {seed};
    home_[seed] = number;
    for (std::size_t i = 0; i < part.own.size() && part.own.size() < part_size; ++i)
      for (const std::size_t b : neighbours[part.own[i]])
        if (home_[b] == none && part.own.size() < part_size) {
          home_[b] = number;
          part.own.push_back(b);
        }
    part.all = part.own;
    for (const std::size_t c : part.all) seen[c] = number;
    std::size_t begin = 0;
    for (int hop = 0; hop < hops; ++hop) {
      const std::size_t end = part.all.size();
      for (; begin < end; ++begin)
        for (const std::size_t b : neighbours[part.all[begin]])
          if (seen[b] != number) {
            seen[b] = number;
            part.all.push_back(b);
          }
    }
    together += static_cast<double>(part.all.size());
    if (together > most_overlap * static_cast<double>(m_)) return false;
    std::sort(part.own.begin(), part.own.end());
    std::sort(part.all.begin(), part.all.end());
    for (const std::size_t c : part.own) {
      place_[c] = static_cast<std::size_t>(std::lower_bound(part.all.begin(), part.all.end(), c) - part.all.begin());
      part.places.push_back(place_[c]);
    }
  }
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for (const std::size_t c : parts_[p].all)
      if (std::vector<std::size_t>& near = parts_[home_[c]].near; near.empty() || near.back() != p) near.push_back(p);
  return true;
}

template <int D>
Outcome Parts<D>::run() {
  Outcome out;
  Standstill standstill(limits_, D == 3, system_.slowest_swing(), m_, log_);
  begin();
  for (wake(); !awake_.empty(); wake()) {
    double to = time_ + alone();
    for (const std::size_t p : awake_)
      if (out.finished) out.finished = go(parts_[p], to);
    for (const std::size_t p : awake_) out.overflow = out.overflow || parts_[p].awake->flow.lost();
    if (!out.finished) break;
    activity_ = {};
    for (const std::size_t p : awake_) keep(parts_[p]);
    if (std::none_of(awake_.begin(), awake_.end(), [this](std::size_t p) { return parts_[p].moving; })) to = last(to);
    tell(to);
    time_ = to;
    if (standstill.spent(time_, activity_)) break;
    out.finished = !standstill.jammed(time_, activity_) && work_.left();
    if (!out.finished) break;
  }
  if (out.finished) release();
  if (log_.path != nullptr) log_.path->end(time_, [this](auto& contacts) { fill(contacts, time_, true); });
  for (std::size_t c = 0; c < m_; ++c) {
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
    impulse.tail<D>() = contacts_[c].impulse;
    out.impulse.push_back(impulse);
    out.friction_work.push_back(contacts_[c].work);
    out.state.push_back(contacts_[c].mode);
    out.residual += energy_held(contacts_[c].mode, system_.spring(c), contacts_[c].compression);
  }
  out.steps = steps_;
  return out;
}

/// The start is looked at as a whole: forces of all orders of time.
template <int D>
void Parts<D>::begin() {
  Flow<D> whole(system_, limits_, work_, log_);
  whole.start();
  for (std::size_t c = 0; c < m_; ++c) contacts_[c] = whole.contact(c);
}

/// Which parts have something to do: those near to which something moves.
template <int D>
void Parts<D>::wake() {
  std::vector<std::size_t> next;
  const auto look = [&](std::size_t p) {
    if (parts_[p].moving) next.insert(next.end(), parts_[p].near.begin(), parts_[p].near.end());
  };
  if (time_ == 0.0) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      Part& part = parts_[p];
      part.moving = std::any_of(part.own.begin(), part.own.end(), [this](std::size_t c) { return moves(c); });
      look(p);
    }
  } else {
    for (const std::size_t p : awake_) look(p);
  }
  std::sort(next.begin(), next.end());
  next.erase(std::unique(next.begin(), next.end()), next.end());
  for (const std::size_t p : awake_)
    if (!std::binary_search(next.begin(), next.end(), p)) parts_[p].awake.reset();
  awake_.swap(next);
  for (const std::size_t p : awake_) {
    Part& part = parts_[p];
    if (part.awake) continue;
    part.awake = std::make_unique<Awake>(system_, part.all, limits_, work_, part.log);
    if (log_.path != nullptr) part.awake->flow.keep_steps();
  }
}

/// How long the parts may go by themselves: by the fastest swing of the contacts that press, at the compression that
/// their present speed leads to.
template <int D>
double Parts<D>::alone() const {
  double fastest = 0.0;
  for (const std::size_t p : awake_)
    for (const std::size_t c : parts_[p].own) {
      if (!moves(c)) continue;
      const Spring& s = system_.spring(c);
      const double mobility = system_.block(c, c)(n, n);
      const double speed = std::min(u_[c][n], 0.0);
      const double energy =
          s.energy(std::max(contacts_[c].compression, 0.0)) + (mobility > 0.0 ? 0.5 * speed * speed / mobility : 0.0);
      const double d = std::pow((s.p + 1.0) * energy / s.k, 1.0 / (s.p + 1.0));
      const double tangential = s.eta2 > 0.0 ? std::max(1.0, 1.0 / s.eta2) : 1.0;
      fastest = std::max(fastest, reach_[c] * s.slope(d) / s.e2 * tangential);
    }
  return fastest > 0.0 ? alone_share / (swing_margin * std::sqrt(fastest)) : 1.0;
}

template <int D>
bool Parts<D>::go(Part& part, double to) {
  system_.observe(part.all, z_, u_[0].data(), system_.initial()[0].data());
  for (std::size_t i = 0; i < part.all.size(); ++i) {
    FlowContact<D> contact = contacts_[part.all[i]];
    contact.impulse.setZero();
    contact.work = 0.0;
    part.awake->system.set_initial(i, u_[part.all[i]]);
    part.awake->flow.set_contact(i, contact);
  }
  part.log.events.clear();
  const std::size_t before = part.awake->flow.steps();
  const bool arrived = part.awake->flow.run_between(time_, to);
  steps_ += part.awake->flow.steps() - before;
  return arrived;
}

/// What a part says of its own contacts.
template <int D>
void Parts<D>::keep(Part& part) {
  const Flow<D>& flow = part.awake->flow;
  for (Log::Entry& entry : part.log.events) {
    entry.contact = part.all[entry.contact];
    entry.impulse.template tail<D>() += contacts_[entry.contact].impulse;
  }
  for (std::size_t i = 0; i < part.own.size(); ++i) {
    const std::size_t c = part.own[i];
    FlowContact<D> contact = flow.contact(part.places[i]);
    change_[c] = contact.impulse;
    contact.impulse += contacts_[c].impulse;
    contact.work += contacts_[c].work;
    contacts_[c] = contact;
    activity_.add(flow.activity(part.places[i]));
    u_[c] = flow.velocity(part.places[i]);
  }
  system_.push(part.own, change_[0].data(), z_);
  part.moving = std::any_of(part.own.begin(), part.own.end(), [this](std::size_t c) { return moves(c); });
  log_.recompression = log_.recompression || part.log.recompression;
  log_.hyperstatic = log_.hyperstatic || part.log.hyperstatic;
}

/// When nothing moves any more: the time of the last event, or `to`.
template <int D>
double Parts<D>::last(double to) const {
  double time = time_;
  for (const std::size_t p : awake_)
    for (const Log::Entry& entry : parts_[p].log.events)
      if (home_[entry.contact] == p) time = std::max(time, entry.time);
  return time > time_ ? time : to;
}

/// Events and samples of the time that ends, in order.
template <int D>
void Parts<D>::tell(double to) {
  const auto begin = static_cast<std::ptrdiff_t>(log_.events.size());
  for (const std::size_t p : awake_)
    for (const Log::Entry& entry : parts_[p].log.events)
      if (home_[entry.contact] == p) log_.events.push_back(entry);
  std::stable_sort(log_.events.begin() + begin, log_.events.end(),
                   [](const Log::Entry& a, const Log::Entry& b) { return a.time < b.time; });
  if (log_.path == nullptr) return;
  log_.path->piece(time_, to,
                   [&](double share, auto& contacts) { fill(contacts, time_ + share * (to - time_), false); });
  for (auto event = log_.events.begin() + begin; event != log_.events.end(); ++event)
    if (event == log_.events.begin() + begin || event->time > (event - 1)->time)
      log_.path->event(event->time, [&](auto& contacts) { fill(contacts, event->time, true); });
}

/// The state at a time of the last steps taken; where an event lies then, before or after it.
template <int D>
void Parts<D>::fill(std::vector<SimultaneousSample::Contact>& contacts, double time, bool after) const {
  for (const std::size_t p : awake_) {
    const Part& part = parts_[p];
    const auto& [ends, pieces] = part.awake->flow.taken();
    if (ends.empty()) continue;
    const auto at =
        after ? std::upper_bound(ends.begin(), ends.end(), time) : std::lower_bound(ends.begin(), ends.end(), time);
    const auto step = std::min(static_cast<std::size_t>(at - ends.begin()), ends.size() - 1);
    const double begin = step > 0 ? ends[step - 1] : time_;
    const double x = ends[step] > begin ? std::clamp((time - begin) / (ends[step] - begin), 0.0, 1.0) : 1.0;
    for (std::size_t i = 0; i < part.own.size(); ++i)
      contacts[part.own[i]] = pieces[step * part.all.size() + part.places[i]].at(x, system_.spring(part.own[i]));
  }
}

template <int D>
void Parts<D>::release() {
  for (std::size_t c = 0; c < m_; ++c) {
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
    impulse.tail<D>() = contacts_[c].impulse;
    change_normal_mode(contacts_[c].mode, system_.spring(c), NormalMode::open, contacts_[c].compression, c, time_,
                       impulse, log_);
    contacts_[c].mode.tangent = TangentMode::none;
  }
  awake_.clear();
}

template <int D>
std::optional<Outcome> solve(const System<D>& system, double tolerance, Work& work, Log& log) {
  Parts<D> parts(system, tolerance, work, log);
  if (!parts.divide()) return std::nullopt;
  return parts.run();
}

}  // namespace

std::optional<Outcome> solve_parts(const System<1>& system, double tolerance, Work& work, Log& log) {
  return solve(system, tolerance, work, log);
}
std::optional<Outcome> solve_parts(const System<3>& system, double tolerance, Work& work, Log& log) {
  return solve(system, tolerance, work, log);
}

}  // namespace carom::simultaneous
