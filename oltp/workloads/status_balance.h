// Chooses status_mixed's statements so that the table neither drains nor grows, without anything shared between
// threads.
//
// Rows 1 .. N are ordinary rows. A DELETE by primary key that hits one makes a hole, which the same client remembers
// and fills by a later INSERT of that id. Other INSERTs make recent rows, with ids of the server's choice above N,
// which a DELETE WHERE time > n removes all at once, whichever client made them. A client keeps at most kLimit holes,
// and adds at most kLimit recent rows between two of its own DELETEs WHERE time > n; at a limit it runs the opposite
// statement. So with T clients, at any time: N - T * kLimit <= rows <= N + T * kLimit. Only an INSERT or DELETE whose
// connection was lost, or a run that was cut off, can leave a hole that nobody remembers.
//
// The share of recent rows among the INSERTs is the DELETE WHERE time > n's share among the DELETEs. Then each DELETE
// of either kind removes one row on average, and the limits are rarely met when INSERTs weigh as much as both.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "oltp/options.h"

namespace spindle::oltp {

enum class StatusKind : std::uint32_t {
  insert,
  update_by_id,
  update_by_match,
  delete_by_id,
  delete_by_time,
  select_by_time,
  select_by_id,
  select_by_match,
  select_by_uid
};
inline constexpr std::size_t kStatusKinds = 9;

using StatusShares = std::array<std::uint32_t, kStatusKinds>;
inline StatusShares shares(const StatusWeights& w) {
  return {w.insert,         w.update_by_id, w.update_by_match, w.delete_by_id, w.delete_by_time,
          w.select_by_time, w.select_by_id, w.select_by_match, w.select_by_uid};
}

class StatusBalance {
 public:
  static constexpr std::size_t kLimit = 16;

  struct Choice {
    StatusKind kind;
    std::int64_t hole = 0;  // INSERT: the id to fill, 0 for a recent row
  };

  explicit StatusBalance(const StatusWeights& weights)
      : shares_(shares(weights)), total_(std::accumulate(shares_.begin(), shares_.end(), std::uint64_t{0})) {
    holes_.reserve(kLimit);
  }

  // The same random numbers give the same choice until one of the calls below changes the balance.
  Choice choose(core::Random& random) const {
    const StatusKind kind = draw(random);
    if (kind == StatusKind::insert) return choose_insert(random);
    if (kind == StatusKind::delete_by_id && holes_.size() == kLimit) return {StatusKind::insert, holes_.front()};
    return {kind};
  }

  // What a statement did, once the server has said so.
  void deleted(std::int64_t id) { holes_.push_back(id); }
  void inserted(const Choice& choice) {
    if (choice.hole == 0) {
      ++recent_;
    } else {
      filling_ = 0;
      holes_.erase(holes_.begin());
    }
  }
  void deleted_recent() { recent_ = 0; }

  // Around the filling of a hole: if its connection is lost in between, the hole may be filled or not, and is
  // forgotten.
  void filling(const Choice& choice) { filling_ = choice.hole; }
  void connection_replaced() {
    if (filling_ != 0) holes_.erase(holes_.begin());
    filling_ = 0;
  }

  const std::vector<std::int64_t>& holes() const { return holes_; }
  void all_filled() { holes_.clear(); }

 private:
  std::uint32_t share(StatusKind kind) const { return shares_[static_cast<std::size_t>(kind)]; }

  StatusKind draw(core::Random& random) const {
    std::uint64_t drawn = random.below(total_);
    std::size_t kind = 0;
    while (drawn >= shares_[kind]) drawn -= shares_[kind++];
    return static_cast<StatusKind>(kind);
  }

  Choice choose_insert(core::Random& random) const {
    const std::uint64_t by_time = share(StatusKind::delete_by_time);
    const std::uint64_t by_id = share(StatusKind::delete_by_id);
    const bool recent = random.below(by_time + by_id) < by_time;
    if (!recent && !holes_.empty()) return {StatusKind::insert, holes_.front()};
    if (by_time > 0 && recent_ < kLimit) return {StatusKind::insert};
    return {recent || by_id == 0 ? StatusKind::delete_by_time : StatusKind::delete_by_id};
  }

  StatusShares shares_;
  std::uint64_t total_;
  std::vector<std::int64_t> holes_;  // oldest first, at most kLimit
  std::int64_t filling_ = 0;         // holes_.front() while its INSERT is under way
  std::size_t recent_ = 0;           // recent rows this client made since its last DELETE WHERE time > n
};

}  // namespace spindle::oltp
