#include "compare/target.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace spindle::compare {
namespace {

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Target, DirectoryHasALabelAndAPath) {
  const TargetSpec target = parse_target("ssd=/mnt/ssd=1");
  EXPECT_EQ(target.label, "ssd");
  EXPECT_EQ(target.kind, TargetKind::directory);
  EXPECT_EQ(target.location(), "/mnt/ssd=1");
}

TEST(Target, UriIsAServerThatExists) {
  const TargetSpec target = parse_target("cloud=mysql://bench:s%40cret@db.example:3307/test");
  EXPECT_EQ(target.kind, TargetKind::server);
  EXPECT_EQ(target.connection.user, "bench");
  EXPECT_EQ(target.connection.password, "s@cret");
  EXPECT_EQ(target.connection.host, "db.example");
  EXPECT_EQ(target.connection.port, 3307);
  EXPECT_EQ(target.connection.database, "test");
}

TEST(Target, UriTakesSocketIpv6AndSslMode) {
  EXPECT_EQ(parse_uri("mysql://root@localhost/db?socket=/tmp/m%20y.sock").socket, "/tmp/m y.sock");
  EXPECT_EQ(parse_uri("mysql://root@[::1]:3310/db").host, "::1");
  EXPECT_EQ(parse_uri("mysql://root@[::1]:3310/db").port, 3310);
  EXPECT_EQ(parse_uri("mysql://h/db?ssl-mode=VERIFY-CA").ssl_mode, drivers::SslMode::verify_ca);
  EXPECT_EQ(parse_uri("mysql://h").database, "sbtest");
}

TEST(Target, WhatIsNoTargetIsRefusedWithTheForm) {
  EXPECT_NE(complaint([] { parse_target("/mnt/ssd"); }).find("LABEL=DIRECTORY"), std::string::npos);
  EXPECT_NE(complaint([] { parse_target("=/mnt/ssd"); }).find("not a label"), std::string::npos);
  EXPECT_NE(complaint([] { parse_target("a b=/mnt/ssd"); }).find("not a label"), std::string::npos);
  EXPECT_NE(complaint([] { parse_target("ssd="); }).find("names no directory"), std::string::npos);
  EXPECT_NE(complaint([] { parse_target("ssd=http://x"); }).find("only mysql://"), std::string::npos);
  EXPECT_NE(complaint([] { parse_target("s=mysql://h:port/db"); }).find("not a port"), std::string::npos);
  EXPECT_NE(complaint([] { parse_target("s=mysql://u%4@h/db"); }).find("hexadecimal"), std::string::npos);
  EXPECT_NE(complaint([] { parse_target("s=mysql://h/db?tls=1"); }).find("unknown parameter 'tls'"), std::string::npos);
}

TEST(Target, PasswordNeverShows) {
  EXPECT_EQ(without_password("x=mysql://u:secret@h/db"), "x=mysql://u:***@h/db");
  EXPECT_EQ(without_password("x=mysql://u:a@b/c?d@h/db"), "x=mysql://u:***@h/db");
  EXPECT_EQ(without_password("x=mysql://u@h/db"), "x=mysql://u@h/db");
  EXPECT_EQ(without_password("ssd=/mnt/ssd"), "ssd=/mnt/ssd");
  EXPECT_EQ(parse_target("s=mysql://u:secret@h/db").location().find("secret"), std::string::npos);
  EXPECT_EQ(complaint([] { parse_target("mysql://u:secret@h/db"); }).find("secret"), std::string::npos);
}

TEST(Target, SettingsBelongToOneTarget) {
  std::vector<TargetSpec> targets = {parse_target("a=/x"), parse_target("b=/y")};
  apply_setting(targets, "b:innodb_io_capacity=200");
  EXPECT_TRUE(targets[0].variables.empty());
  EXPECT_EQ(targets[1].variables, (std::vector<std::pair<std::string, std::string>>{{"innodb_io_capacity", "200"}}));
}

TEST(Target, SettingsAreSpelledAsTheServerDoes) {
  std::vector<TargetSpec> targets = {parse_target("a=/x")};
  apply_setting(targets, "a:Innodb-IO-Capacity=200");
  EXPECT_EQ(targets[0].variables[0].first, "innodb_io_capacity");
}

TEST(Target, SettingsThatCannotApplyAreRefused) {
  std::vector<TargetSpec> targets = {parse_target("a=/x"), parse_target("s=mysql://h/db")};
  EXPECT_NE(complaint([&] { apply_setting(targets, "c:x=1"); }).find("no target 'c'"), std::string::npos);
  EXPECT_NE(complaint([&] { apply_setting(targets, "a:x"); }).find("LABEL:variable=value"), std::string::npos);
  EXPECT_NE(complaint([&] { apply_setting(targets, "s:x=1"); }).find("server that exists"), std::string::npos);
  EXPECT_NE(complaint([&] { apply_setting(targets, "a:datadir=/z"); }).find("sets it itself"), std::string::npos);
}

TEST(Target, LabelUsedTwiceIsRefused) {
  EXPECT_NE(complaint([] {
              check_labels({parse_target("a=/x"), parse_target("a=/y")});
            }).find("used twice"),
            std::string::npos);
  EXPECT_NE(complaint([] { check_labels({}); }).find("no target"), std::string::npos);
}

}  // namespace
}  // namespace spindle::compare
