// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/distribution.h"

#include "support/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Makes directories and files by a line of shell, in a new directory.
static char *site_make(const char *shell) {
  char *site = directory_create();
  struct command_result made = command_shell("cd '%s' && %s", site, shell);
  cr_assert_eq(made.exit_code, 0, "%s", made.errors);
  command_release(&made);
  return site;
}

#define ENTRIES(text) "printf '" text "' >a-1.dist-info/entry_points.txt"

static struct distributions read_path(const char *const *path, size_t count) {
  struct distributions list;
  mlirplug_error *error = NULL;
  mlirplug_status status = distributions_read(path, count, &list, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
  return list;
}

static struct distributions read_site(const char *site) {
  return read_path(&site, 1);
}

/// The directory is `below` the site; null expects none.
static void expect_entry(const struct distributions *list, size_t index,
                         const char *name, const char *version,
                         const char *site, const char *below) {
  cr_assert_lt(index, list->count);
  const struct distribution *found = &list->items[index];
  cr_expect_str_eq(found->name, name);
  cr_expect_str_eq(found->version, version);
  if (!below) {
    cr_expect_null(found->directory);
    return;
  }
  cr_assert_not_null(found->directory);
  cr_expect_eq(strncmp(found->directory, site, strlen(site)), 0);
  cr_expect_str_eq(found->directory + strlen(site), below);
}

Test(python_packages, are_named_as_their_metadata_say) {
  char *site = site_make("mkdir -p ex/plugins a-1.dist-info && " ENTRIES(
      "[mlirplug.plugins]\\nexample = ex.plugins\\n") " && printf "
                                                      "'Metadata-Version: "
                                                      "2.1\\nName: "
                                                      "the-example\\nVersion: "
                                                      "1.2\\n\\n"
                                                      "Version: 9\\n' "
                                                      ">a-1.dist-info/"
                                                      "METADATA");
  struct distributions list = read_site(site);
  cr_expect_eq(list.count, 1);
  expect_entry(&list, 0, "the-example", "1.2", site, "/ex/plugins");
  cr_expect_str_eq(list.items[0].module, "ex.plugins");
  cr_expect_str_eq(list.items[0].file + strlen(site),
                   "/a-1.dist-info/entry_points.txt");
  distributions_release(&list);
  free(site);
}

Test(python_packages, without_metadata_are_named_as_their_directory) {
  char *site = site_make("mkdir -p ex a-1.dist-info && " ENTRIES(
      "[mlirplug.plugins]\\nexample=ex\\n"));
  struct distributions list = read_site(site);
  cr_expect_eq(list.count, 1);
  expect_entry(&list, 0, "a", "", site, "/ex");
  distributions_release(&list);
  free(site);
}

Test(python_packages, of_the_old_form_count_too) {
  char *site = site_make(
      "mkdir -p ex b.egg-info && printf '[mlirplug.plugins]\\nb = ex' "
      ">b.egg-info/entry_points.txt && printf 'Name: b\\nVersion: 3' "
      ">b.egg-info/PKG-INFO");
  struct distributions list = read_site(site);
  cr_expect_eq(list.count, 1);
  expect_entry(&list, 0, "b", "3", site, "/ex");
  distributions_release(&list);
  free(site);
}

Test(python_packages, may_have_several_entries_and_other_groups) {
  char *site = site_make("mkdir -p ex/one ex/two a-1.dist-info && " ENTRIES(
      "; comment\\n[console_scripts]\\ntool = ex:main\\n\\n"
      "[ mlirplug.plugins ]\\r\\n# comment = ex\\n one =  ex.one [extra] \\n"
      "nothing\\n[other]\\nx = ex\\n[mlirplug.plugins]\\ntwo=ex.two"));
  struct distributions list = read_site(site);
  cr_expect_eq(list.count, 2);
  expect_entry(&list, 0, "a", "", site, "/ex/one");
  expect_entry(&list, 1, "a", "", site, "/ex/two");
  distributions_release(&list);
  free(site);
}

Test(python_packages, lead_nowhere_but_down) {
  char *site = site_make("mkdir -p ex a-1.dist-info && touch file && " ENTRIES(
      "[mlirplug.plugins]\\na = ../ex\\nb = /tmp\\nc = ex:plugins\\n"
      "d = .ex\\ne = ex.\\nf = ex..ex\\ng =\\nh = file\\ni = gone\\nj = "
      "ex/\\n"));
  struct distributions list = read_site(site);
  cr_expect_eq(list.count, 10);
  for (size_t i = 0; i < list.count; ++i)
    expect_entry(&list, i, "a", "", site, NULL);
  distributions_release(&list);
  free(site);
}

Test(python_packages, may_be_in_another_directory_than_their_metadata) {
  char *metadata = site_make("mkdir -p a-1.dist-info && " ENTRIES(
      "[mlirplug.plugins]\\nexample = ex.plugins\\n"));
  char *code = site_make("mkdir -p ex/plugins");
  const char *path[] = {metadata, "/no/such/directory", code};
  struct distributions list = read_path(path, 3);
  cr_expect_eq(list.count, 1);
  expect_entry(&list, 0, "a", "", code, "/ex/plugins");
  distributions_release(&list);
  free(metadata);
  free(code);
}

Test(python_packages, come_in_the_order_of_their_names) {
  char *site = site_make(
      "mkdir ex && for name in c-1 B-2 a-3; do mkdir $name.dist-info && "
      "printf '[mlirplug.plugins]\\nx = ex' "
      ">$name.dist-info/entry_points.txt; done");
  struct distributions list = read_site(site);
  cr_expect_eq(list.count, 3);
  expect_entry(&list, 0, "B", "", site, "/ex");
  expect_entry(&list, 1, "a", "", site, "/ex");
  expect_entry(&list, 2, "c", "", site, "/ex");
  distributions_release(&list);
  free(site);
}

Test(python_packages, that_are_odd_are_nothing, .timeout = 20) {
  char *site = site_make(
      "touch file.dist-info && mkdir empty.dist-info fifo.dist-info "
      "folder.dist-info folder.dist-info/entry_points.txt .dist-info && "
      "mkfifo fifo.dist-info/entry_points.txt && mkdir bytes.dist-info && "
      "head -c 3000000 /dev/zero >bytes.dist-info/entry_points.txt && "
      "printf '[mlirplug.plugins]\\nx = ex' >.dist-info/entry_points.txt");
  struct distributions list = read_site(site);
  cr_expect_eq(list.count, 0);
  distributions_release(&list);
  free(site);
}
