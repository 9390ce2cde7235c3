// Linear springs without friction, many of them: as series.cpp, but every contact has series about a time of its own.
// An event changes a contact's series; those of its neighbours change by a power of time that grows with their distance
// and is divided by a factorial, so that only the nearest are expanded anew. Contacts that nothing moves have nothing
// to do. Events wait in a queue: the cost of a run is that of its events, however many contacts there are.
#include <algorithm>
#include <cmath>
#include <limits>

#include "coupling.hpp"
#include "event_queue.hpp"
#include "power_series.hpp"
#include "system.hpp"
#include "tuning.hpp"

namespace carom::simultaneous {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// W with more entries a row than this is left to series.cpp: an event would reach most contacts anyway.
constexpr double most_entries = 40.0;

/// How far an event usually reaches, in steps from contact to contact.
constexpr int usual_reach = 8;

/// Series are not used for longer than this share of the fastest swing of their neighbourhood (a period over 2 pi):
/// longer ones would make an event reach further.
constexpr double longest_share = 1.0;
/// A series may use those of its neighbours a little longer than they were made for: this share of their horizon. The
/// last terms grow by less than three digits, and act on it through two integrations.
constexpr double borrowed_share = 0.25;
/// Contacts at so many steps along the chain are expanded together when the series of one end.
constexpr int renewed_hops = 4;
/// Events within this time of another happen with it: mirror contacts differ by rounding.
constexpr double simultaneous_events = 1e-14;
/// A piece is not made shorter than this, as in series.cpp.
constexpr double shortest_piece = 1e-10;

class LocalSeries {
public:
  LocalSeries(const System<1>& system, const Coupling& coupling, Work& work, Log& log)
      : system_(system),
        coupling_(coupling),
        work_(work),
        log_(log),
        m_(system.size()),
        nodes_(m_),
        state_(m_),
        queue_(m_),
        place_(m_, nowhere) {
    for (std::size_t c = 0; c < m_; ++c) {
      double rate = 0.0;
      for (const auto& [b, w] : coupling_.row(c))
        rate += std::abs(w) * system_.spring(b).k / std::min(system_.spring(b).e2, system_.spring(c).e2);
      nodes_[c].longest = rate > 0.0 ? longest_share / std::sqrt(rate) : never;
    }
  }

  Outcome run() {
    start();
    Outcome out;
    for (std::size_t looked = 0; pressing_ > 0 && out.finished; ++out.steps) {
      const double t = queue_.time();
      if (!(t < never)) {
        release();
        break;
      }
      tell_piece(t);
      out.overflow = !process(t);
      out.finished = work_.left() && !out.overflow;
      if (++looked < m_) continue;  // looking at all of them must not cost more than the events do
      looked = 0;
      if (is_idle(
              state_, [&](std::size_t c) { return system_.spring(c); }, [&](std::size_t c) { return velocity(c); },
              [&](std::size_t c) { return compression(c); }))
        release();
    }
    if (log_.path != nullptr) log_.path->end(time_, [this](auto& contacts) { fill(contacts, time_); });
    for (std::size_t c = 0; c < m_; ++c) {
      out.impulse.push_back({0.0, 0.0, impulse(c, time_)});
      out.residual += energy_held(state_[c], system_.spring(c), compression(c));
    }
    out.friction_work.assign(m_, 0.0);
    out.state = state_;
    return out;
  }

private:
  /// A contact: its impulse and compression at time `since`, and series of velocity and compression about it.
  struct Node {
    double since = 0.0;
    double until = never;    // how far the series reach; for ever if nothing moves it
    double longest = never;  // that they may reach
    double impulse = 0.0, d = 0.0;
    bool event = false;  // what comes next is one, not the end of the series
    Series u{}, x{};
  };
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  bool silent(std::size_t c) const { return nodes_[c].until == never; }
  double rate(std::size_t c) const {
    return state_[c].normal == NormalMode::unloading ? 1.0 / system_.spring(c).e2 : 1.0;
  }
  double compression(std::size_t c) const { return at(nodes_[c].x, c, time_); }
  double velocity(std::size_t c) const { return at(nodes_[c].u, c, time_); }
  double at(const Series& series, std::size_t c, double t) const {
    return silent(c) ? series[0] : value(series, t - nodes_[c].since);
  }
  double impulse(std::size_t c, double t) const {
    const Node& node = nodes_[c];
    if (silent(c) || !state_[c].closed() || t == node.since) return node.impulse;
    const double h = t - node.since;
    double sum = 0.0;  // integral of k d
    for (std::size_t k = series_order; k-- > 0;) sum = (sum + node.x[k] / static_cast<double>(k + 1)) * h;
    return node.impulse + system_.spring(c).k * sum;
  }

  void change_mode(std::size_t c, NormalMode mode) {
    const bool closed = state_[c].closed();
    change_normal_mode(state_[c], system_.spring(c), mode, nodes_[c].d, c, time_, {0.0, 0.0, nodes_[c].impulse}, log_);
    if (closed != state_[c].closed()) closed ? --pressing_ : ++pressing_;
  }

  void start() {
    std::vector<double> d(m_, 0.0);
    System<1>::Vectors force(m_, System<1>::Vector::Zero());
    std::vector<ContactState> next = state_;
    SettleSpace<1> space(m_);
    settle_normals(
        system_, system_.initial(), d, force, next, space, [](auto&&...) {}, [](auto&&...) {});
    for (std::size_t c = 0; c < m_; ++c) {
      nodes_[c].u[0] = system_.initial()[c][0];
      change_mode(c, next[c].normal);
    }
    for (std::size_t c = 0; c < m_; ++c)
      if (state_[c].closed()) add(c);
    for (std::size_t i = 0, own = members_.size(); i < own; ++i)
      for (const auto& [b, w] : coupling_.row(members_[i])) add(b);
    renew(false);
  }

  void release() {
    for (std::size_t c = 0; c < m_; ++c) {
      Node& node = nodes_[c];
      node.impulse = impulse(c, time_);
      node.d = compression(c);
      node.x.fill(0.0);
      node.since = time_;
      node.until = never;
      change_mode(c, NormalMode::open);
    }
  }

  void add(std::size_t c) {
    if (place_[c] != nowhere) return;
    place_[c] = members_.size();
    members_.push_back(c);
  }

  /// What is next in the queue, at time t. False where numbers leave their range.
  bool process(double t) {
    time_ = t;
    bool event = false;
    while (queue_.time() <= t + simultaneous_events) {
      const std::size_t c = queue_.first();
      queue_.set(c, never);
      event = event || nodes_[c].event;
      add(c);
    }
    if (event)
      reach_of_events();
    else
      reach_of_renewal();
    return renew(event);
  }

  struct Reached {
    std::size_t contact;
    double size;
  };

  /// Adds to the events' contacts all whose compression they change by more than nothing while their series last: a
  /// change A t^n of a force is one of W k A t^(n+2) / ((n+1)(n+2)) of that of a neighbour.
  void reach_of_events() {
    front_.clear();
    for (const std::size_t c : members_) {
      // The rate of d changes at once by what it is at most, or its slope does.
      const double tau = time_ - nodes_[c].since, longest = nodes_[c].longest, k = system_.spring(c).k;
      const double turn = std::abs(value(nodes_[c].u, tau)), bend = std::abs(slope(nodes_[c].u, tau));
      front_.push_back({c, k * (turn + bend * longest) / system_.spring(c).e2});
    }
    spread(1, [](std::size_t) { return true; });
  }

  /// Adds to the contacts whose series end those next to them, and those beyond that nothing has moved so far.
  void reach_of_renewal() {
    std::size_t begin = 0;
    for (int hop = 0; hop < renewed_hops; ++hop) {
      const std::size_t end = members_.size();
      for (; begin < end; ++begin)
        for (const auto& [b, w] : coupling_.row(members_[begin]))
          if (!silent(b)) add(b);
    }
    front_.clear();
    for (const std::size_t c : members_) {
      const double force = state_[c].closed() ? system_.spring(c).k * std::abs(compression(c)) : 0.0;
      const double slope = state_[c].closed() ? system_.spring(c).k * rate(c) * std::abs(velocity(c)) : 0.0;
      const double size = force + slope * nodes_[c].longest;
      front_.push_back({c, size});
    }
    spread(0, [this](std::size_t b) { return silent(b); });
  }

  /// From changes of force `size` t^n, n = 0 or 1, at the contacts of front_, to all neighbours that are `concerned`.
  template <class Concerned>
  void spread(int n, const Concerned& concerned) {
    double factorial = 1.0;
    while (!front_.empty()) {
      n += 2;
      factorial *= n * (n - 1);
      const std::size_t first = members_.size();
      next_front_.clear();
      for (const auto& [c, size] : front_)
        for (const auto& [b, w] : coupling_.row(c)) {
          if (!concerned(b) || place_[b] < first) continue;
          if (place_[b] == nowhere) {
            add(b);
            next_front_.push_back({b, 0.0});
          }
          next_front_[place_[b] - first].size += std::abs(w) * size;
        }
      // Those where it stays below everything are taken out again, and nothing spreads from them.
      std::size_t kept = 0;
      for (const auto& [b, size] : next_front_) {
        const double horizon = silent(b) ? nodes_[b].longest : std::min(nodes_[b].longest, nodes_[b].until - time_);
        place_[b] = nowhere;
        if (!(size * std::pow(std::max(horizon, 0.0), n) > truncation * factorial)) continue;
        place_[b] = first + kept;
        members_[first + kept] = b;
        next_front_[kept++] = {b, size * system_.spring(b).k / system_.spring(b).e2};
      }
      members_.resize(first + kept);
      next_front_.resize(kept);
      front_.swap(next_front_);
    }
  }

  /// Series anew for the members, from now on; with their modes if something has happened to them.
  bool renew(bool event) {
    // Members first, in the order of the contacts, then the pressing neighbours, whose series stay.
    std::sort(members_.begin(), members_.end());
    const std::size_t n = members_.size();
    for (std::size_t i = 0; i < n; ++i) place_[members_[i]] = i;
    for (std::size_t i = 0; i < n; ++i)
      for (const auto& [b, w] : coupling_.row(members_[i]))
        if (state_[b].closed() && !silent(b)) add(b);
    const std::size_t all = members_.size();
    impulse_now_.resize(all);
    for (std::size_t i = 0; i < all; ++i) impulse_now_[i] = impulse(members_[i], time_);
    for (std::size_t i = 0; i < n; ++i) commit(members_[i], impulse_now_[i]);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t c = members_[i];
      double u = system_.initial()[c][0];
      for (const auto& [b, w] : coupling_.row(c))
        u += w * (place_[b] != nowhere ? impulse_now_[place_[b]] : nodes_[b].impulse);
      nodes_[c].u[0] = u;
    }
    if (event) settle(n);
    const double h = expand(n);
    if (std::isfinite(h))
      for (std::size_t i = 0; i < n; ++i) look_ahead(members_[i], n, h);
    work_.spend(step_overhead + series_work * static_cast<double>(all));
    for (const std::size_t c : members_) place_[c] = nowhere;
    members_.clear();
    if (event && log_.path != nullptr) log_.path->event(time_, [this](auto& contacts) { fill(contacts, time_); });
    return std::isfinite(h);
  }

  /// The contact at the present time; its series are old from then on.
  void commit(std::size_t c, double impulse_now) {
    Node& node = nodes_[c];
    const double tau = time_ - node.since;
    if (!silent(c) && state_[c].closed()) {
      const double opening = slope(node.x, tau);
      node.d = value(node.x, tau);
      node.impulse = impulse_now;
      if (state_[c].normal == NormalMode::unloading && node.d <= simultaneous_events * std::abs(opening)) node.d = 0.0;
    }
    node.since = time_;
  }

  /// The first `n` members and what presses on them, as settle_normals sees contacts.
  class Neighbourhood {
  public:
    static constexpr int normal = 0;
    using Vector = System<1>::Vector;
    using Vectors = System<1>::Vectors;
    explicit Neighbourhood(const LocalSeries& run) : run_(run) {}
    std::size_t size() const { return run_.members_.size(); }
    const Spring& spring(std::size_t i) const { return run_.system_.spring(run_.members_[i]); }
    void response(const double* in, double* out) const {
      for (std::size_t i = 0; i < size(); ++i) {
        out[i] = 0.0;
        for (const auto& [b, w] : run_.coupling_.row(run_.members_[i]))
          if (run_.place_[b] != nowhere) out[i] += w * in[run_.place_[b]];
      }
    }

  private:
    const LocalSeries& run_;
  };

  void settle(std::size_t n) {
    const std::size_t all = members_.size();
    modes_.resize(all);
    u_now_.resize(all);
    d_now_.resize(all);
    force_now_.resize(all);
    space_.resize(all);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t c = members_[i];
      if (state_[c].normal == NormalMode::unloading && nodes_[c].d == 0.0) change_mode(c, NormalMode::open);
    }
    for (std::size_t i = 0; i < all; ++i) {
      const std::size_t c = members_[i];
      modes_[i] = state_[c];
      u_now_[i][0] = i < n ? nodes_[c].u[0] : velocity(c);
      d_now_[i] = i < n ? nodes_[c].d : std::max(compression(c), 0.0);
      force_now_[i][0] = state_[c].closed() ? system_.spring(c).k * d_now_[i] : 0.0;
    }
    settle_normals(
        Neighbourhood(*this), u_now_, d_now_, force_now_, modes_, space_, [](auto&&...) {}, [](auto&&...) {});
    for (std::size_t i = 0; i < n; ++i) change_mode(members_[i], modes_[i].normal);
  }

  /// Series of the first n members. How far they reach, by their last two terms that are not nothing.
  double expand(std::size_t n) {
    const std::size_t all = members_.size();
    constexpr std::size_t order = series_order;
    us_.assign((order + 1) * n, 0.0);
    xs_.assign((order + 1) * n, 0.0);
    forces_.assign(order * all, 0.0);
    rates_.resize(n);
    stiffness_.resize(n);
    links_.clear();
    link_first_.assign(1, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t c = members_[i];
      us_[i] = nodes_[c].u[0];
      xs_[i] = nodes_[c].d;
      rates_[i] = state_[c].closed() ? -rate(c) : 0.0;
      stiffness_[i] = state_[c].closed() ? system_.spring(c).k : 0.0;
      for (const auto& [b, w] : coupling_.row(c))
        if (place_[b] != nowhere && state_[b].closed()) links_.push_back({place_[b], w});
      link_first_.push_back(links_.size());
    }
    for (std::size_t i = n; i < all; ++i) {
      const std::size_t c = members_[i];
      Series x = nodes_[c].x;
      const double tau = time_ - nodes_[c].since, k = system_.spring(c).k;
      if (tau != 0.0)  // about the present time: Horner's scheme, again and again
        for (std::size_t j = 0; j < order; ++j)
          for (std::size_t l = order; l-- > j;) x[l] += tau * x[l + 1];
      for (std::size_t j = 0; j < order; ++j) forces_[j * all + i] = k * x[j];
    }
    for (std::size_t j = 0; j < order; ++j) {
      double* force = &forces_[j * all];
      const double *u = &us_[j * n], *x = &xs_[j * n];
      double *u1 = &us_[(j + 1) * n], *x1 = &xs_[(j + 1) * n];
      const double share = 1.0 / static_cast<double>(j + 1);
      for (std::size_t i = 0; i < n; ++i) force[i] = stiffness_[i] * x[i];
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0.0;
        for (std::size_t e = link_first_[i]; e < link_first_[i + 1]; ++e) sum += links_[e].w * force[links_[e].contact];
        u1[i] = sum * share;
        x1[i] = rates_[i] * u[i] * share;
      }
    }
    double h = std::numeric_limits<double>::max();
    int found = 0;
    for (std::size_t j = order; j >= 1 && found < 2; --j) {
      double largest = 0.0, sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        largest = std::max({largest, std::abs(us_[j * n + i]), std::abs(xs_[j * n + i])});
        sum += us_[j * n + i] + xs_[j * n + i];
      }
      if (!std::isfinite(sum)) return std::numeric_limits<double>::quiet_NaN();
      if (!(largest > 0.0)) continue;
      h = std::min(h, std::pow(truncation / largest, 1.0 / static_cast<double>(j)));
      ++found;
    }
    for (std::size_t i = 0; i < n; ++i) {
      Node& node = nodes_[members_[i]];
      for (std::size_t j = 0; j <= order; ++j) {
        node.u[j] = us_[j * n + i];
        node.x[j] = xs_[j * n + i];
      }
    }
    return h;
  }

  /// When something happens next at one of the first n members, whose series reach h far.
  void look_ahead(std::size_t c, std::size_t n, double h) {
    Node& node = nodes_[c];
    node.event = false;
    double moved = 0.0;
    for (std::size_t k = 1; k <= series_order; ++k) moved += std::abs(node.u[k]) + std::abs(node.x[k]);
    if (moved == 0.0) {
      node.until = never;
      queue_.set(c, never);
      return;
    }
    h = std::min(h, node.longest);
    for (const auto& [b, w] : coupling_.row(c))
      if (place_[b] != nowhere && place_[b] >= n)
        h = std::min(h, nodes_[b].until - time_ + borrowed_share * nodes_[b].longest);
    node.until = time_ + h;
    double next = h;
    int pieces = 0;
    const bool loading = state_[c].normal == NormalMode::loading;
    const double turns = first_below(node.u, loading ? -1.0 : 1.0, h, -event_level, pieces);
    if (turns <= next) next = turns, node.event = true;
    if (state_[c].normal == NormalMode::unloading) {
      const double opens = first_below(node.x, 1.0, next, 0.0, pieces);
      if (opens <= next) next = opens, node.event = true;
    }
    work_.spend(search_work * pieces);
    queue_.set(c, time_ + std::max(next, std::min(h, shortest_piece)));
  }

  /// Samples up to time t.
  void tell_piece(double t) {
    if (log_.path == nullptr) return;
    log_.path->piece(time_, t, [&](double share, auto& contacts) { fill(contacts, time_ + share * (t - time_)); });
  }

  void fill(std::vector<SimultaneousSample::Contact>& contacts, double t) const {
    for (std::size_t c = 0; c < m_; ++c) {
      const double d = state_[c].closed() ? std::max(at(nodes_[c].x, c, t), 0.0) : 0.0;
      contacts[c] = {system_.spring(c).k * d, d, {0.0, 0.0}, state_[c].normal, TangentMode::none};
    }
  }

  const System<1>& system_;
  const Coupling& coupling_;
  Work& work_;
  Log& log_;
  std::size_t m_;
  double time_ = 0.0;
  std::size_t pressing_ = 0;
  std::vector<Node> nodes_;
  std::vector<ContactState> state_;
  EventQueue queue_;
  // The contacts looked at together: `place_` is a contact's place among the members.
  std::vector<std::size_t> members_, place_;
  std::vector<Reached> front_, next_front_;
  std::vector<double> impulse_now_, us_, xs_, forces_, rates_, stiffness_, d_now_;
  std::vector<Coupling::Entry> links_;
  std::vector<std::size_t> link_first_;
  std::vector<ContactState> modes_;
  System<1>::Vectors u_now_, force_now_;
  SettleSpace<1> space_{0};
};

}  // namespace

std::optional<Outcome> solve_local_series(const System<1>& system, Work& work, Log& log, double most_share) {
  const std::optional<Coupling> coupling = Coupling::of(system, most_entries);
  if (!coupling) return std::nullopt;
  const auto reached = static_cast<double>(coupling->reach(usual_reach));
  if (reached > most_share * static_cast<double>(system.size())) return std::nullopt;
  return LocalSeries(system, *coupling, work, log).run();
}

}  // namespace carom::simultaneous
