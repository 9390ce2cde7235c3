// What happens next? A heap of predictions, some of them out of date: a body whose course changes gets a new stamp, and
// what was predicted with the old one is passed over when it comes up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "carom/motion/world.hpp"

namespace carom::world {

/// In the order of what comes first at one instant.
enum class EntryKind : std::uint8_t { home, search, state_end, spin_end, change, tick, fall, touch };

struct Entry {
  double time = 0.0;              ///< of the scene [s]
  double base = 0.0, span = 0.0;  ///< touch, search: time = base + span without the rounding of the sum
  std::size_t body = 0;           ///< change: its number in the tick
  std::size_t least =
      0;  ///< number that decides at one instant: of the body, or the least of the group it is struck in
  Partner partner;
  std::uint32_t stamp = 0, partner_stamp = 0;
  EntryKind kind = EntryKind::touch;
  bool over_pocket = false;  ///< search, fall: the partner is a pocket, not a plane
  bool ranked = false;       ///< `least` is that of the group

  friend bool operator<(const Entry& a, const Entry& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.least != b.least) return a.least < b.least;
    if (a.body != b.body) return a.body < b.body;
    if (a.partner.kind != b.partner.kind) return a.partner.kind < b.partner.kind;
    return a.partner.index < b.partner.index;
  }
};

class Queue {
public:
  bool empty() const { return heap_.empty(); }
  const Entry& first() const { return heap_.front(); }
  void push(const Entry& entry) {
    heap_.push_back(entry);
    if (!entry.ranked) heap_.back().least = entry.body;
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
  }
  void clear() { heap_.clear(); }

  /// Now and then, when what is out of date may be more than half: drops it.
  template <class Valid>
  void tidy(const Valid& valid) {
    if (heap_.size() < next_tidying_) return;
    heap_.erase(std::remove_if(heap_.begin(), heap_.end(), [&](const Entry& e) { return !valid(e); }), heap_.end());
    std::make_heap(heap_.begin(), heap_.end(), later);
    next_tidying_ = std::max<std::size_t>(2 * heap_.size(), 4096);
  }

private:
  static bool later(const Entry& a, const Entry& b) { return b < a; }
  std::vector<Entry> heap_;
  std::size_t next_tidying_ = 4096;
};

}  // namespace carom::world
