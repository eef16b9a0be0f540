// One target made ready for measuring: its server, its tables, its files; and everything taken away again at the end.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compare/options.h"
#include "core/probe.h"
#include "core/stop_request.h"
#include "drivers/driver.h"
#include "fileio/files.h"
#include "results/result.h"
#include "server/server.h"

namespace spindle::compare {

// What is being prepared ("loading tables"), and how far it is, 0 to 1; negative where that is unknown.
using Preparing = std::function<void(const std::string& what, double fraction)>;

// Used from one thread, the one that lives until the end: a throwaway server dies with the thread that started it.
class Testbed {
 public:
  Testbed(const TargetSpec& target, const Options& options, const drivers::Driver& driver,
          const core::StopRequest& stop);
  ~Testbed();  // as tear_down(), but errors are logged

  // Starts the server, loads the tables, writes the files. Throws; what was made until then is removed with the
  // testbed.
  void prepare(const Preparing& preparing);

  // Runs one cell. A run that failed, or that a stop request ended, is returned as such, with what it measured.
  results::Run run(const results::Cell& cell, const std::function<void(const core::Window&)>& on_window);

  // After a failed run: starts a throwaway server again that died or hangs. False when it cannot be done; `error()`
  // then says why.
  bool recover();
  const std::string& error() const { return error_; }

  // Stops the server and removes server, tables and files, unless they are to be kept.
  void tear_down();

  const results::Target& description() const { return description_; }

 private:
  void start_server(const Preparing& preparing);
  void load_tables(const Preparing& preparing);
  void write_files(const Preparing& preparing);
  void describe_server();
  bool answers() const;  // a frozen server has a process, but no answer
  results::Run run_oltp(const results::Cell& cell, const core::Load& load,
                        const std::function<void(const core::Window&)>& on_window);
  results::Run run_fileio(const results::Cell& cell, const core::Load& load,
                          const std::function<void(const core::Window&)>& on_window);
  results::Run observed(core::Job& job, const core::Load& load,
                        const std::function<void(const core::Window&)>& on_window);
  fileio::Options file_options(const std::string& test) const;
  bool wants_oltp() const { return !options_.workloads.empty(); }
  bool wants_fileio() const { return !options_.fileio.empty() && target_.kind == TargetKind::directory; }

  const TargetSpec& target_;
  const Options& options_;
  const drivers::Driver& driver_;
  const core::StopRequest& stop_;
  std::unique_ptr<server::ThrowawayServer> server_;
  drivers::ConnectionOptions connection_;
  bool tables_made_ = false;
  std::optional<fileio::OpenManifest> files_;  // made, and locked against other spindles until they are removed
  results::Target description_;
  std::string error_;
};

}  // namespace spindle::compare
