// Looks at tables that exist: are they there, whole, and spindle's; and removes those that are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "drivers/driver.h"
#include "schema/table.h"

namespace spindle::schema {

enum class CheckDepth : std::uint8_t {
  structure,  // existence, columns, indexes and the highest id: cheap whatever the size
  row_counts  // every table is read through as well
};

// One line a problem, with its cure; empty when all is well. `notes` gets what is worth saying and no problem: rows
// that runs have added.
std::vector<std::string> check(drivers::Session& session, const SchemaOptions& options, CheckDepth depth,
                               std::vector<std::string>* notes = nullptr);

// Drops the tables of the options that exist, and returns their names. Refuses (std::runtime_error, nothing is dropped)
// when one of them does not have the structure that spindle or sysbench gives it.
std::vector<std::string> cleanup(drivers::Session& session, const SchemaOptions& options);

// Table -> rows, counted by reading an index of each table through.
std::map<std::string, std::uint64_t> count_rows(drivers::Session& session, const SchemaOptions& options);

// What the server says a table looks like; nothing when there is no such table in the session's database. A view has
// the one column "view".
std::optional<Structure> read_structure(drivers::Session& session, const std::string& table);

// Connects, and turns the usual refusals (no database named, or it does not exist) into an error with the cure.
std::unique_ptr<drivers::Session> connect(const drivers::Driver& driver, const drivers::ConnectionOptions& options,
                                          const core::StopRequest* cancel = nullptr);

}  // namespace spindle::schema
