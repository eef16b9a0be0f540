#include "report/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "core/units.h"
#include "report/text.h"
#include "results/aggregate.h"
#include "results/durability.h"
#include "results/settings.h"
#include "results/wording.h"

namespace spindle::report {
namespace {

using results::CellKind;
using results::Result;
using results::Settings;
using results::Target;

std::string option(const Result& result, const std::string& name) { return results::variable(result.options, name); }

// Appends with a comma in between, unless empty.
void append(std::string& text, const std::string& more, const char* separator = ", ") {
  if (more.empty()) return;
  if (!text.empty()) text += separator;
  text += more;
}

std::string describe_device(const results::Device& device) {
  if (device.name.empty()) return {};
  std::string inside = device.model;
  if (!device.scheduler.empty() || !device.write_cache.empty()) {
    append(inside, device.rotational ? "rotating" : "not rotating");
  }
  append(inside, device.write_cache.empty() ? "" : "write cache: " + device.write_cache);
  append(inside, device.scheduler.empty() ? "" : "scheduler: " + device.scheduler);
  std::string text = device.name;
  if (!inside.empty()) text += fmt::format(" ({})", inside);
  if (!device.filesystem.empty() && device.filesystem != device.name) text += ", " + device.filesystem;
  return text;
}

std::string describe_target(const Target& target) {
  std::string text = target.location;
  const std::string device = describe_device(target.device);
  if (!device.empty()) text += " on " + device;
  append(text, target.server_version, "; ");
  std::string settings;
  for (const auto& [name, value] : target.overrides) append(settings, name + "=" + value);
  append(text, settings.empty() ? "" : "set: " + settings, "; ");
  return text;
}

std::string describe_pool(std::uint64_t data, std::uint64_t pool) {
  if (pool == 0) return {};
  const std::string size = core::format_size(pool);
  if (data == 0) return "buffer pool " + size;
  return fmt::format("{}x the buffer pool of {}",
                     results::format_ratio(static_cast<double>(data) / static_cast<double>(pool)), size);
}

// The same statement about every target once, different ones with the labels in front.
std::string for_targets(const Result& result, const std::vector<std::string>& statements) {
  if (statements.empty()) return {};
  const bool same =
      std::all_of(statements.begin(), statements.end(), [&](const auto& s) { return s == statements[0]; });
  if (same) return statements[0];
  std::string text;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    append(text, fmt::format("{}: {}", result.targets[i].label, statements[i]), "; ");
  }
  return text;
}

std::string describe_data(const Result& result) {
  const std::uint64_t data = results::whole_number(result.options, "data_bytes");
  std::string text = data > 0 ? core::format_size(data) : "";
  const std::uint64_t tables = results::whole_number(result.options, "tables"),
                      rows = results::whole_number(result.options, "table_size");
  if (tables > 0 && rows > 0) {
    append(text, fmt::format("{} of {} rows", results::counted(tables, "table"), core::format_count(rows)), " in ");
  }
  const std::uint64_t status_rows = results::whole_number(result.options, "status_rows");
  if (status_rows > 0 && option(result, "workloads").find("status") != std::string::npos) {
    append(text, fmt::format("a status table of {} rows", core::format_count(status_rows)));
  }
  std::vector<std::string> pools;
  for (const Target& target : result.targets)
    pools.push_back(describe_pool(data, results::buffer_pool_bytes(result, target)));
  append(text, for_targets(result, pools));
  return text;
}

std::string describe_files(const Result& result) {
  const std::uint64_t total = results::whole_number(result.options, "file_total_size");
  const std::uint64_t count = results::whole_number(result.options, "file_num");
  const std::uint64_t block = results::whole_number(result.options, "file_block_size");
  std::string text = total > 0 ? core::format_size(total) : "";
  if (count > 0) append(text, results::counted(count, "file"), " in ");
  if (block > 0) append(text, fmt::format("blocks of {}", core::format_size(block)));
  const std::string caching = option(result, "file_caching");
  append(text, caching == "direct" ? "O_DIRECT" : caching == "buffered" ? "through the page cache" : caching);
  const std::uint64_t syncs = results::whole_number(result.options, "file_fsync_freq");
  if (syncs > 0) append(text, fmt::format("a sync after every {} of a thread", results::counted(syncs, "write")));
  return text;
}

std::string describe_durability(const Result& result) {
  std::vector<std::string> statements;
  for (const Target& target : result.targets) statements.push_back(results::describe_durability(target.variables));
  const std::string text = for_targets(result, statements);
  return text == "full" ? "full: every commit is flushed to the disk before it is acknowledged" : text;
}

std::string loop_of(const Result& result) {
  std::set<core::LoopKind> kinds;
  for (const results::Run& run : result.runs) kinds.insert(run.loop);
  if (kinds.empty()) return {};
  if (kinds.size() > 1) return "closed and open loops";
  return *kinds.begin() == core::LoopKind::closed ? "closed loop (each thread sends as soon as it has its answer)"
                                                  : "open loop (latency counts from the due time)";
}

std::string describe_load(const Result& result) {
  std::set<std::uint32_t> counts;
  for (const results::Run& run : result.runs) counts.insert(run.cell.threads);
  std::vector<std::string> threads;
  for (const std::uint32_t count : counts) threads.push_back(core::format_count(count));
  std::string text =
      threads.empty() ? "" : enumerate(threads) + (counts.size() == 1 && counts.count(1) ? " thread" : " threads");
  const std::string time = option(result, "time_s"), warmup = option(result, "warmup_s");
  if (!time.empty()) {
    append(text, time + " s each");
    if (!warmup.empty() && warmup != "0") text += fmt::format(" after {} s of warm-up", warmup);
  }
  const std::uint64_t rounds = results::whole_number(result.options, "rounds");
  if (rounds > 0) append(text, results::counted(rounds, "round"));
  append(text, loop_of(result));
  const std::string keys = option(result, "keys");
  if (!keys.empty()) append(text, keys + " keys");
  return text;
}

std::string describe_client(const Result& result) {
  const results::Environment& environment = result.environment;
  std::string text = environment.hostname;
  std::string cpus = environment.cpus > 0 ? results::counted(environment.cpus, "CPU") : "";
  if (!environment.cpu_model.empty()) append(cpus, fmt::format("({})", environment.cpu_model), " ");
  append(text, cpus, ": ");
  if (environment.memory_bytes > 0) append(text, core::format_size(environment.memory_bytes) + " RAM");
  append(text, environment.kernel.empty() ? "" : "kernel " + environment.kernel);
  append(text, environment.driver, "; ");
  return text;
}

std::string meaning_of(const std::string& test) {
  if (test == "rndrd") return "random reads";
  if (test == "rndwr") return "random writes";
  if (test == "rndrw") return "random reads and writes";
  if (test == "seqrd") return "sequential reads";
  if (test == "seqwr") return "sequential writes of new files";
  if (test == "seqrewr") return "sequential writes over existing files";
  return {};
}

bool has_kind(const Result& result, CellKind kind) { return !results::cells_of(result, kind).empty(); }

}  // namespace

std::string title_of(const Result& result) {
  std::string text;
  for (const Target& target : result.targets) append(text, target.label, " against ");
  return text;
}

Facts facts_of(const Result& result) {
  Facts facts;
  const auto add = [&](const std::string& name, const std::string& text) {
    if (!text.empty()) facts.emplace_back(name, text);
  };
  for (const Target& target : result.targets) {
    add(target.label, describe_target(target));
    for (const std::string& note : target.notes) add("", note);
  }
  const bool oltp = has_kind(result, CellKind::oltp);
  if (oltp) add("data", describe_data(result));
  if (oltp) add("durability", describe_durability(result));
  if (has_kind(result, CellKind::fileio)) add("files", describe_files(result));
  add("load", describe_load(result));
  add("client", describe_client(result));
  return facts;
}

std::string legend_of(const Result& result, CellKind kind) {
  std::string text;
  std::set<std::string> seen;
  for (const results::Cell& cell : results::cells_of(result, kind)) {
    const std::string meaning = kind == CellKind::fileio ? meaning_of(cell.workload) : "";
    if (!meaning.empty() && seen.insert(cell.workload).second) append(text, cell.workload + ": " + meaning, "; ");
  }
  return text;
}

}  // namespace spindle::report
