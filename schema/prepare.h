// Makes the tables of a data set and loads their rows in parallel.
#pragma once

#include <cstdint>
#include <functional>

#include "core/stop_request.h"
#include "drivers/driver.h"
#include "schema/table.h"

namespace spindle::schema {

struct LoadProgress {
  std::uint64_t rows_done = 0;
  std::uint64_t rows_total = 0;
};

// Called after each INSERT from any loading thread, also from several at once: it must be cheap.
using LoadCallback = std::function<void(const LoadProgress&)>;

// Creates the tables, loads them with `options.threads` connections and indexes them. The rows depend on the options'
// seed alone. Throws std::runtime_error when one of the tables exists (nothing was changed), core::Interrupted when a
// stop was requested, and what the server said otherwise; tables that this call made are dropped again before.
void prepare(const drivers::Driver& driver, const drivers::ConnectionOptions& connection, const SchemaOptions& options,
             const core::StopRequest& stop, const LoadCallback& on_progress = {});

}  // namespace spindle::schema
