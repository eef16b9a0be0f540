# Sourced by the other scripts: installs missing Debian or Ubuntu packages, and says so; silent where all are there.
# shellcheck shell=bash

say() { printf '==> %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
is_available() { [ -n "$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: \([^(].*\)/\1/p')" ]; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "must be root to run: $* (sudo is not installed)"
  fi
}

apt_lists_are_fresh=no
refresh_apt_lists() {
  [ "$apt_lists_are_fresh" = no ] || return 0
  say "Refreshing the package lists"
  as_root apt-get update -qq
  apt_lists_are_fresh=yes
}

install_packages() {
  local missing=() package
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || die "apt-get is missing; on this system install by hand: ${missing[*]}"
  refresh_apt_lists
  say "Installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-remove --no-install-recommends "${missing[@]}" >/dev/null ||
    die "apt-get could not install: ${missing[*]}"
}

# Installs the first of the named packages that there is, unless one of them is installed.
install_one_of() {
  local package
  for package in "$@"; do ! is_installed "$package" || return 0; done
  refresh_apt_lists
  for package in "$@"; do
    if is_available "$package"; then install_packages "$package"; return 0; fi
  done
  die "none of these packages is available: $*"
}

# Installs a package that spindle can do without.
install_if_available() {
  ! is_installed "$1" || return 0
  refresh_apt_lists
  if is_available "$1"; then install_packages "$1"; else say "$1 is not to be had here, and left out"; fi
}

install_build_packages() {
  install_packages g++ cmake ninja-build pkg-config \
    libspdlog-dev libfmt-dev libcli11-dev nlohmann-json3-dev libboost-dev zlib1g-dev
  # MySQL's own client library where the distribution has it, else MariaDB's.
  if ! pkg-config --exists mysqlclient && ! pkg-config --exists libmariadb; then
    install_one_of libmysqlclient-dev libmariadb-dev
  fi
  # Connector/C++ with the classic interface, for a second driver; Ubuntu has none, and spindle does without.
  install_if_available libmysqlcppconn-dev
}

# An independent reader of HdrHistogram logs.
install_test_packages() {
  install_packages libgtest-dev
  install_if_available default-jre-headless
  install_if_available libhdrhistogram-java
}

# A server to throw away. The -core packages bring the program, but neither start a service nor make a database; MariaDB's
# mariadb-install-db needs my_print_defaults, which comes with the client.
install_server() {
  local binary found=no
  for binary in mysqld mariadbd; do
    if command -v "$binary" >/dev/null || [ -x "/usr/sbin/$binary" ]; then found=yes; fi
  done
  if [ "$found" = no ]; then
    install_one_of mariadb-server-core mysql-server-core-8.4 mysql-server-core-8.0 mariadb-server-core-10.6
  fi
  if [ -x /usr/sbin/mariadbd ] && ! command -v my_print_defaults >/dev/null; then
    install_one_of mariadb-client-core mariadb-client-core-10.6
  fi
}

# Both kinds of server, for the tests: the package of one, and MySQL from another suite where this one has none.
install_test_servers() {
  install_server
  # The packages of both conflict with each other, so an installed MySQL stays alone.
  [ -x /usr/sbin/mariadbd ] || say "There is no MariaDB server here: its tests are skipped"
  local version=
  if [ -z "${SPINDLE_TEST_MYSQL-}" ] && command -v mysqld >/dev/null; then version=$(mysqld --no-defaults --version); fi
  if [ -n "${SPINDLE_TEST_MYSQL-}" ] || { [ -n "$version" ] && [[ $version != *MariaDB* ]]; }; then return 0; fi
  if SPINDLE_TEST_MYSQL=$("$root/scripts/mysql-tree"); then
    export SPINDLE_TEST_MYSQL
  else
    unset SPINDLE_TEST_MYSQL
    say "There is no MySQL server here: its tests are skipped"
  fi
}
