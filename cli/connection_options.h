// Where a server is and who logs in: the mysql client's option names and environment variables.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "drivers/driver.h"

namespace spindle::cli {

struct ConnectionRequest {
  drivers::ConnectionOptions options;
  bool port_given = false;
  std::string ssl_mode = "preferred";
  std::string prepared = "server";
  std::string driver{drivers::kDefaultDriver};
  ConnectionRequest();  // takes MYSQL_HOST, MYSQL_TCP_PORT, MYSQL_UNIX_PORT and MYSQL_PWD
};

void add_connection(CLI::App& app, ConnectionRequest& request);

// As the mysql client: the host "localhost" without a port means the server's Unix socket, where there is one.
drivers::ConnectionOptions resolve(const ConnectionRequest& request);

}  // namespace spindle::cli
