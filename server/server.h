// Throwaway servers: a MySQL or MariaDB whose data live in a new folder on the disk under test, and go away with it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/stop_request.h"
#include "drivers/driver.h"

namespace spindle::server {

enum class Keep : std::uint8_t { nothing, data };  // what is left when a server is destroyed

struct ServerOptions {
  std::filesystem::path directory;  // exists; the server's folder is made below it
  std::string name;                 // the target's label, for the folder's name and for messages
  std::uint64_t buffer_pool_bytes = std::uint64_t{128} << 20U;
  // Server variables that override spindle's own, as in --set: `innodb-flush-method` and `innodb_flush_method` alike.
  std::vector<std::pair<std::string, std::string>> variables;
  std::string binary;  // a server binary, its base directory, or a name to search; empty: search for any
  std::chrono::seconds initialise_timeout{300};
  std::chrono::seconds start_timeout{60};
  std::chrono::seconds stop_timeout{120};  // for a clean stop; then the server is killed
  Keep keep = Keep::nothing;
};

// All calls from one thread. That thread must outlive the server: the kernel stops a server whose starter thread is
// gone, so that a killed spindle leaves none behind.
class ThrowawayServer {
 public:
  virtual ~ThrowawayServer() = default;  // stops it, and removes all it made unless the data are to be kept

  // Initialises the data on first use, starts, and waits until a SELECT works. Throws std::runtime_error that ends with
  // the last lines of the server's log, or core::Interrupted. Does nothing when it runs already.
  virtual void start() = 0;
  // Stops it cleanly; the data stay, and start() finds them at the same port and socket. Never throws for a server that
  // is gone already.
  virtual void stop() = 0;
  virtual bool running() = 0;

  virtual drivers::ConnectionOptions connection() const = 0;  // as root, over the socket; host and port are set too
  virtual std::filesystem::path directory() const = 0;        // the folder that was made
  virtual std::filesystem::path data_directory() const = 0;
  virtual pid_t process_id() const = 0;  // 0 when it was not started or has ended
  virtual std::string version() const = 0;
  virtual std::string error_log_tail(std::size_t lines) const = 0;
};

enum class Flavour : std::uint8_t { mysql, mariadb };

struct ServerBinary {
  std::filesystem::path path;
  Flavour flavour = Flavour::mysql;
  std::string version;  // "10.11.6-MariaDB-0+deb12u1", "9.7.0"
};

// Searches PATH and the usual places; `binary` may be a path to a server, a base directory, or a name. Throws
// std::runtime_error that says where it looked and what to install.
ServerBinary find_server(const std::string& binary);

// Makes the folder (not yet the data: start() does). `stop` must outlive the server. Throws std::invalid_argument for a
// variable that spindle sets itself, std::runtime_error where the directory or the binary cannot be used.
std::unique_ptr<ThrowawayServer> make_local_server(const ServerOptions& options, const core::StopRequest& stop);

// Removes folders below `directory` that a spindle left which was killed, and first stops a server that still runs on
// one. Live ones, kept ones and those of other users are left alone. Returns what it removed.
std::vector<std::filesystem::path> remove_stale(const std::filesystem::path& directory);

}  // namespace spindle::server
