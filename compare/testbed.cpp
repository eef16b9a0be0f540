#include "compare/testbed.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

#include "compare/leftovers.h"
#include "compare/server_facts.h"
#include "core/device.h"
#include "fileio/files.h"
#include "fileio/io_job.h"
#include "oltp/transaction_job.h"
#include "results/environment.h"
#include "schema/check.h"
#include "schema/prepare.h"

namespace spindle::compare {
namespace {

constexpr const char* kDatabase = "sbtest";
constexpr std::chrono::seconds kAnswerTimeout{5};  // for SELECT 1, which waits for no disk
constexpr std::uint32_t kFewestConnections = 2048;

// What the probes see between the two ends of a run's measured time.
class Observation {
 public:
  explicit Observation(const core::ProbeContext& context) : probes_(core::make_probes(context)) {}
  void sample(core::MeasuredTime end) {
    std::vector<core::ProbeSample>& samples = end == core::MeasuredTime::begins ? begin_ : end_;
    for (const auto& probe : probes_) samples.push_back(probe->sample());
  }
  std::vector<results::Metric> metrics() const {
    std::vector<results::Metric> all;
    for (std::size_t i = 0; i < end_.size(); ++i) {
      const std::vector<core::Metric> some = probes_[i]->metrics(begin_[i], end_[i]);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

 private:
  std::vector<std::unique_ptr<core::Probe>> probes_;
  std::vector<core::ProbeSample> begin_, end_;
};

}  // namespace

Testbed::Testbed(const TargetSpec& target, const Options& options, const drivers::Driver& driver,
                 const core::StopRequest& stop)
    : target_(target), options_(options), driver_(driver), stop_(stop) {
  description_.label = target.label;
  description_.location = target.location();
  for (const auto& [variable, value] : target.variables) description_.overrides[variable] = value;
  if (target.kind == TargetKind::directory) {
    description_.device = results::device_of(core::device_info(target.directory));
    if (core::is_memory_filesystem(target.directory)) {
      description_.notes.push_back(fmt::format("{} is {}: files there live in memory, and O_DIRECT means nothing",
                                               target.directory, description_.device.filesystem));
    }
  } else {
    connection_ = target.connection;
    description_.notes.push_back("a server that exists: its disk was not measured by fileio");
  }
}

Testbed::~Testbed() {
  try {
    tear_down();
  } catch (const std::exception& error) {
    spdlog::error("target {}: {}", target_.label, error.what());
  }
}

void Testbed::prepare(const Preparing& preparing) {
  if (wants_oltp()) {
    if (target_.kind == TargetKind::directory) start_server(preparing);
    describe_server();
    load_tables(preparing);
  }
  if (wants_fileio()) write_files(preparing);
}

void Testbed::start_server(const Preparing& preparing) {
  preparing("starting a server", -1);
  server::ServerOptions options;
  options.directory = target_.directory;
  options.name = target_.label;
  options.buffer_pool_bytes = options_.buffer_pool_bytes;
  // The server's own connections and the user's come on top; what --set says follows, and so wins.
  const std::uint32_t connections = *std::max_element(options_.threads.begin(), options_.threads.end()) + 48;
  options.variables = {{"max_connections", fmt::format("{}", std::max(connections, kFewestConnections))}};
  options.variables.insert(options.variables.end(), target_.variables.begin(), target_.variables.end());
  options.binary = options_.server_binary;
  options.keep = options_.removal == Removal::keep ? server::Keep::data : server::Keep::nothing;
  server_ = server::make_local_server(options, stop_);
  server_->start();
  connection_ = server_->connection();
  driver_.connect(connection_)->run(fmt::format("CREATE DATABASE IF NOT EXISTS {}", kDatabase));
  connection_.database = kDatabase;
}

void Testbed::describe_server() {
  const auto session = schema::connect(driver_, connection_);
  description_.server_version = session->server_version();
  description_.variables = server_variables(*session);
}

void Testbed::load_tables(const Preparing& preparing) {
  preparing("loading tables", 0);
  schema::prepare(driver_, connection_, options_.schema(), stop_, [&](const schema::LoadProgress& progress) {
    if (progress.rows_total == 0) return;
    preparing("loading tables", static_cast<double>(progress.rows_done) / static_cast<double>(progress.rows_total));
  });
  tables_made_ = true;
}

void Testbed::write_files(const Preparing& preparing) {
  preparing("writing files", 0);
  const std::filesystem::path folder = file_options("").directory;
  fileio::open_manifest(folder, fileio::LockKind::exclusive);  // throws where another spindle uses them
  fileio::prepare(file_options(options_.fileio.front()), stop_, [&](std::uint64_t done, std::uint64_t total) {
    preparing("writing files", static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total, 1)));
  });
  files_ = fileio::open_manifest(folder, fileio::LockKind::shared);  // a prepare that fails removes what it made
}

fileio::Options Testbed::file_options(const std::string& test) const {
  fileio::Options options = options_.files;
  options.directory = files_folder(target_, options_.removal);
  options.test = test;
  options.seed = options_.oltp.seed;
  // A file system in memory has no device to reach; older kernels refuse O_DIRECT there.
  if (core::is_memory_filesystem(target_.directory)) options.caching = fileio::Caching::buffered;
  return options;
}

results::Run Testbed::run(const results::Cell& cell, const std::function<void(const core::Window&)>& on_window) {
  core::Load load;
  load.threads = cell.threads;
  load.duration = options_.time;
  load.warmup = options_.warmup;
  load.seed = options_.oltp.seed;
  results::Run run;
  try {
    run = cell.kind == results::CellKind::oltp ? run_oltp(cell, load, on_window) : run_fileio(cell, load, on_window);
  } catch (const core::Interrupted&) {
    run.end = "interrupted";
  } catch (const std::exception& error) {
    run.end = "failed";
    run.error = error.what();
  }
  run.cell = cell;
  if (server_ && !server_->running()) {
    run.end = "failed";
    run.error =
        fmt::format("the server of target {} has died{}{}", target_.label, run.error.empty() ? "" : ": ", run.error);
  }
  return run;
}

results::Run Testbed::run_oltp(const results::Cell& cell, const core::Load& load,
                               const std::function<void(const core::Window&)>& on_window) {
  const auto job = oltp::make_job(options_.oltp, cell.workload, driver_, connection_);
  const schema::SchemaOptions tables = oltp::schema_options(options_.oltp, cell.workload);
  const bool counted = counts_rows(tables);
  std::map<std::string, std::uint64_t> before;
  if (counted) before = schema::count_rows(*schema::connect(driver_, connection_), tables);
  results::Run run = observed(*job, load, on_window);
  run.rows_before = std::move(before);
  if (run.cut_off && run.end == "completed" && !answers()) {
    run.end = "failed";
    run.error = fmt::format("the server of target {} does not answer any more", target_.label);
    return run;
  }
  if (!counted || (server_ && !server_->running())) return run;
  try {
    run.rows_after = schema::count_rows(*schema::connect(driver_, connection_), tables);
  } catch (const std::exception& error) {  // what was measured stays
    if (run.error.empty()) run.error = fmt::format("cannot count the rows after the run: {}", error.what());
    run.end = "failed";
  }
  return run;
}

results::Run Testbed::run_fileio(const results::Cell& cell, const core::Load& load,
                                 const std::function<void(const core::Window&)>& on_window) {
  const auto job = fileio::make_job(file_options(cell.workload));
  return observed(*job, load, on_window);
}

results::Run Testbed::observed(core::Job& job, const core::Load& load,
                               const std::function<void(const core::Window&)>& on_window) {
  Observation observation({target_.directory, server_ ? server_->process_id() : 0});
  const auto observe = [&](core::MeasuredTime end) { observation.sample(end); };
  results::Run run = results::make_run(core::run(job, load, stop_, on_window, observe));
  run.metrics = observation.metrics();
  return run;
}

bool Testbed::answers() const {
  drivers::ConnectionOptions probe = connection_;
  probe.connect_timeout = probe.read_timeout = kAnswerTimeout;
  try {
    driver_.connect(probe, &stop_)->run("SELECT 1");
    return true;
  } catch (const drivers::DbError& error) {
    spdlog::debug("target {}: {}", target_.label, error.what());
    return false;
  }
}

bool Testbed::recover() {
  if (!wants_oltp()) return true;
  try {
    if (!server_) {
      if (!answers()) throw std::runtime_error("the server does not answer");
      return true;
    }
    if (server_->running() && answers()) return true;
    // A frozen server would not heed a request to stop; InnoDB recovers from a kill.
    if (const pid_t process = server_->process_id(); process > 0) ::kill(process, SIGKILL);
    server_->stop();
    server_->start();
    return true;
  } catch (const core::Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    error_ = error.what();
    return false;
  }
}

void Testbed::tear_down() {
  if (options_.removal == Removal::keep) {
    if (server_) spdlog::info("target {}: kept {}", target_.label, server_->directory().string());
    if (files_) spdlog::info("target {}: kept {}", target_.label, file_options("").directory.string());
    files_.reset();
    server_.reset();
    return;
  }
  if (std::exchange(tables_made_, false) && !server_) {  // a throwaway server takes its tables with it
    schema::cleanup(*schema::connect(driver_, connection_), options_.schema());
  }
  if (server_) {
    hurry_shutdown(driver_, connection_);
    server_.reset();
  }
  if (!files_) return;
  files_.reset();
  fileio::cleanup(file_options(""));
}

}  // namespace spindle::compare
