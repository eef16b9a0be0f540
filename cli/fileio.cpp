// spindle fileio prepare|run|cleanup TEST: the load of one file system, without a server.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <iostream>
#include <memory>

#include "cli/load_options.h"
#include "cli/subcommand.h"
#include "cli/values.h"
#include "compare/settings.h"
#include "core/device.h"
#include "core/units.h"
#include "fileio/engine.h"
#include "fileio/files.h"
#include "fileio/io_job.h"
#include "fileio/test.h"
#include "results/environment.h"

namespace spindle::cli {
namespace {

struct Request {
  RunRequest run;
  fileio::Options options;
  std::string directory = ".";
  std::uint64_t block_bytes = 16384;
  std::string sync_call = "fsync", sync_scope = "dirty";
  bool buffered = false, no_sync_at_end = false;
  std::string write_through = "none";
};

fileio::Options options_of(const Request& request) {
  fileio::Options options = request.options;
  options.directory = request.directory;
  options.block_bytes = static_cast<std::uint32_t>(request.block_bytes);
  options.sync_call = request.sync_call == "fdatasync" ? fileio::SyncCall::fdatasync : fileio::SyncCall::fsync;
  options.sync_scope = request.sync_scope == "all"       ? fileio::SyncScope::all
                       : request.sync_scope == "written" ? fileio::SyncScope::written
                                                         : fileio::SyncScope::dirty;
  options.sync_at_end = request.no_sync_at_end ? fileio::SyncAtEnd::no : fileio::SyncAtEnd::yes;
  options.caching = request.buffered ? fileio::Caching::buffered : fileio::Caching::direct;
  options.write_through = request.write_through == "sync"    ? fileio::WriteThrough::sync
                          : request.write_through == "dsync" ? fileio::WriteThrough::dsync
                                                             : fileio::WriteThrough::none;
  return options;
}

int prepare(const Request& request, const Context& context) {
  const fileio::Options options = options_of(request);
  for (const std::string& note : fileio::layout_notes(options)) spdlog::info("{}", note);
  const core::TimePoint begin = core::now();
  const fileio::PrepareReport report =
      fileio::prepare(options, context.stop, [&](std::uint64_t done, std::uint64_t total) {
        const double fraction = static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total, 1));
        const double elapsed = core::to_seconds(core::now() - begin);
        context.console.status("writing files", fraction,
                               fraction > 0 ? core::from_seconds(elapsed * (1 / fraction - 1)) : core::Nanoseconds(0));
      });
  context.console.clear_status();
  if (report.outcome == fileio::Prepared::reused) {
    std::cout << fmt::format("the files in {} are as asked already\n", options.directory.string());
    return kDone;
  }
  const double seconds = std::max(core::to_seconds(report.elapsed), 1e-6);
  std::cout << fmt::format(
      "wrote {} files, {} in all, in {} ({} MiB/s)\n", options.file_num, core::format_size(report.bytes_written),
      core::format_duration(report.elapsed),
      core::format_figure(static_cast<double>(report.bytes_written) / (1024.0 * 1024.0) / seconds));
  return kDone;
}

int run(const Request& request, const Context& context) {
  const fileio::Options options = options_of(request);
  const auto job = fileio::make_job(options);
  results::Result result;
  result.environment = results::current_environment("");
  results::Target& target = result.targets.emplace_back();
  target.label = "disk";
  target.location = request.directory;
  target.device = results::device_of(core::device_info(options.directory));
  result.options = compare::settings_of(options);
  result.options["test"] = options.test;
  result.options["file_total_size"] = fmt::format("{}", fileio::layout_of(options).total_bytes());
  result.options["seed"] = fmt::format("{}", options.seed);
  return run_and_report(*job, request.run, std::move(result),
                        {results::CellKind::fileio, options.test, request.run.load.threads}, context);
}

int cleanup(const Request& request, const Context&) {
  const fileio::CleanupReport report = fileio::cleanup(options_of(request));
  if (report.files_removed == 0) {
    std::cout << "there was nothing of spindle's to remove\n";
  } else {
    std::cout << fmt::format("removed {} files, {}\n", report.files_removed, core::format_size(report.bytes_removed));
  }
  return kDone;
}

void add_files(CLI::App& app, Request& request) {
  app.add_option("--dir", request.directory, "Directory of the files, on the disk to measure")
      ->type_name("DIR")
      ->capture_default_str();
  add_count(app, "--file-num", request.options.file_num, {1, 100'000}, "Number of files");
  add_size(app, "--file-total-size", request.options.total_bytes, "Size of all files together");
  add_size(app, "--file-block-size", request.block_bytes, "Size of a request", 1);
  add_count(app, "--seed", request.options.seed, {}, "Of contents and offsets");
  app.add_flag("--buffered", request.buffered,
               "Go through the page cache instead of O_DIRECT: memory may be what is measured");
}

void add_run_options(CLI::App& app, Request& request) {
  add_load(app, request.run);
  app.add_option("--file-rw-ratio", request.options.read_write_ratio, "Reads per write of rndrw")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  add_count(app, "--file-fsync-freq", request.options.sync_frequency, {},
            "Writes of a thread between two syncs; 0 means none");
  add_name(app, "--file-fsync-mode", request.sync_call, {"fsync", "fdatasync"}, "How a sync is done");
  add_name(app, "--file-fsync-scope", request.sync_scope, {"dirty", "written", "all"},
           "What it covers: files the thread wrote, the last one, or every file");
  app.add_flag("--no-file-fsync-end", request.no_sync_at_end, "No sync at the end of the run");
  add_name(app, "--file-write-through", request.write_through, {"none", "dsync", "sync"},
           "Open with O_DSYNC or O_SYNC");
  add_name(app, "--engine", request.options.engine, core::Registry<fileio::EnginePlugin>::instance().names(),
           "How requests reach the kernel");
}

using Command = int (*)(const Request&, const Context&);

CLI::App& add_command(CLI::App& fileio, Action& action, const std::shared_ptr<Request>& request,
                      const std::string& name, const std::string& help, Command command) {
  CLI::App* app = fileio.add_subcommand(name, help);
  add_files(*app, *request);
  app->callback([request, command, &action] {
    action = [request, command](const Context& context) { return command(*request, context); };
  });
  return *app;
}

void add_fileio(CLI::App& root, Action& action) {
  const auto request = std::make_shared<Request>();
  const std::vector<std::string> tests = core::Registry<fileio::TestPlugin>::instance().names();
  request->options.test = "rndrd";
  CLI::App* app = root.add_subcommand("fileio", "Load one file system, without a server");
  app->require_subcommand(1);
  add_command(*app, action, request, "prepare", "Write the files", prepare);
  CLI::App& run_app = add_command(*app, action, request, "run", "Run a test on prepared files", run);
  add_name(run_app, "test", request->options.test, tests, "What is done to the files")->required();
  add_run_options(run_app, *request);
  add_command(*app, action, request, "cleanup", "Remove the files that prepare wrote", cleanup);
}

const RegisterSubcommand kRegistered{"fileio", add_fileio};

}  // namespace
}  // namespace spindle::cli
