// Runs a workload's transactions over database sessions: retries, reconnects, and the accounts of both.
//
// A deadlock, a lock wait timeout, a duplicate key or a changed record is counted, rolled back (a lock wait timeout
// undoes only its statement: a BEGIN without the ROLLBACK would commit half a transaction), and the same transaction is
// run again with the same keys. A lost connection fails the transaction and is replaced. Any other error ends the run.
#pragma once

#include <memory>
#include <string_view>

#include "core/job.h"
#include "drivers/driver.h"
#include "oltp/options.h"
#include "oltp/workload.h"

namespace spindle::oltp {

// Operations: "transaction" (the unit), "attempt", then the workload's statement kinds. Counters: the names of
// ErrorClass, "retry" (transactions begun again) and "reconnect". `driver` must outlive the job. Throws
// std::invalid_argument for options or a workload that make no sense; connects nowhere.
std::unique_ptr<core::Job> make_job(const Options& options, std::string_view workload, const drivers::Driver& driver,
                                    const drivers::ConnectionOptions& connection);

// Before a run: throws std::runtime_error with the cure when a table of the workload is missing, is not what it
// should be, or is smaller than the options say. Cheap whatever the size.
void require_tables(const Options& options, std::string_view workload, const drivers::Driver& driver,
                    const drivers::ConnectionOptions& connection);

}  // namespace spindle::oltp
