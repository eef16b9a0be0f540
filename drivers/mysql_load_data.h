// The bytes that a connection answers LOAD DATA LOCAL INFILE with: those of one statement, and never a file.
#pragma once

#include "drivers/mysql_api.h"

#ifdef SPINDLE_HAS_MYSQL

namespace spindle::drivers {

// Makes a connection refuse every request of the server for a file. Before connecting.
void refuse_files(MYSQL* mysql);

// Runs one statement and answers it from `source`; afterwards files are refused again. Throws DbError, or what `source`
// threw.
ExecuteOutcome load_from(MYSQL* mysql, std::string_view sql, const ByteSource& source);

}  // namespace spindle::drivers
#endif
