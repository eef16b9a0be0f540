// What a workload is: a factory of clients, each of which runs transactions over one session.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/job.h"
#include "core/registry.h"
#include "drivers/driver.h"
#include "oltp/options.h"
#include "oltp/transaction.h"
#include "oltp/transaction_context.h"

namespace spindle::oltp {

struct StatementKind {
  std::string name;  // "point_select"
  core::OperationClass type = core::OperationClass::other;
};

enum class Access : std::uint8_t { reads, writes };

// Used by one thread.
class Client {
 public:
  virtual ~Client() = default;
  // Prepares the statements on a fresh session: at the start, and after each reconnect (what was in flight on the old
  // session may or may not have happened). Statements of older sessions are forgotten.
  virtual void bind(drivers::Session& session) = 0;
  // The next transaction. With the same random numbers it is the same one: that is how it is run again. Throws DbError
  // out of its body; the worker rolls back.
  virtual Transaction transaction(TransactionContext& context) = 0;
  // After the last transaction, outside the measured time: puts the data back as they were, where that is cheap.
  virtual void leave(drivers::Session&) {}
};

class Workload {
 public:
  virtual ~Workload() = default;
  virtual std::vector<StatementKind> statements() const = 0;
  virtual std::vector<std::string> table_kinds() const = 0;  // of schema/
  virtual Access access() const = 0;
  // For the worker of that index, counted from 0. From any thread; the workload outlives its clients.
  virtual std::unique_ptr<Client> make_client(std::uint32_t index) const = 0;
};

// Takes the options once. Throws std::invalid_argument that names the option where they make no sense.
using WorkloadFactory = std::function<std::unique_ptr<Workload>(const Options&)>;
using WorkloadRegistry = core::Registry<WorkloadFactory>;

// sysbench's "oltp_read_only" is called "read_only" here; other names are returned as they are.
std::string canonical_workload(std::string_view name);

// Throws std::invalid_argument that lists the workloads there are.
std::unique_ptr<Workload> make_workload(std::string_view name, const Options& options);

}  // namespace spindle::oltp
