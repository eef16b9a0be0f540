// The variables that a throwaway server runs with: spindle's own for an honest disk test, and the user's over them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/server.h"

namespace spindle::server {

using Variables = std::vector<std::pair<std::string, std::string>>;

// `--Innodb-Flush-Method` -> `innodb_flush_method`. Throws std::invalid_argument when it is no name, or names a
// variable that spindle must set itself (datadir, port, ...).
std::string normalise_variable(std::string_view name);

// Full durability, O_DIRECT, cold restarts, no performance schema. Redo is half the buffer pool, within 64 MiB and
// 1 GiB: a run of minutes then goes through checkpoints instead of leaving all page writes to later.
Variables merge_variables(const ServerBinary& binary, std::uint64_t buffer_pool_bytes, const Variables& users);

}  // namespace spindle::server
