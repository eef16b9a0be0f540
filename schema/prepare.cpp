#include "schema/prepare.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/units.h"
#include "schema/check.h"

namespace spindle::schema {
namespace {

constexpr std::uint64_t kChunkRows = 10'000;           // one thread's portion
constexpr std::uint64_t kStatementBytes = 512 * 1024;  // of an INSERT, where max_allowed_packet permits
constexpr std::uint64_t kLongestRow = 1024;
constexpr std::chrono::milliseconds kStopPoll{50};

struct Chunk {
  std::size_t table;
  std::uint64_t first_id, last_id;
};

// Hands out the rows of all tables, table by table, and knows when a table is complete.
class Chunks {
 public:
  explicit Chunks(const std::vector<TableDefinition>& tables) {
    for (const TableDefinition& table : tables) rows_.push_back(table.rows);
    missing_ = rows_;
  }
  std::optional<Chunk> next() {
    const std::lock_guard lock(mutex_);
    while (table_ < rows_.size() && next_id_ > rows_[table_]) {
      ++table_;
      next_id_ = 1;
    }
    if (table_ == rows_.size()) return std::nullopt;
    const Chunk chunk{table_, next_id_, std::min(next_id_ + kChunkRows - 1, rows_[table_])};
    next_id_ = chunk.last_id + 1;
    return chunk;
  }
  // True for the chunk that completes its table.
  bool done(const Chunk& chunk) {
    const std::lock_guard lock(mutex_);
    return (missing_[chunk.table] -= chunk.last_id - chunk.first_id + 1) == 0;
  }

 private:
  std::mutex mutex_;
  std::vector<std::uint64_t> rows_, missing_;
  std::size_t table_ = 0;
  std::uint64_t next_id_ = 1;
};

// The threads that load, and how they end: all rows are in, one failed, or they were told to stop.
class Load {
 public:
  Load(const drivers::Driver& driver, const drivers::ConnectionOptions& connection,
       const std::vector<TableDefinition>& tables, std::uint64_t statement_bytes, const LoadCallback& on_progress)
      : driver_(driver),
        connection_(connection),
        tables_(tables),
        statement_bytes_(statement_bytes),
        on_progress_(on_progress),
        chunks_(tables) {
    for (const TableDefinition& table : tables) rows_total_ += table.rows;
  }

  // Returns when every thread has ended. Throws what the first of them threw, or core::Interrupted.
  void run(std::uint32_t threads, const core::StopRequest& stop) {
    std::vector<std::jthread> loaders;
    running_ = threads;
    for (std::uint32_t i = 0; i < threads; ++i) loaders.emplace_back([this] { load(); });
    {
      std::unique_lock lock(mutex_);
      while (running_ > 0 && !failure_ && !stop.requested()) ended_.wait_for(lock, kStopPoll);
    }
    if (failed() || stop.requested()) abandon();
    loaders.clear();  // joins
    stop.throw_if_requested();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Connection {
    drivers::Session* session;
    std::string id;  // the server's
  };

  bool failed() {
    const std::lock_guard lock(mutex_);
    return failure_ != nullptr;
  }

  void load() noexcept {
    std::unique_ptr<drivers::Session> session;
    try {
      session = connect(driver_, connection_, &abandoned_);
      const std::string id = session->query("SELECT CONNECTION_ID()").at(0).at(0);
      enter({session.get(), id});
      while (const std::optional<Chunk> chunk = abandoned_.requested() ? std::nullopt : chunks_.next()) {
        insert(*session, *chunk);
        if (!abandoned_.requested() && chunks_.done(*chunk)) finish(*session, tables_[chunk->table]);
      }
      leave(session.get(), nullptr);
    } catch (...) {
      leave(session.get(), std::current_exception());
    }
  }

  void insert(drivers::Session& session, const Chunk& chunk) {
    const TableDefinition& table = tables_[chunk.table];
    std::string sql;
    sql.reserve(statement_bytes_);
    for (std::uint64_t id = chunk.first_id; id <= chunk.last_id && !abandoned_.requested();) {
      const std::uint64_t first = id;
      sql = table.insert_sql;
      do {
        if (id > first) sql += ',';
        table.append_row(id++, sql);
      } while (id <= chunk.last_id && sql.size() + kLongestRow < statement_bytes_);
      session.run(sql);
      const std::uint64_t done = rows_done_.fetch_add(id - first, std::memory_order_relaxed) + id - first;
      if (on_progress_) on_progress_({done, rows_total_});
    }
  }

  // The statistics are made now: otherwise the server makes them during the first run.
  void finish(drivers::Session& session, const TableDefinition& table) {
    for (const std::string& sql : table.index_sql) session.run(sql);
    session.run("ANALYZE NO_WRITE_TO_BINLOG TABLE " + table.name);
  }

  void enter(Connection connection) {
    const std::lock_guard lock(mutex_);
    connections_.push_back(std::move(connection));
  }

  void leave(const drivers::Session* session, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    std::erase_if(connections_, [&](const Connection& connection) { return connection.session == session; });
    if (failure && !failure_ && !abandoned_.requested()) failure_ = std::move(failure);
    --running_;
    ended_.notify_all();
  }

  // Ends what the server still does for the loaders (building an index may take minutes), then their blocking calls.
  void abandon() {
    abandoned_.raise(SIGTERM);
    std::vector<std::string> ids;
    {
      const std::lock_guard lock(mutex_);
      for (const Connection& connection : connections_) ids.push_back(connection.id);
    }
    try {
      const auto session = ids.empty() ? nullptr : connect(driver_, connection_);
      for (const std::string& id : ids) kill(*session, id);
    } catch (const std::exception& error) {
      spdlog::warn("cannot end the loading statements on the server: {}", error.what());
    }
    const std::lock_guard lock(mutex_);
    for (const Connection& connection : connections_) connection.session->interrupt();
  }

  // Error 1094: the connection has ended by itself.
  static void kill(drivers::Session& session, const std::string& id) {
    try {
      session.run("KILL " + id);
    } catch (const drivers::DbError& error) {
      if (error.number() != 1094) throw;
    }
  }

  const drivers::Driver& driver_;
  const drivers::ConnectionOptions& connection_;
  const std::vector<TableDefinition>& tables_;
  const std::uint64_t statement_bytes_;
  const LoadCallback& on_progress_;
  Chunks chunks_;
  std::uint64_t rows_total_ = 0;
  std::atomic<std::uint64_t> rows_done_{0};
  core::StopRequest abandoned_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable ended_;
  std::vector<Connection> connections_;
  std::exception_ptr failure_;
  std::uint32_t running_ = 0;
};

void refuse_existing(drivers::Session& session, const std::vector<TableDefinition>& tables,
                     const drivers::ConnectionOptions& connection) {
  for (const TableDefinition& table : tables) {
    if (!read_structure(session, table.name)) continue;
    const std::string rows = session.query("SELECT COUNT(*) FROM " + table.name).at(0).at(0);
    throw std::runtime_error(fmt::format(
        "table '{}' exists in {} and has {} rows: nothing was changed; remove it with 'spindle oltp cleanup' "
        "first, or use another --database",
        table.name, connection.describe(), core::format_count(std::stoull(rows))));
  }
}

// Never throws: it runs while another error is on its way.
void drop(const drivers::Driver& driver, const drivers::ConnectionOptions& connection,
          const std::vector<std::string>& names) noexcept {
  try {
    const auto session = connect(driver, connection);
    session->run("SET SESSION lock_wait_timeout = 60");
    for (const std::string& name : names) session->run("DROP TABLE " + name);
  } catch (const std::exception& error) {
    spdlog::warn("cannot drop the unfinished tables: {}; remove them with 'spindle oltp cleanup'", error.what());
  }
}

}  // namespace

void prepare(const drivers::Driver& driver, const drivers::ConnectionOptions& connection, const SchemaOptions& options,
             const core::StopRequest& stop, const LoadCallback& on_progress) {
  const std::vector<TableDefinition> tables = define_tables(options);
  auto session = connect(driver, connection, &stop);
  refuse_existing(*session, tables, connection);
  const std::uint64_t packet = std::stoull(session->query("SELECT @@max_allowed_packet").at(0).at(0));
  std::vector<std::string> made;
  try {
    for (const TableDefinition& table : tables) {
      stop.throw_if_requested();
      session->run(table.create_sql);
      made.push_back(table.name);
    }
    session.reset();
    Load load(driver, connection, tables, std::min(kStatementBytes, packet - packet / 8), on_progress);
    load.run(std::max(options.threads, 1U), stop);
  } catch (...) {
    session.reset();
    if (!made.empty()) drop(driver, connection, made);
    throw;
  }
}

}  // namespace spindle::schema
