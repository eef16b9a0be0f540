#include "server/initialise.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace spindle::server {
namespace {

namespace fs = std::filesystem;

// Beside the binary (packages), or in the scripts folder of an unpacked archive.
fs::path find_install_script(const fs::path& binary) {
  std::error_code ignored;
  const fs::path base = fs::canonical(binary, ignored).parent_path().parent_path();
  for (const fs::path& directory : {base / "bin", base / "scripts", base / "sbin", fs::path("/usr/bin")}) {
    for (const char* name : {"mariadb-install-db", "mysql_install_db"}) {
      if (::access((directory / name).c_str(), X_OK) == 0) return directory / name;
    }
  }
  throw std::runtime_error(fmt::format(
      "cannot make a data directory: no mariadb-install-db beside '{}'; install the package mariadb-server-core",
      binary.string()));
}

std::vector<std::string> mariadb_command(const InitialisePlan& plan) {
  const fs::path script = find_install_script(plan.binary.path);
  std::vector<std::string> arguments = {script.string(), "--no-defaults"};
  const fs::path base = script.parent_path().parent_path();
  if (base != "/usr") arguments.push_back("--basedir=" + base.string());
  arguments.insert(arguments.end(), {"--datadir=" + plan.data.string(), "--auth-root-authentication-method=normal",
                                     "--skip-test-db", "--skip-name-resolve"});  // else it looks the host's name up
  return arguments;
}

}  // namespace

std::vector<std::string> initialise_command(const InitialisePlan& plan) {
  std::vector<std::string> arguments;
  if (plan.binary.flavour == Flavour::mariadb) {
    arguments = mariadb_command(plan);
  } else {
    arguments = {plan.binary.path.string(), "--no-defaults", "--initialize-insecure",
                 "--datadir=" + plan.data.string()};
  }
  if (plan.as_own_user && ::geteuid() == 0) arguments.emplace_back("--user=root");
  const bool by_script = plan.binary.flavour == Flavour::mariadb;
  for (const auto& variable : plan.variables) {
    // The script splits at blanks; no variable that matters to the files has any.
    if (by_script && variable.second.find_first_of(" \t") != std::string::npos) continue;
    append_variables(arguments, {variable});
  }
  return arguments;
}

void append_variables(std::vector<std::string>& arguments, const Variables& variables) {
  for (const auto& [name, value] : variables) arguments.push_back(fmt::format("--{}={}", name, value));
}

std::string account_statements(Flavour flavour, const std::string& password) {
  std::string sql;
  if (flavour == Flavour::mariadb) {
    sql += "DELETE FROM mysql.global_priv WHERE User = '' OR (User = 'root' AND Host <> 'localhost');\n";
    sql += "FLUSH PRIVILEGES;\n";
  }
  sql += fmt::format("ALTER USER 'root'@'localhost' IDENTIFIED BY '{}';\n", password);
  sql += fmt::format("CREATE USER IF NOT EXISTS 'root'@'127.0.0.1' IDENTIFIED BY '{}';\n", password);
  sql += "GRANT ALL PRIVILEGES ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;\n";
  return sql;
}

}  // namespace spindle::server
