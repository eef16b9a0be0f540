// A throwaway server as a child process on this machine.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <random>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "server/child_process.h"
#include "server/confinement.h"
#include "server/error_log.h"
#include "server/initialise.h"
#include "server/server.h"
#include "server/server_folder.h"
#include "server/server_variables.h"

namespace spindle::server {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kPoll{20};
constexpr seconds kDiscardLimit{5};  // for a clean stop of data that are removed next
constexpr seconds kKillLimit{60};    // for the kernel to end a killed process that waits for its disk
constexpr seconds kConnectTimeout{2};
constexpr std::size_t kLogLinesShown = 15;
constexpr int kPortAttempts = 5;

bool is_free(std::uint16_t port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return false;
  const int on = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool free = ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(descriptor);
  return free;
}

// Below the range from which the kernel takes the ports of outgoing connections: a stopped server finds its own again.
std::uint16_t pick_port() {
  std::random_device random;
  std::uniform_int_distribution<unsigned> ports(15'000, 30'000);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const auto port = static_cast<std::uint16_t>(ports(random));
    if (is_free(port)) return port;
  }
  throw std::runtime_error("cannot find a free port on 127.0.0.1 between 15000 and 30000");
}

std::string random_password() {
  constexpr std::string_view kLetters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letters(0, kLetters.size() - 1);
  std::string password;
  for (int i = 0; i < 24; ++i) password += kLetters[letters(random)];
  // Policies of validation plug-ins want every kind of character.
  return password + "aA1_";
}

// Where spindle is root, the server is not, unless its user cannot reach the directory or the binary.
std::optional<Identity> choose_identity(const ServerOptions& options, const fs::path& binary) {
  auto identity = server_identity();
  if (!identity) return std::nullopt;
  for (const fs::path& path : {options.directory, binary}) {
    std::error_code ignored;
    if (!fs::exists(path, ignored) || may_enter(*identity, path)) continue;
    spdlog::warn("server '{}' runs as root: the user '{}' may not enter '{}'", options.name, identity->name,
                 path.string());
    return std::nullopt;
  }
  return identity;
}

bool port_was_taken(const std::string& log) {
  return log.find("Bind on TCP/IP port") != std::string::npos ||
         log.find("Address already in use") != std::string::npos;
}

bool permission_was_denied(const std::string& log) {
  return log.find("Permission denied") != std::string::npos || log.find("rrcode: 13") != std::string::npos ||
         log.find("rrno: 13") != std::string::npos;
}

class LocalServer final : public ThrowawayServer {
 public:
  LocalServer(const ServerOptions& options, ServerBinary binary, const core::StopRequest& stop)
      : options_(options),
        binary_(std::move(binary)),
        stop_(stop),
        variables_(merge_variables(binary_, options.buffer_pool_bytes, options.variables)),
        identity_(choose_identity(options, binary_.path)),
        folder_(options.directory, options.name, options.keep, identity_),
        password_(random_password()) {}

  ~LocalServer() override {
    try {
      end(options_.keep == Keep::data ? options_.stop_timeout : kDiscardLimit);
      if (options_.keep == Keep::nothing) remove_folder(folder_.path());
    } catch (const std::exception& error) {
      spdlog::warn("server '{}': {}", options_.name, error.what());
    }
  }

  void start() override {
    if (running()) return;
    if (!initialised_) initialise();
    const bool port_is_fixed = port_ != 0;
    for (int attempt = 1;; ++attempt) {
      if (!port_is_fixed) port_ = pick_port();
      launch();
      if (await_ready()) return;
      // The child has ended.
      if (port_is_fixed || attempt == kPortAttempts || !port_was_taken(tail_of(folder_.log(), 100, log_begin_))) {
        throw failure(fmt::format("server '{}' did not start: {}", options_.name, child_->ending()));
      }
    }
  }

  void stop() override {
    if (!running()) return;
    if (!end(options_.stop_timeout)) {
      spdlog::warn("server '{}' did not stop within {} s and was killed", options_.name, options_.stop_timeout.count());
    }
  }

  bool running() override { return child_ && child_->running(); }

  drivers::ConnectionOptions connection() const override {
    drivers::ConnectionOptions connection;
    connection.host = "127.0.0.1";
    connection.port = port_;
    connection.socket = folder_.socket().string();
    connection.user = "root";
    connection.password = password_;
    return connection;
  }
  fs::path directory() const override { return folder_.path(); }
  fs::path data_directory() const override { return folder_.data(); }
  pid_t process_id() const override { return child_ && child_->running() ? child_->id() : 0; }
  std::string version() const override { return version_.empty() ? binary_.version : version_; }
  std::string error_log_tail(std::size_t lines) const override { return tail_of(folder_.log(), lines); }

 private:
  void initialise() {
    const InitialisePlan plan{binary_, folder_.data(), variables_, !identity_};
    mark_log();
    ChildProcess child(command(initialise_command(plan)));
    const auto end = std::chrono::steady_clock::now() + options_.initialise_timeout;
    while (!child.wait_for(kPoll)) {
      stop_.throw_if_requested();
      if (std::chrono::steady_clock::now() >= end) {
        throw failure(fmt::format("server '{}': making its data took longer than {} s", options_.name,
                                  options_.initialise_timeout.count()));
      }
    }
    if (!child.succeeded()) {
      throw failure(fmt::format("server '{}': making its data failed: {}", options_.name, child.ending()));
    }
    initialised_ = true;
  }

  void launch() {
    folder_.write_private(folder_.init_file(), account_statements(binary_.flavour, password_),
                          ServerFolder::Reader::server);
    folder_.write_private(
        folder_.path() / "client.cnf",
        fmt::format("[client]\nuser=root\npassword={}\nsocket={}\n", password_, folder_.socket().string()),
        ServerFolder::Reader::spindle);
    std::vector<std::string> arguments = {binary_.path.string(),
                                          "--no-defaults",
                                          "--datadir=" + folder_.data().string(),
                                          "--socket=" + folder_.socket().string(),
                                          "--pid-file=" + folder_.process_file().string(),
                                          "--init-file=" + folder_.init_file().string(),
                                          "--bind-address=127.0.0.1",
                                          fmt::format("--port={}", port_)};
    if (!identity_ && ::geteuid() == 0) arguments.emplace_back("--user=root");
    append_variables(arguments, variables_);
    mark_log();
    child_.emplace(command(std::move(arguments)));
  }

  // False when the child has ended. Throws when it does not become ready, or at the user's wish; it is ended then.
  bool await_ready() {
    const auto driver = drivers::make_driver(drivers::kDefaultDriver);
    drivers::ConnectionOptions connection = this->connection();
    connection.connect_timeout = kConnectTimeout;
    connection.read_timeout = kConnectTimeout;
    const auto end = std::chrono::steady_clock::now() + options_.start_timeout;
    std::string last_error = "no attempt was made";
    while (running()) {
      if (stop_.requested()) {
        this->end(kDiscardLimit);
        stop_.throw_if_requested();
      }
      try {
        const auto session = driver->connect(connection, &stop_);
        session->query("SELECT 1");
        version_ = session->server_version();
        return true;
      } catch (const drivers::DbError& error) {
        last_error = error.what();
      }
      if (std::chrono::steady_clock::now() >= end) {
        this->end(kDiscardLimit);
        throw failure(fmt::format("server '{}' was not ready within {} s: {}", options_.name,
                                  options_.start_timeout.count(), last_error));
      }
      std::this_thread::sleep_for(kPoll);
    }
    return false;
  }

  // True when the child ended by itself within the limit; it is killed otherwise. A stop request shortens the limit,
  // unless the data are wanted later.
  bool end(milliseconds limit) {
    if (!running()) return true;
    child_->signal(SIGTERM);
    const auto start = std::chrono::steady_clock::now();
    while (!child_->wait_for(kPoll)) {
      const bool discard = stop_.requested() && options_.keep == Keep::nothing;
      const milliseconds allowed = discard ? std::min<milliseconds>(limit, kDiscardLimit) : limit;
      if (std::chrono::steady_clock::now() - start < allowed) continue;
      child_->kill_group();
      if (!child_->wait_for(kKillLimit)) {
        throw std::runtime_error(fmt::format("its process {} does not end, though killed", child_->id()));
      }
      return false;
    }
    return true;
  }

  // The server and the programs that make its data take the directory for temporary files from TMPDIR: MariaDB's script
  // splits --tmpdir at blanks.
  Command command(std::vector<std::string> arguments) const {
    return {std::move(arguments), folder_.log(), folder_.path(), identity_, {"TMPDIR=" + folder_.temporary().string()}};
  }

  void mark_log() {
    std::error_code ignored;
    const auto size = fs::file_size(folder_.log(), ignored);
    log_begin_ = ignored ? 0 : size;
  }

  std::runtime_error failure(const std::string& what) const {
    const std::string log = failure_excerpt(folder_.log(), kLogLinesShown, log_begin_);
    std::string text = what;
    if (log.empty() || permission_was_denied(log)) {
      if (const auto hint = confinement_hint(binary_.path)) text += "; " + *hint;
    }
    return std::runtime_error(log.empty() ? text + "; its log is empty" : text + "; the end of its log:\n" + log);
  }

  const ServerOptions options_;
  const ServerBinary binary_;
  const core::StopRequest& stop_;
  const Variables variables_;
  const std::optional<Identity> identity_;
  ServerFolder folder_;
  const std::string password_;
  bool initialised_ = false;
  std::uint16_t port_ = 0;
  std::uintmax_t log_begin_ = 0;  // where the log of the current start begins
  std::string version_;
  mutable std::optional<ChildProcess> child_;
};

}  // namespace

std::unique_ptr<ThrowawayServer> make_local_server(const ServerOptions& options, const core::StopRequest& stop) {
  return std::make_unique<LocalServer>(options, find_server(options.binary), stop);
}

}  // namespace spindle::server
