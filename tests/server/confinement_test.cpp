#include "server/confinement.h"

#include <gtest/gtest.h>

#include "tests/server/scratch_directory.h"

namespace spindle::server {
namespace {

// A binary that does not exist here, so that it stands for itself.
const std::filesystem::path kBinary = "/nonexistent/sbin/mysqld";

TEST(Confinement, AnEnforcedProfileIsNamedWithItsCure) {
  const ScratchDirectory root;
  root.write("sys/kernel/security/apparmor/profiles", "/usr/bin/man (enforce)\n/nonexistent/sbin/mysqld (enforce)\n");
  const auto hint = confinement_hint(kBinary, root.path());
  ASSERT_TRUE(hint);
  EXPECT_NE(hint->find("sudo aa-complain /nonexistent/sbin/mysqld"), std::string::npos) << *hint;
  EXPECT_NE(hint->find("/etc/apparmor.d/nonexistent.sbin.mysqld"), std::string::npos) << *hint;
  EXPECT_NE(hint->find("--server-binary"), std::string::npos) << *hint;
}

TEST(Confinement, AProfileThatOnlyComplainsDoesNotConfine) {
  const ScratchDirectory root;
  root.write("sys/kernel/security/apparmor/profiles", "/nonexistent/sbin/mysqld (complain)\n");
  EXPECT_FALSE(confinement_hint(kBinary, root.path()));
}

TEST(Confinement, OtherProgramsProfilesDoNotMatter) {
  const ScratchDirectory root;
  root.write("sys/kernel/security/apparmor/profiles", "/usr/sbin/cupsd (enforce)\n");
  EXPECT_FALSE(confinement_hint(kBinary, root.path()));
}

TEST(Confinement, WhereTheKernelsListIsSecretTheProfilesFileTells) {
  const ScratchDirectory root;
  root.write("sys/module/apparmor/parameters/enabled", "Y\n");
  EXPECT_FALSE(confinement_hint(kBinary, root.path()));
  root.write("etc/apparmor.d/nonexistent.sbin.mysqld", "profile");
  EXPECT_TRUE(confinement_hint(kBinary, root.path()));
  root.write("etc/apparmor.d/disable/nonexistent.sbin.mysqld", "profile");
  EXPECT_FALSE(confinement_hint(kBinary, root.path()));
}

TEST(Confinement, WithoutAppArmorThereIsNone) {
  const ScratchDirectory root;
  EXPECT_FALSE(confinement_hint(kBinary, root.path()));
}

}  // namespace
}  // namespace spindle::server
