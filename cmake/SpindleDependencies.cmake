# Everything comes from the distribution's packages; nothing is vendored or downloaded.
find_package(Threads REQUIRED)
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost 1.71 REQUIRED)

# The client library: MySQL's own (libmysqlclient) or MariaDB's (libmariadb), whichever is there. MySQL's comes first
# where both are, because it speaks every authentication method of a MySQL server.
set(SPINDLE_CLIENT_LIBRARY "auto" CACHE STRING "MySQL client library: auto, mysql, mariadb or none")
set_property(CACHE SPINDLE_CLIENT_LIBRARY PROPERTY STRINGS auto mysql mariadb none)
set(SPINDLE_MYSQL_TARGET "")
if(NOT SPINDLE_CLIENT_LIBRARY STREQUAL "none")
  find_package(PkgConfig REQUIRED)
  if(SPINDLE_CLIENT_LIBRARY MATCHES "^(auto|mysql)$")
    pkg_check_modules(MYSQLCLIENT IMPORTED_TARGET mysqlclient)
    # MariaDB's compatibility package installs a mysqlclient.pc of its own that names libmariadb.
    if(MYSQLCLIENT_FOUND AND NOT MYSQLCLIENT_LINK_LIBRARIES MATCHES "mariadb")
      set(SPINDLE_MYSQL_TARGET PkgConfig::MYSQLCLIENT)
    endif()
  endif()
  if(NOT SPINDLE_MYSQL_TARGET AND SPINDLE_CLIENT_LIBRARY MATCHES "^(auto|mariadb)$")
    pkg_check_modules(LIBMARIADB IMPORTED_TARGET libmariadb)
    if(LIBMARIADB_FOUND)
      set(SPINDLE_MYSQL_TARGET PkgConfig::LIBMARIADB)
    endif()
  endif()
  if(NOT SPINDLE_MYSQL_TARGET)
    message(FATAL_ERROR "No MySQL client library found (asked for: ${SPINDLE_CLIENT_LIBRARY}). "
      "Install libmysqlclient-dev or libmariadb-dev, or configure with -DSPINDLE_CLIENT_LIBRARY=none.")
  endif()
endif()
