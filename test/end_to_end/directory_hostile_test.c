// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugin directories that were filled to do harm: nothing in them makes the
// command hang or crash, or hides the plugins that are all right.

#include "directory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

static void shell(const char *lines) {
  struct command_result result =
      command_shell("set -e; cd '%s'\n%s", directory, lines);
  expect_exit(&result, 0);
  command_release(&result);
}

static void socket_make(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  (void)snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", directory,
                 name);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  cr_assert(descriptor >= 0);
  cr_assert_eq(bind(descriptor, (struct sockaddr *)&address, sizeof address),
               0);
  close(descriptor);
}

/// Two good plugins, the first and the last, and between them everything else.
static void hostile_make(void) {
  directory = directory_create();
  shell("cp " ONE " '!first.so'\n"
        "cp " TWO " zlast.so\n"
        "mkfifo fifo.so\n"
        "mkdir directory.so && cp " ONE " directory.so/inner.so\n"
        "ln -s loop-a.so loop-b.so && ln -s loop-b.so loop-a.so\n"
        "ln -s self.so self.so\n"
        "ln -s /proc/self/mem memory.so\n"
        "ln -s /dev/zero zero.so\n"
        "ln -s . here.so\n"
        ": > empty.so\n"
        "truncate -s 1T sparse.so\n"
        "printf '\\177ELF' > magic.so\n"
        "for size in 1 63 64 100 1000 4096 8192; do\n"
        "  head -c $size " ONE " > cut-$size.so\n"
        "done\n"
        "echo x > unreadable.so && chmod 000 unreadable.so\n"
        "echo x > \"$(printf 'line\\nbreak.so')\"\n"
        "echo x > \"$(printf 'latin\\351.so')\"\n"
        "echo x > \"$(printf 'escape\\033[31m.so')\"\n"
        "echo x > ' %s%n .so'\n"
        "echo x > \"quo'te.so\"\n"
        "echo x > '\"; rm -rf x #.so'\n"
        "echo x > \"$(head -c 252 /dev/zero | tr '\\0' n).so\"\n");
  socket_make("socket.so");
  if (mknod(path_in(directory, "device.so"), S_IFCHR | 0600, makedev(1, 5)) ==
      0)
    shell("test -c device.so"); // only root makes one
}

TestSuite(a_hostile_directory, .init = hostile_make, .fini = directory_forget);

static json_t *list_read(const struct command_result *result) {
  expect_exit(result, 0);
  json_error_t error;
  json_t *list = json_loads(result->output, JSON_REJECT_DUPLICATES, &error);
  cr_assert(list, "no JSON: %s in\n%s", error.text, result->output);
  return list;
}

static bool has_path(const json_t *list, const char *key, const char *path) {
  size_t index;
  const json_t *entry;
  json_array_foreach(json_object_get(list, key), index, entry) {
    if (strcmp(json_string_value(json_object_get(entry, "path")), path) == 0)
      return true;
  }
  return false;
}

Test(a_hostile_directory, shows_the_good_and_refuses_the_rest) {
  struct command_result result =
      mlirplug_run("list", "--json", "--plugin-dir", directory);
  json_t *list = list_read(&result);
  cr_expect(has_path(list, "plugins", path_in(directory, "!first.so")));
  cr_expect(has_path(list, "plugins", path_in(directory, "zlast.so")));
  static const char *const refused[] = {
      "fifo.so",  "directory.so", "loop-a.so", "loop-b.so",      "self.so",
      "zero.so",  "here.so",      "empty.so",  "sparse.so",      "magic.so",
      "cut-1.so", "cut-4096.so",  "socket.so", "line\nbreak.so",
  };
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
    cr_expect(has_path(list, "refused", path_in(directory, refused[i])),
              "%s is not refused", refused[i]);
  size_t index;
  const json_t *entry;
  json_array_foreach(json_object_get(list, "refused"), index, entry) {
    cr_expect(*json_string_value(json_object_get(entry, "found")));
  }
  // The list has them, and need not warn of them.
  expect_text(result.errors, "");
  size_t count = json_array_size(json_object_get(list, "refused"));
  json_decref(list);
  command_release(&result);
  // Others warn: a line for each, whatever is in their names.
  result = mlirplug_run("opt", "--list-passes", "--plugin-dir", directory);
  cr_expect_eq(line_count(result.errors), count, "found:\n%s", result.errors);
  expect_lacks(result.errors, "\033");
  command_release(&result);
}

Test(a_hostile_directory, does_not_keep_a_good_plugin_from_running) {
  struct command_result result = mlirplug_run(
      "opt", "--plugin-dir", directory, "--dir-two", TWICE, "-o", "/dev/null");
  expect_exit(&result, 0);
  expect_contains(result.errors, "dir-two ran");
  command_release(&result);
}

Test(a_hostile_directory, gives_fifty_processes_the_same_list) {
  struct command_result result = mlirplug_shell(
      "out=$(mktemp -d) && cd $out && for i in $(seq 50); do "
      "$MLIRPLUG list --plugin-dir='%s' > $i.out 2> $i.err & done; wait; "
      "sha256sum *.out | cut -d' ' -f1 | sort | uniq -c; "
      "sha256sum *.err | cut -d' ' -f1 | sort | uniq -c; "
      "grep -c zlast.so 1.out; rm -r $out",
      directory);
  expect_exit(&result, 0);
  // Output, errors, and the number of lines about a good plugin.
  cr_expect_eq(line_count(result.output), 3, "%s", result.output);
  expect_contains(result.output, "50 ");
  expect_contains(strstr(result.output, "50 ") + 1, "50 ");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// A cache that many want at once
//===----------------------------------------------------------------------===//

/// Fifty processes that list the directory at the same time.
#define FIFTY_LISTS(directory)                                                 \
  "for i in $(seq 50); do $MLIRPLUG list --plugin-dir=" directory              \
  " > $i.out 2> /dev/null & done; wait; "                                      \
  "for i in $(seq 50); do cmp $i.out expected; done; "

Test(a_cold_cache, is_shared_by_fifty_processes, .fini = directory_forget) {
  directory = directory_create();
  // What was changed just now is not kept.
  shell("mkdir plugins && for i in $(seq -w 60); do cp " ONE
        " plugins/$i.so; done; sleep 3");
  struct command_result result = mlirplug_shell(
      "cd '%s' && export XDG_CACHE_HOME=$PWD/cache && "
      "$MLIRPLUG list --no-cache --plugin-dir=plugins > expected && "
      "test ! -e cache && " FIFTY_LISTS("plugins")
          FIFTY_LISTS("plugins") "ls -A cache/mlirplug | wc -l; "
                                 "$MLIRPLUG list --plugin-debug "
                                 "--plugin-dir=plugins 2>&1 > /dev/null | "
                                 "grep -c 'as it was in the cache'",
      directory);
  expect_exit(&result, 0);
  expect_text(result.output, "1\n60\n");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Files that come and go
//===----------------------------------------------------------------------===//

static void changing_make(void) {
  directory = directory_create();
  shell("cp " ONE " '!first.so' && cp " TWO " zlast.so");
}

TestSuite(a_changing_directory, .init = changing_make,
          .fini = directory_forget);

/// Changes the directory until the file "stop" is there, 20 s at most.
static const char changes[] =
    "i=0; end=$(($(date +%s) + 20))\n"
    "while [ ! -e stop ] && [ $(date +%s) -lt $end ]; do\n"
    "  i=$((i + 1))\n"
    "  cp " ONE " a$i.so; mv a$i.so b.so; cp " TWO " c.so\n"
    "  ln -sfn b.so m.so; ln -sfn /nowhere m.so; ln -sfn zlast.so m.so\n"
    "  mv c.so d.so; : > c.so; rm -f d.so b.so; mkdir e.so; rmdir e.so\n"
    "  mkfifo f.so; rm f.so\n"
    "done\n"
    "echo $i > rounds\n";

Test(a_changing_directory, always_shows_what_stays) {
  file_write(path_in(directory, "changes.sh"), changes, strlen(changes));
  struct command_result result = mlirplug_shell(
      "cd '%s' && { sh changes.sh & } && "
      "for i in $(seq 40); do $MLIRPLUG list --json --plugin-dir=. "
      "> list.$i 2> errors.$i || { echo list $i failed: $?; cat errors.$i; }; "
      "done; touch stop; wait; test $(cat rounds) -gt 0",
      directory);
  expect_silent_success(&result);
  expect_text(result.output, "");
  command_release(&result);
  for (int i = 1; i <= 40; ++i) {
    char *path = NULL;
    cr_assert(asprintf(&path, "%s/list.%d", directory, i) > 0);
    char *text = file_content(path);
    json_t *list = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_assert(list, "no JSON:\n%s", text);
    size_t stays = 0, index;
    const json_t *plugin;
    json_array_foreach(json_object_get(list, "plugins"), index, plugin) {
      const char *at = json_string_value(json_object_get(plugin, "path"));
      // What stays may be found by its other name.
      stays += strstr(at, "/!first.so") || strstr(at, "/zlast.so") ||
               strstr(at, "/m.so");
    }
    cr_expect(stays == 2, "list %d:\n%s", i, text);
    json_decref(list);
    free(text);
    free(path);
  }
}
