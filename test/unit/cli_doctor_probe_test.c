// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/doctor_probe.h"

#include "support/command.h"
#include "support/system.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define BAD(name) MLIRPLUG_BUILD_DIRECTORY "/test/plugins/bad/" name ".so"

TestSuite(doctor_probe, .timeout = 60);

static void expect_failure(const char *path, const char *found,
                           const char *remedy) {
  const struct doctor_provider provider = {.name = path};
  struct doctor_probe_failure failure = {0};
  cr_assert_not(doctor_provider_probe(&provider, 1, &failure));
  cr_assert(failure.found && strstr(failure.found, found), "%s", failure.found);
  cr_expect(strstr(failure.remedy, remedy), "%s", failure.remedy);
  free(failure.found);
  cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1, "a child is left");
}

Test(doctor_probe, waits_no_longer_than_told) {
  expect_failure(BAD("stopping"), "takes more than 1 seconds", "reinstall");
}

Test(doctor_probe, opens_nothing_without_a_child) {
  system_refuse_fork(EAGAIN);
  expect_failure(BAD("aborting"), strerror(EAGAIN), "ulimit -u");
}

Test(doctor_probe, leaves_signals_and_children_alone) {
  const struct doctor_provider provider = {.name = "static"};
  struct doctor_probe_failure failure = {0};
  signal(SIGCHLD, SIG_IGN);
  cr_expect(doctor_provider_probe(&provider, 60, &failure));
  cr_expect_eq(signal(SIGCHLD, SIG_DFL), SIG_IGN);
  cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1, "a child is left");
  cr_expect_null(provider.host);
}
