// What the user compares: LABEL=DIR (a throwaway server whose data live there) or LABEL=mysql://user@host:port/db.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drivers/driver.h"

namespace spindle::compare {

enum class TargetKind { directory, server };

struct TargetSpec {
  std::string label;
  TargetKind kind = TargetKind::directory;
  std::string directory;                                       // TargetKind::directory
  drivers::ConnectionOptions connection;                       // TargetKind::server
  std::vector<std::pair<std::string, std::string>> variables;  // --set LABEL:variable=value

  std::string location() const;  // the directory, or the server without the password
};

// Parses one target. A label is letters, digits, '.', '_' and '-'. Throws std::invalid_argument.
TargetSpec parse_target(std::string_view text);

// Parses mysql://[user[:password]@]host[:port][/database][?socket=PATH&ssl-mode=MODE]; %XX is decoded in each part.
drivers::ConnectionOptions parse_uri(std::string_view uri);

// The same text with every password in a mysql:// URI replaced by "***"; for what is printed and saved.
std::string without_password(std::string_view text);

// Adds "LABEL:variable=value" to the target of that label, the variable as the server spells it (with underscores).
// Throws std::invalid_argument, also for a variable that spindle sets itself.
void apply_setting(std::vector<TargetSpec>& targets, std::string_view text);

// Throws std::invalid_argument when there is no target, or a label is used twice.
void check_labels(const std::vector<TargetSpec>& targets);

}  // namespace spindle::compare
