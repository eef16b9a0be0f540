// spindle oltp prepare|run|check|cleanup WORKLOAD: the load of one server.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <iostream>
#include <map>
#include <memory>
#include <mutex>

#include "cli/connection_options.h"
#include "cli/load_options.h"
#include "cli/oltp_options.h"
#include "cli/subcommand.h"
#include "cli/values.h"
#include "compare/server_facts.h"
#include "compare/settings.h"
#include "core/units.h"
#include "oltp/transaction_job.h"
#include "oltp/workload.h"
#include "results/environment.h"
#include "schema/check.h"
#include "schema/prepare.h"

namespace spindle::cli {
namespace {

struct Request {
  ConnectionRequest connection;
  RunRequest run;
  oltp::Options options;
  std::string workload;
  std::uint32_t load_threads = 4;
};

schema::SchemaOptions tables_of(const Request& request) {
  schema::SchemaOptions tables = oltp::schema_options(request.options, request.workload);
  tables.threads = request.load_threads;
  return tables;
}

int prepare(const Request& request, const Context& context) {
  const schema::SchemaOptions tables = tables_of(request);
  const auto driver = drivers::make_driver(request.connection.driver);
  std::mutex mutex;
  const core::TimePoint begin = core::now();
  schema::prepare(
      *driver, resolve(request.connection), tables, context.stop, [&](const schema::LoadProgress& progress) {
        const std::lock_guard lock(mutex);
        const double fraction = static_cast<double>(progress.rows_done) /
                                static_cast<double>(std::max<std::uint64_t>(progress.rows_total, 1));
        const core::Nanoseconds elapsed = core::now() - begin;
        const core::Nanoseconds left =
            fraction > 0 ? core::from_seconds(core::to_seconds(elapsed) * (1 / fraction - 1)) : core::Nanoseconds(0);
        context.console.status(
            fmt::format("loading, {} rows/s", core::format_figure(static_cast<double>(progress.rows_done) /
                                                                  std::max(core::to_seconds(elapsed), 1e-3))),
            fraction, left);
      });
  context.console.clear_status();
  for (const schema::TableDefinition& table : schema::define_tables(tables)) {
    std::cout << fmt::format("{}: {} rows\n", table.name, core::format_count(table.rows));
  }
  return kDone;
}

// Table -> rows, before and after the run.
class RowCounter final : public results::RunWatcher {
 public:
  RowCounter(const drivers::Driver& driver, const drivers::ConnectionOptions& connection,
             const schema::SchemaOptions& tables)
      : driver_(driver), connection_(connection), tables_(tables) {}
  void before() override { before_ = count(); }
  void after(results::Run& run) override {
    run.rows_before = std::move(before_);
    try {
      run.rows_after = count();
    } catch (const std::exception& error) {  // the server may be lost; what was measured stays
      spdlog::warn("cannot count the rows after the run: {}", error.what());
    }
  }

 private:
  std::map<std::string, std::uint64_t> count() const {
    return schema::count_rows(*schema::connect(driver_, connection_), tables_);
  }
  const drivers::Driver& driver_;
  const drivers::ConnectionOptions& connection_;
  const schema::SchemaOptions& tables_;
  std::map<std::string, std::uint64_t> before_;
};

int run(const Request& request, const Context& context) {
  const auto driver = drivers::make_driver(request.connection.driver);
  const drivers::ConnectionOptions connection = resolve(request.connection);
  const auto job = oltp::make_job(request.options, request.workload, *driver, connection);
  // The null driver answers everything and has no tables: a run on it measures spindle itself.
  if (request.connection.driver != "null") {
    oltp::require_tables(request.options, request.workload, *driver, connection);
  }

  results::Result result;
  result.environment = results::current_environment(driver->describe());
  results::Target& target = result.targets.emplace_back();
  target.label = "server";
  target.location = connection.describe();
  const auto session = schema::connect(*driver, connection);
  target.server_version = session->server_version();
  target.variables = compare::server_variables(*session);
  const schema::SchemaOptions tables = tables_of(request);
  result.options = compare::settings_of(request.options);
  result.options["workload"] = request.workload;
  result.options["data_bytes"] = fmt::format("{}", schema::data_bytes(tables));
  result.options["prepared"] = request.connection.prepared;
  result.options["driver"] = request.connection.driver;
  RowCounter rows(*driver, connection, tables);
  results::RunWatchers watchers;
  if (compare::counts_rows(tables)) watchers.push_back(&rows);
  return run_and_report(*job, request.run, std::move(result),
                        {results::CellKind::oltp, request.workload, request.run.load.threads}, context, watchers);
}

int check(const Request& request, const Context&) {
  const auto driver = drivers::make_driver(request.connection.driver);
  const auto session = schema::connect(*driver, resolve(request.connection));
  std::vector<std::string> notes;
  const std::vector<std::string> problems =
      schema::check(*session, tables_of(request), schema::CheckDepth::row_counts, &notes);
  for (const std::string& note : notes) std::cout << note << '\n';
  for (const std::string& problem : problems) std::cout << problem << '\n';
  if (problems.empty()) std::cout << "all tables are as they should be\n";
  return problems.empty() ? kDone : kFailed;
}

int cleanup(const Request& request, const Context&) {
  const auto driver = drivers::make_driver(request.connection.driver);
  const auto session = schema::connect(*driver, resolve(request.connection));
  const std::vector<std::string> dropped = schema::cleanup(*session, tables_of(request));
  for (const std::string& table : dropped) std::cout << fmt::format("dropped {}\n", table);
  if (dropped.empty()) std::cout << "there was nothing to drop\n";
  return kDone;
}

using Command = int (*)(const Request&, const Context&);

CLI::App& add_command(CLI::App& oltp, Action& action, const std::shared_ptr<Request>& request, const std::string& name,
                      const std::string& help, Command command) {
  CLI::App* app = oltp.add_subcommand(name, help);
  const std::vector<std::string> workloads = oltp::WorkloadRegistry::instance().names();
  app->add_option_function<std::string>(
         "workload",
         [request, workloads](const std::string& text) {
           request->workload = oltp::canonical_workload(text);
           check_name("workload", request->workload, workloads);
         },
         fmt::format("What is run, or what tables are for: {}; sysbench's names do too", fmt::join(workloads, ", ")))
      ->type_name("NAME")
      ->required();
  add_connection(*app, request->connection);
  add_tables(*app, request->options);
  app->callback([request, command, &action] {
    action = [request, command](const Context& context) { return command(*request, context); };
  });
  return *app;
}

void add_oltp(CLI::App& root, Action& action) {
  const auto request = std::make_shared<Request>();
  CLI::App* app = root.add_subcommand("oltp", "Load one MySQL or MariaDB server");
  app->require_subcommand(1);
  CLI::App& prepare_app = add_command(*app, action, request, "prepare", "Make and fill the tables", prepare);
  add_count(prepare_app, "--threads", request->load_threads, {1, 1000}, "Connections that load");
  CLI::App& run_app = add_command(*app, action, request, "run", "Run a workload on prepared tables", run);
  add_load(run_app, request->run);
  add_statements(run_app, request->options);
  add_command(*app, action, request, "check", "Check row counts and structure of the tables", check);
  add_command(*app, action, request, "cleanup", "Drop the tables that prepare made", cleanup);
}

const RegisterSubcommand kRegistered{"oltp", add_oltp};

}  // namespace
}  // namespace spindle::cli
