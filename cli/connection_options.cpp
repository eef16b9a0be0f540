#include "cli/connection_options.h"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "cli/values.h"
#include "core/units.h"

namespace spindle::cli {
namespace {

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

// Of the server on this machine; empty where none is found.
std::string local_socket() {
  if (const char* socket = environment("MYSQL_UNIX_PORT")) return socket;
  for (const char* socket : {"/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/tmp/mysql.sock"}) {
    if (std::filesystem::exists(socket)) return socket;
  }
  return {};
}

}  // namespace

ConnectionRequest::ConnectionRequest() {
  options.user = "sbtest";
  options.database = "sbtest";
  if (const char* host = environment("MYSQL_HOST")) options.host = host;
  if (const char* password = environment("MYSQL_PWD")) options.password = password;
  if (const char* port = environment("MYSQL_TCP_PORT")) {
    options.port = static_cast<std::uint16_t>(std::strtoul(port, nullptr, 10));
    port_given = options.port != 0;
  }
}

void add_connection(CLI::App& app, ConnectionRequest& request) {
  drivers::ConnectionOptions& options = request.options;
  app.add_option("--host", options.host, "Server's host")->capture_default_str();
  app.add_option("--port", options.port, "Server's port")
      ->check(CLI::Range(1, 65535))
      ->each([&request](const std::string&) { request.port_given = true; })
      ->capture_default_str();
  app.add_option("--socket", options.socket, "Server's Unix socket, instead of host and port")->type_name("PATH");
  app.add_option("--user", options.user, "User")->capture_default_str();
  app.add_option("--password", options.password, "Password; the environment variable MYSQL_PWD is safer")
      ->type_name("TEXT");
  app.add_option("--database", options.database, "Database; it must exist")->capture_default_str();
  app.add_option("--ssl-mode", request.ssl_mode,
                 "Whether the connection is encrypted: disabled, preferred, required, verify_ca or verify_identity")
      ->type_name("MODE")
      ->capture_default_str();
  add_name(app, "--prepared", request.prepared, {"server", "text"},
           "Server-side prepared statements, or text with the values in it");
  add_name(app, "--driver", request.driver, drivers::DriverRegistry::instance().names(), "Client library");
}

drivers::ConnectionOptions resolve(const ConnectionRequest& request) {
  drivers::ConnectionOptions options = request.options;
  options.ssl_mode = drivers::parse_ssl_mode(request.ssl_mode);
  options.prepared = request.prepared == "text" ? drivers::PreparedMode::text : drivers::PreparedMode::server;
  if (options.socket.empty() && options.host == "localhost" && !request.port_given) {
    options.socket = local_socket();
  }
  return options;
}

}  // namespace spindle::cli
