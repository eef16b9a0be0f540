// What compare asks a server for, beside the load: the variables that decide what was measured.
#pragma once

#include "drivers/driver.h"
#include "results/result.h"
#include "schema/table.h"

namespace spindle::compare {

// The variables worth a place in a result, as far as this server has them.
results::Settings server_variables(drivers::Session& session);

// Whether counting the rows of these tables is cheap enough to be done around every run: true for the small status
// table, whose rows come and go; the sbtest tables keep their rows, and counting them would read the whole data set.
bool counts_rows(const schema::SchemaOptions& tables);

// Tells a server whose data will be deleted not to flush them first. An error is only logged: the server may be
// dead already, and is stopped in any case.
void hurry_shutdown(const drivers::Driver& driver, const drivers::ConnectionOptions& connection) noexcept;

}  // namespace spindle::compare
