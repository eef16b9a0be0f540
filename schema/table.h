// What a table of the data set is: its DDL, its structure for checks, and its rows as a pure function of seed and id.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/registry.h"

namespace spindle::schema {

// What the tables look like and how many rows they have. The field names are the option names.
struct SchemaOptions {
  std::vector<std::string> kinds = {"sbtest"};  // registered table kinds
  std::uint32_t tables = 1;                     // sbtest1 .. sbtestN
  std::uint64_t table_size = 10'000;            // rows of each of them
  std::uint64_t status_rows = 100'000;
  std::string charset = "cp1251";  // of the status table; empty means the server's default
  // Of sbtest1..N, with sysbench's names and meanings.
  bool auto_inc = true;          // ids are given by the server
  bool secondary = false;        // KEY xid (id) in place of the primary key
  bool create_secondary = true;  // index k_N on k, after the load
  std::string storage_engine = "innodb";
  std::string create_table_options;  // appended to CREATE TABLE
  std::uint64_t seed = 1;
  std::uint32_t threads = 4;  // that load
};

// A structure as comparable text: "k int", "id int auto_increment"; "PRIMARY (id)", "status (status) fulltext".
// Display widths of integers and defaults are left out, because servers disagree on how they print them.
struct Structure {
  std::vector<std::string> columns;  // in order
  std::vector<std::string> indexes;  // sorted
  bool operator==(const Structure&) const = default;
};

struct TableDefinition {
  std::string name;
  std::uint64_t rows = 0;              // ids 1 .. rows
  std::string create_sql;              // without the indexes that are made after the load
  std::vector<std::string> index_sql;  // what makes them
  std::string insert_sql;              // "INSERT INTO x (id, ...) VALUES ", before the rows
  Structure structure;                 // with all indexes
  // Structures that are dropped too, because sysbench or an interrupted load makes them: the columns are those of
  // `structure` (the auto-increment apart), and the indexes one of these.
  std::vector<std::vector<std::string>> also_known_indexes;
  std::uint64_t bytes_per_row = 0;  // on disk in InnoDB, with indexes; measured
  std::uint64_t bytes_fixed = 0;    // what an empty table takes
  // Appends the row as SQL: "(1,2,'x')". From any thread.
  std::function<void(std::uint64_t id, std::string& sql)> append_row;
};

// A plug-in: the tables of one kind for some options.
struct TableKind {
  std::function<std::vector<TableDefinition>(const SchemaOptions&)> define;
};
using TableKinds = core::Registry<TableKind>;

// The tables of all kinds that the options name. Throws std::invalid_argument that lists the kinds there are.
std::vector<TableDefinition> define_tables(const SchemaOptions& options);

// Estimated bytes on disk of all of them, for plans.
std::uint64_t data_bytes(const SchemaOptions& options);

}  // namespace spindle::schema
