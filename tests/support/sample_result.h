// Synthetic results that look like real ones: latencies are log-normal, and threads = throughput x mean latency.
#pragma once

#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "core/random.h"
#include "results/result.h"

namespace spindle::testing {

using namespace std::chrono_literals;

// `count` log-normal latencies of that mean; the same arguments give the same histogram.
inline core::HistogramData log_normal(std::uint64_t count, double mean_ms, double sigma = 0.5) {
  constexpr std::uint64_t kPoints = 4000;
  core::Random random(7);
  std::map<std::uint32_t, std::uint64_t> buckets;
  core::HistogramData data;
  const std::uint64_t points = std::min(kPoints, count);
  for (std::uint64_t i = 0; i < points; ++i) {
    const double normal = std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
    const double ns = mean_ms * 1e6 * std::exp(sigma * normal - sigma * sigma / 2);
    const auto value = static_cast<std::uint64_t>(std::max(1.0, ns));
    const std::uint64_t weight = count / points + (i < count % points ? 1 : 0);
    buckets[core::HistogramLayout::index_of(value)] += weight;
    data.max_ns = std::max(data.max_ns, value);
  }
  for (const auto& [index, weight] : buckets) data.buckets.push_back({index, weight});
  data.count = count;
  data.sum_ns = static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * mean_ms * 1e6));
  return data;
}

inline core::JobSchema oltp_schema() {
  using enum core::OperationClass;
  return {{{"transaction", transaction, core::OperationRole::unit},
           {"begin", other, core::OperationRole::part},
           {"select", read, core::OperationRole::part},
           {"update", write, core::OperationRole::part},
           {"commit", other, core::OperationRole::part}},
          {"deadlock", "lock_wait_timeout", "reconnect"}};
}

inline core::JobSchema fileio_schema() {
  using enum core::OperationClass;
  return {{{"read", read, core::OperationRole::unit},
           {"write", write, core::OperationRole::unit},
           {"fsync", sync, core::OperationRole::part}},
          {}};
}

// The figures of one run; the mean latency follows from them.
struct SampleRun {
  std::size_t target = 0;
  results::Cell cell;
  std::uint32_t round = 1;
  double per_second = 100;
  double seconds = 60;
  std::uint64_t deadlocks = 0;
};

inline results::Run make_sample_run(const SampleRun& sample) {
  core::RunResult run;
  const auto count = static_cast<std::uint64_t>(std::llround(sample.per_second * sample.seconds));
  const double mean_ms = count == 0 ? 0 : sample.cell.threads * 1000.0 / sample.per_second;
  const bool oltp = sample.cell.kind == results::CellKind::oltp;
  run.schema = oltp ? oltp_schema() : fileio_schema();
  run.load.threads = sample.cell.threads;
  run.total.begin = 10s;
  run.total.end = run.total.begin + core::from_seconds(sample.seconds);
  run.total.threads = sample.cell.threads;
  core::Snapshot& data = run.total.data;
  data.operations.resize(run.schema.operations.size());
  data.counters.resize(run.schema.counters.size());
  data.accounts = {count, count, 0, 0};
  if (oltp) {
    data.operations[0].service = log_normal(count, mean_ms);
    data.operations[1].service = log_normal(count, mean_ms * 0.01);
    data.operations[2].service = log_normal(count * 14, mean_ms * 0.05);
    data.operations[3].service = log_normal(count * 4, mean_ms * 0.05);
    data.operations[4].service = log_normal(count, mean_ms * 0.09);
    data.operations[2].rows = count * 410;
    data.operations[3].errors = sample.deadlocks;
    data.counters[0] = sample.deadlocks;
  } else {
    data.operations[sample.cell.workload == "rndwr" ? 1 : 0].service = log_normal(count, mean_ms);
    data.operations[sample.cell.workload == "rndwr" ? 1 : 0].bytes = count * 16384;
  }
  run.accounts = data.accounts;
  run.client_cpu_seconds = 0.05 * sample.seconds;
  results::Run made = results::make_run(run);
  made.target = sample.target;
  made.cell = sample.cell;
  made.round = sample.round;
  return made;
}

// Appends the run, and gives it the next sequence number.
inline results::Run& add_run(results::Result& result, const SampleRun& sample) {
  results::Run& run = result.runs.emplace_back(make_sample_run(sample));
  run.sequence = static_cast<std::uint32_t>(result.runs.size());
  return run;
}

inline results::Target make_target(const std::string& label, const std::string& device, bool rotational) {
  results::Target target;
  target.label = label;
  target.location = "/mnt/" + label;
  target.device = {.name = device,
                   .model = rotational ? "SEAGATE ST600MP0006" : "SAMSUNG MZ7L31T9",
                   .filesystem = "ext4",
                   .mount_point = target.location,
                   .scheduler = "mq-deadline",
                   .write_cache = "write back",
                   .rotational = rotational,
                   .size_bytes = std::uint64_t{600} << 30,
                   .id = rotational ? "8:32" : "8:16",
                   .disks = {device}};
  target.server_version = "10.11.14-MariaDB";
  target.variables = {{"innodb_buffer_pool_size", "134217728"},
                      {"innodb_flush_log_at_trx_commit", "1"},
                      {"innodb_doublewrite", "ON"},
                      {"innodb_flush_method", "O_DIRECT"},
                      {"log_bin", "OFF"},
                      {"sync_binlog", "0"}};
  return target;
}

// Targets, environment and options of a comparison of ssd with sas, without runs.
inline results::Result make_frame() {
  results::Result result;
  result.command = "spindle compare ssd=/mnt/ssd sas=/mnt/sas";
  result.environment = {.spindle_version = "0.1.0",
                        .driver = "libmariadb 3.3.14",
                        .hostname = "db-lab-3",
                        .kernel = "6.1.0-27-amd64",
                        .cpu_model = "Intel(R) Xeon(R) Silver 4210 CPU @ 2.20GHz",
                        .cpus = 20,
                        .memory_bytes = std::uint64_t{64} << 30,
                        .started_at = "2026-02-03T09:15:00Z",
                        .finished_at = "2026-02-03T10:41:12Z"};
  result.options = {{"workloads", "read_only,read_write,status_mixed"},
                    {"tables", "4"},
                    {"table_size", "500000"},
                    {"status_rows", "10000"},
                    {"data_bytes", "1288490188"},
                    {"buffer_pool", "134217728"},
                    {"file_total_size", "1073741824"},
                    {"file_num", "8"},
                    {"file_block_size", "16384"},
                    {"file_fsync_freq", "100"},
                    {"file_caching", "direct"},
                    {"rounds", "4"},
                    {"time_s", "60"},
                    {"warmup_s", "10"},
                    {"threads", "1,16,64"},
                    {"seed", "1"},
                    {"keys", "uniform"}};
  result.targets = {make_target("ssd", "sdb", false), make_target("sas", "sdc", true)};
  return result;
}

// A whole comparison, four rounds in ABBA order: three OLTP workloads and three fileio tests at 1, 16 and 64 threads.
inline results::Result make_sample_result(std::uint32_t rounds = 4) {
  struct Line {
    results::Cell cell;
    double ssd, sas;
    std::uint64_t deadlocks;
  };
  using enum results::CellKind;
  const std::vector<Line> lines = {
      {{oltp, "read_only", 1}, 223, 10.4, 0},        {{oltp, "read_only", 16}, 1265, 48.7, 0},
      {{oltp, "read_only", 64}, 1911, 77.1, 0},      {{oltp, "read_write", 1}, 117, 5.9, 0},
      {{oltp, "read_write", 16}, 652, 26.7, 3},      {{oltp, "read_write", 64}, 803, 41.3, 27},
      {{oltp, "status_mixed", 1}, 88.2, 31.9, 0},    {{oltp, "status_mixed", 16}, 141, 58.5, 112},
      {{oltp, "status_mixed", 64}, 139, 60.2, 1480}, {{fileio, "rndrd", 1}, 7512, 178, 0},
      {{fileio, "rndrd", 16}, 48120, 655, 0},        {{fileio, "rndrd", 64}, 92750, 921, 0},
      {{fileio, "rndwr", 1}, 11250, 311, 0},         {{fileio, "rndwr", 16}, 39870, 388, 0},
      {{fileio, "rndwr", 64}, 41020, 402, 0},        {{fileio, "rndrw", 1}, 8021, 199, 0},
      {{fileio, "rndrw", 16}, 43110, 402, 0},        {{fileio, "rndrw", 64}, 61340, 511, 0}};
  const double noise[2][6] = {{1.012, 0.991, 1.004, 0.995, 1.007, 0.998}, {0.987, 1.009, 1.013, 0.992, 0.996, 1.001}};
  results::Result result = make_frame();
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    for (const Line& line : lines) {
      for (const std::size_t target : {(round + 1) % 2, round % 2}) {
        const double rate = (target == 0 ? line.ssd : line.sas) * noise[target][(round - 1) % 6];
        add_run(result, {.target = target,
                         .cell = line.cell,
                         .round = round,
                         .per_second = rate,
                         .deadlocks = target == 0 ? line.deadlocks : line.deadlocks / 4});
      }
    }
  }
  return result;
}

}  // namespace spindle::testing
