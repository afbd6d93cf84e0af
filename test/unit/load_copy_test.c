// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "load/copy.h"

#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static mlirplug_error *error;

static struct file file_of(const char *path) {
  struct file file;
  cr_assert_eq(file_open(path, &file, &error), MLIRPLUG_OK);
  return file;
}

Test(copies_of_a_plugin, are_objects_of_their_own) {
  struct file file = file_of(MLIR_PLUGIN("state"));
  void *one = copy_load(&file, NULL, &error),
       *other = copy_load(&file, NULL, &error);
  file_close(&file);
  cr_assert_not_null(one);
  cr_assert_not_null(other);
  cr_expect_not_null(dlsym(one, "mlirplug_plugin"));
  cr_expect_neq(dlsym(one, "state_counts"), dlsym(other, "state_counts"));
}

Test(copies_of_a_plugin, run_its_constructors_again) {
  char *directory = directory_create(), *marker;
  cr_assert_gt(asprintf(&marker, "%s/marker", directory), 0);
  setenv("MLIRPLUG_TEST_MARKER", marker, 1);
  struct file file = file_of(MLIR_PLUGIN("load"));
  for (int i = 0; i < 2; ++i) {
    cr_assert_not_null(copy_load(&file, NULL, &error));
    cr_expect_eq(unlink(marker), 0);
  }
  file_close(&file);
  free(marker);
  free(directory);
}

Test(copies_of_a_plugin, that_cannot_be_made_are_refused_with_the_reason) {
  struct file file = file_of(MLIR_PLUGIN("state"));
  int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(next);
  struct rlimit limit = {.rlim_cur = (rlim_t)next, .rlim_max = (rlim_t)next};
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
  cr_assert_null(copy_load(&file, NULL, &error));
  cr_expect(strstr(error->message, MLIR_PLUGIN("state")), "%s", error->message);
  cr_expect(strstr(error->message, strerror(EMFILE)), "%s", error->message);
  cr_expect(strstr(error->message, "a process of its own"), "%s",
            error->message);
  mlirplug_error_destroy(error);
  file_close(&file);
}

Test(copies_of_a_plugin, of_a_file_that_got_shorter_are_refused) {
  struct file file = file_of(MLIR_PLUGIN("state"));
  file.identity.size += 1;
  cr_assert_null(copy_load(&file, NULL, &error));
  cr_expect(strstr(error->message, "shorter"), "%s", error->message);
  mlirplug_error_destroy(error);
  file_close(&file);
}
