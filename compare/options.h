// Everything a comparison is asked to do. Filled once by the command line, then const.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/target.h"
#include "core/clock.h"
#include "fileio/options.h"
#include "oltp/options.h"
#include "results/result.h"

namespace spindle::compare {

enum class Removal { remove, keep };

struct Options {
  Options();  // the defaults: data several times the buffer pool, so that the disk is measured

  std::vector<TargetSpec> targets;

  std::vector<std::string> workloads = {"read_only", "read_write", "status_mixed"};
  std::vector<std::string> fileio = {"rndrd", "rndwr", "rndrw"};
  std::vector<std::uint32_t> threads = {1, 16, 64};
  core::Nanoseconds time = std::chrono::seconds(10);   // measured, per cell
  core::Nanoseconds warmup = std::chrono::seconds(2);  // before it, per cell
  std::uint32_t rounds = 4;                            // an even number, so that a drift hits every target alike

  oltp::Options oltp;  // the tables and the statements; the seed of everything
  std::uint64_t buffer_pool_bytes = 128ULL << 20;
  std::uint32_t load_threads = 4;
  fileio::Options files;  // the test files of each directory; its directory and test are set per target and cell

  std::string server_binary;  // empty: searched
  std::string driver = std::string(drivers::kDefaultDriver);
  std::string output_directory = "spindle-results";
  Removal removal = Removal::remove;
  std::string command;  // as typed, without secrets

  // The tables that the workloads need.
  schema::SchemaOptions schema() const;
};

// The preset behind --quick: every cell, but short and on a small data set. Options given beside it win.
void make_quick(Options& options);

}  // namespace spindle::compare
