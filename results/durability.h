// What a server does at a commit, from its variables: whether a committed transaction survives a power cut.
#pragma once

#include <string>
#include <vector>

#include "results/result.h"

namespace spindle::results {

// The variables that decide it; two servers that differ in one of them do different work for a commit.
inline constexpr const char* kDurabilityVariables[] = {"innodb_flush_log_at_trx_commit", "log_bin", "sync_binlog",
                                                       "innodb_doublewrite", "innodb_flush_method"};

// Each setting that makes a commit less durable, as "name=value: what that means". Empty: fully durable, as far as the
// known variables tell.
std::vector<std::string> relaxed_settings(const Settings& variables);

// "full", "relaxed (innodb_flush_log_at_trx_commit=2, ...)", or "unknown" where the decisive variable is not known.
std::string describe_durability(const Settings& variables);

// The value of a variable; empty where it is not known.
std::string variable(const Settings& variables, const std::string& name);

}  // namespace spindle::results
