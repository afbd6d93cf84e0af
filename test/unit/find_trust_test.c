// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find_tree.h"

#include <fcntl.h>

TestSuite(trust, .init = tree_enter);

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

Test(trust, a_file_of_ones_own) {
  make_file("x.so");
  expect_trusted("x.so");
}

Test(trust, a_file_of_root_in_directories_of_root) {
  make_directory("lib");
  make_file("lib/x.so");
  owned_by("lib", 0);
  owned_by("lib/x.so", 0);
  owned_by(".", 0);
  expect_trusted("lib/x.so");
}

Test(trust, not_another_users_file) {
  make_file("x.so");
  owned_by("x.so", bob);
  mlirplug_error *error = check("x.so", TRUST_FOUND);
  cr_assert_not_null(error);
  expect_part(error->message, "cannot trust the plugin '%/x.so': ");
  expect_part(error->expected, "the owner root (0) or alice (1000)");
  expect_error(error,
               "the file '%/x.so' belongs to another user (owner bob (1001), "
               "group bob (1001), mode 0644)",
               "as root: chown 1000 '%/x.so'");
}

Test(trust, not_in_another_users_directory) {
  make_directory("lib");
  make_directory("lib/plugins");
  make_file("lib/plugins/x.so");
  owned_by("lib", bob);
  expect_refused("lib/plugins/x.so",
                 "the directory '%/lib' belongs to another user (owner bob "
                 "(1001), group bob (1001), mode 0755)",
                 "as root: chown 1000 '%/lib'");
}

Test(trust, root_does_not_run_users_files) {
  make_file("x.so");
  system_become(0);
  mlirplug_error *error = check("x.so", TRUST_NAMED);
  cr_assert_not_null(error);
  cr_expect_str_eq(error->expected, "the owner root (0)");
  cr_expect_eq(strncmp(error->remedy, "chown root '", 12), 0);
  expect_error(error, "belongs to another user (owner alice (1000)",
               "chown root '%/x.so'");
}

Test(trust, an_owner_without_a_name_is_a_number) {
  make_file("x.so");
  system_set_owner("x.so", 4711, 4712);
  expect_refused("x.so", "(owner 4711, group 4712, mode 0644)", "chown");
}

Test(trust, names_of_accounts_may_need_much_room) {
  make_file("x.so");
  system_set_account_size(100000);
  owned_by("x.so", bob);
  expect_refused("x.so", "(owner bob (1001), group bob (1001)", "chown");
}

//===----------------------------------------------------------------------===//
// Who may write
//===----------------------------------------------------------------------===//

Test(trust, not_a_file_that_everybody_may_write_to) {
  make_file("x.so");
  system_set_mode("x.so", 0666);
  owned_by("x.so", 0);
  mlirplug_error *error = check("x.so", TRUST_FOUND);
  cr_assert_not_null(error);
  expect_part(error->expected, "no write permission but for the owner");
  expect_error(error,
               "everybody may write to the file '%/x.so' (owner root (0), "
               "group root (0), mode 0666)",
               "chmod o-w '%/x.so'");
}

Test(trust, not_below_a_directory_that_everybody_may_write_to) {
  make_directory("lib");
  make_directory("lib/plugins");
  make_file("lib/plugins/x.so");
  system_set_owner("lib", alice, users);
  system_set_mode("lib", 0777);
  expect_refused("lib/plugins/x.so",
                 "everybody may write to the directory '%/lib' (owner alice "
                 "(1000), group users (100), mode 0777)",
                 "chmod go-w '%/lib'");
}

Test(trust, a_sticky_directory_that_holds_ones_own_file) {
  make_directory("tmp");
  make_file("tmp/x.so");
  system_set_owner("tmp", 0, users);
  system_set_mode("tmp", 01777);
  expect_trusted("tmp/x.so");
}

Test(trust, not_what_another_user_has_in_a_sticky_directory) {
  make_directory("tmp");
  make_directory("tmp/plugins");
  make_file("tmp/plugins/x.so");
  make_file("tmp/y.so");
  make_link("plugins/x.so", "tmp/z.so");
  system_set_mode("tmp", 01777);
  owned_by("tmp/plugins", bob);
  owned_by("tmp/y.so", bob);
  owned_by("tmp/z.so", bob);
  expect_refused("tmp/plugins/x.so", "the directory '%/tmp/plugins' belongs",
                 "chown 1000 '%/tmp/plugins'");
  expect_refused("tmp/y.so", "the file '%/tmp/y.so' belongs", "chown 1000");
  expect_refused("tmp/z.so", "the symbolic link '%/tmp/z.so' belongs",
                 "chown -h 1000 '%/tmp/z.so'");
}

Test(trust, not_another_users_sticky_directory) {
  make_directory("tmp");
  make_file("tmp/x.so");
  system_set_mode("tmp", 01777);
  owned_by("tmp", bob);
  expect_refused("tmp/x.so", "the directory '%/tmp' belongs", "chown 1000");
}

Test(trust, a_sticky_file_is_like_any_other) {
  make_file("x.so");
  system_set_mode("x.so", 01666);
  expect_refused("x.so", "everybody may write to the file", "chmod o-w");
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// A home as umask 002 makes it, whose files belong to `group`.
static void make_home(gid_t group) {
  make_directory("home");
  make_file("home/x.so");
  system_set_mode("home", 0775);
  system_set_mode("home/x.so", 0664);
  system_set_owner("home", alice, group);
  system_set_owner("home/x.so", alice, group);
}

Test(trust, the_owners_private_group_may_write) {
  make_home(alice);
  expect_trusted("home/x.so");
}

Test(trust, not_where_a_shared_group_may_write) {
  make_home(users);
  system_set_owner("home/x.so", alice, alice);
  expect_refused("home/x.so",
                 "users in its group may write to the directory '%/home' "
                 "(owner alice (1000), group users (100), mode 0775)",
                 "chmod g-w '%/home'");
}

Test(trust, a_group_with_another_member_is_shared) {
  make_home(4000);
  system_add_user(4000, "carol", 4000);
  system_add_group(4000, "carol", "bob");
  system_become(4000);
  system_set_owner("home", 4000, 4000);
  system_set_owner("home/x.so", 4000, 4000);
  owned_by(".", 0);
  expect_refused("home/x.so", "users in its group may write", "chmod g-w");
}

Test(trust, a_group_that_lists_only_its_owner_is_private) {
  make_home(4000);
  system_add_user(4000, "carol", 4000);
  system_add_group(4000, "carol", "carol");
  system_become(4000);
  system_set_owner("home", 4000, 4000);
  system_set_owner("home/x.so", 4000, 4000);
  owned_by(".", 0);
  expect_trusted("home/x.so");
}

Test(trust, a_primary_group_called_otherwise_is_shared) {
  // Where "users" is everybody's primary group, it lists no member.
  make_home(users);
  system_add_user(4000, "carol", users);
  system_become(4000);
  system_set_owner("home", 4000, users);
  system_set_owner("home/x.so", 4000, users);
  owned_by(".", 0);
  expect_refused("home/x.so", "users in its group may write", "chmod g-w");
}

Test(trust, a_group_called_like_the_owner_need_not_be_the_owners) {
  make_home(4000);
  system_add_user(4001, "carol", users);
  system_add_group(4000, "carol", NULL);
  system_become(4001);
  system_set_owner("home", 4001, 4000);
  system_set_owner("home/x.so", 4001, 4000);
  owned_by(".", 0);
  expect_refused("home/x.so", "users in its group may write", "chmod g-w");
}

Test(trust, a_group_that_is_not_known_is_shared) {
  make_home(4712);
  expect_refused("home/x.so", "group 4712, mode 0664", "chmod g-w");
}

Test(trust, not_where_an_access_list_lets_more_users_write) {
  make_home(alice);
  system_set_access_list("home");
  expect_refused("home/x.so",
                 "an access list may let more users write to the directory "
                 "'%/home' (owner alice (1000)",
                 "chmod g-w '%/home'");
}

//===----------------------------------------------------------------------===//
// Files that were named, directories, and the cure
//===----------------------------------------------------------------------===//

Test(trust, of_a_named_file_only_its_own_owner_and_mode_count) {
  make_directory("lib");
  make_file("lib/x.so");
  make_link("lib/x.so", "link.so");
  system_set_mode("lib", 0777);
  owned_by("lib", bob);
  owned_by("link.so", bob);
  cr_expect_null(check("lib/x.so", TRUST_NAMED));
  cr_expect_null(check("link.so", TRUST_NAMED));
  system_set_mode("lib/x.so", 0646);
  expect_error(check("lib/x.so", TRUST_NAMED), "everybody may write",
               "chmod o-w '%/lib/x.so'");
  owned_by("lib/x.so", bob);
  expect_error(check("link.so", TRUST_NAMED),
               "the file '%/link.so' belongs to another user",
               "chown 1000 '%/link.so'");
}

static mlirplug_error *check_directory(const char *name) {
  char path[2 * PATH_MAX];
  (void)snprintf(path, sizeof path, "%s%s%s", *name == '/' ? "" : tree(),
                 *name == '/' ? "" : "/", name);
  mlirplug_error *error = NULL;
  int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) // as if it was replaced since it was opened
    descriptor = open(tree(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  mlirplug_status status = trust_check_directory(path, descriptor, &error);
  close(descriptor);
  cr_assert_eq(status, error ? MLIRPLUG_FAILED : MLIRPLUG_OK);
  return error;
}

Test(trust, a_directory_by_the_same_rules) {
  make_directory("lib");
  make_directory("lib/plugins");
  make_link("lib/plugins", "link");
  make_link(".", "here");
  static const char *const good[] = {"lib/plugins",    "lib/plugins/",
                                     "lib//plugins/.", "lib/plugins/..",
                                     "link",           "link///",
                                     "here/here/lib",  "here",
                                     "link/../..",     "/"};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    mlirplug_error *error = check_directory(good[i]);
    cr_expect_null(error, "%s: %s", good[i], error ? error->message : "");
    mlirplug_error_destroy(error);
  }
  system_set_mode("lib", 0777);
  mlirplug_error *error = check_directory("link/");
  cr_assert_not_null(error);
  expect_part(error->message, "cannot trust the plugin directory '%/link/': ");
  expect_error(error, "everybody may write to the directory '%/lib'",
               "chmod o-w '%/lib'");
}

Test(trust, not_a_path_that_leads_to_another_directory_by_now) {
  make_directory("other");
  make_link("other", "link");
  char path[2 * PATH_MAX];
  (void)snprintf(path, sizeof path, "%s/link", tree());
  int descriptor = open(tree(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  mlirplug_error *error = NULL;
  cr_assert_eq(trust_check_directory(path, descriptor, &error),
               MLIRPLUG_FAILED);
  close(descriptor);
  expect_error(error, "which is not what was opened", "find out who changes ");
}

Test(trust, not_a_directory_that_is_gone_by_now) {
  expect_error(check_directory("nowhere"), "No such file or directory",
               "namei -l '%/nowhere");
}

Test(trust, not_a_directory_that_has_too_long_a_name) {
  char name[301] = {0};
  memset(name, 'x', 300);
  expect_error(check_directory(name), "File name too long", "namei -l '%/xxx");
}

Test(trust, what_the_message_says_cures_it) {
  // Real modes, and a name that a shell would fall for.
  static const char name[] = "it's $(touch fell).so";
  file_write(name, "content", 7);
  system_become(getuid());
  owned_by(".", getuid());
  cr_assert_eq(chmod(name, 0666), 0);
  mlirplug_error *error = check(name, TRUST_FOUND);
  cr_assert_not_null(error);
  struct command_result cured = command_shell("%s", error->remedy);
  cr_expect_eq(cured.exit_code, 0, "%s", cured.errors);
  expect_trusted(name);
  cr_expect_neq(access("fell", F_OK), 0);
  command_release(&cured);
  mlirplug_error_destroy(error);
}
