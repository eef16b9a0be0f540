// The statement groups that sysbench 1.0's OLTP tests are composed of. Keys are uniform by default, sysbench's are not.
#pragma once

#include <cstdint>
#include <memory>

#include "oltp/options.h"
#include "oltp/workload.h"

namespace spindle::oltp {

enum class Brackets : std::uint8_t { none, begin_commit };

// How often each group is run, in this order, and whether BEGIN and COMMIT enclose them.
struct Composition {
  Brackets brackets = Brackets::none;
  std::uint32_t point_selects = 0;
  std::uint32_t simple_ranges = 0;
  std::uint32_t sum_ranges = 0;
  std::uint32_t order_ranges = 0;
  std::uint32_t distinct_ranges = 0;
  std::uint32_t index_updates = 0;
  std::uint32_t non_index_updates = 0;
  std::uint32_t delete_inserts = 0;

  Composition& add_reads(const Options& options);
  Composition& add_writes(const Options& options);
};

// Begins a composition with the brackets that skip_trx leaves.
Composition composition(const Options& options);

std::unique_ptr<Workload> make_sysbench_workload(const Options& options, const Composition& composition);

}  // namespace spindle::oltp
