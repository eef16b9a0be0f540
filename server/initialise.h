// How the two flavours make a new data directory, and the accounts in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "server/server.h"
#include "server/server_variables.h"

namespace spindle::server {

struct InitialisePlan {
  const ServerBinary& binary;
  std::filesystem::path data;
  const Variables& variables;  // all of them: some (innodb_page_size) are fixed when the data are made
  bool as_own_user = false;    // the server runs as spindle's user, which may be root
};

// The program and its arguments. Throws std::runtime_error when MariaDB's installation script is not found.
std::vector<std::string> initialise_command(const InitialisePlan& plan);

void append_variables(std::vector<std::string>& arguments, const Variables& variables);

// SQL for the init file, one statement a line, run at every start before the first connection: root has this password
// over the socket and from 127.0.0.1, and there is no other account without one. Other users of the machine can reach
// the port.
std::string account_statements(Flavour flavour, const std::string& password);

}  // namespace spindle::server
