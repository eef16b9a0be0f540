// The statement groups that sysbench 1.0's OLTP tests are composed of. Keys are uniform by default, sysbench's are not.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "oltp/options.h"
#include "oltp/workload.h"

namespace spindle::oltp {

enum class Brackets : std::uint8_t { none, begin_commit };

// A run of statements of one kind on one table, drawn anew for each group.
enum class GroupKind : std::uint8_t {
  point_selects,
  simple_ranges,
  sum_ranges,
  order_ranges,
  distinct_ranges,
  index_updates,
  non_index_updates,
  delete_inserts,  // pairs: a row is deleted and inserted again under its id
  deletes,
  inserts,  // of new rows
  random_points,
  random_ranges
};

struct Group {
  GroupKind kind = GroupKind::point_selects;
  std::uint32_t count = 1;
};

// What a transaction does, in this order, and whether BEGIN and COMMIT enclose it.
struct Composition {
  Brackets brackets = Brackets::none;
  std::vector<Group> groups;

  Composition& add(GroupKind kind, std::uint32_t count);  // a count of 0 adds nothing
  Composition& add_reads(const Options& options);
  Composition& add_writes(const Options& options);
};

// Begins a composition with the brackets that skip_trx leaves.
Composition composition(const Options& options);
// One group without brackets.
Composition single(GroupKind kind, std::uint32_t count = 1);

std::unique_ptr<Workload> make_sysbench_workload(const Options& options, const Composition& composition);

}  // namespace spindle::oltp
