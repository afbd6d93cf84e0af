// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standard streams that somebody made non-blocking, as some programs that start
// others do: nothing is lost.

#include "run.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// More than a pipe takes at once.
enum { FUNCTIONS = 8000, LONG_NAME = 100000 };

static char *module_make(void) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  cr_assert(stream);
  fputs("module {\n", stream);
  for (int i = 0; i < FUNCTIONS; ++i)
    fprintf(stream, "  func.func private @f%d()\n", i);
  fputs("}\n\n", stream);
  cr_assert_eq(fclose(stream), 0);
  return text;
}

/// Starts the command with the `end` of a pipe as its `standard` stream, which
/// does not block, and leaves the other end in `*rest`.
static pid_t command_start(int standard, int *rest, const char *input,
                           const char *output) {
  int ends[2];
  cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
  int end = standard == STDIN_FILENO ? 0 : 1;
  cr_assert_eq(fcntl(ends[end], F_SETFL, O_NONBLOCK), 0);
  pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child == 0) {
    dup2(ends[end], standard);
    execl(COMMAND_MLIRPLUG, COMMAND_MLIRPLUG, "opt", input, "-o", output,
          (char *)NULL);
    _exit(127);
  }
  close(ends[end]);
  *rest = ends[1 - end];
  return child;
}

static void expect_success(pid_t child) {
  int status;
  cr_assert_eq(waitpid(child, &status, 0), child);
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
}

Test(nonblocking, output_waits_for_its_reader) {
  char *directory = directory_create(), *text = module_make();
  const char *path = path_in(directory, "in.mlir");
  file_write(path, text, strlen(text));
  int reader;
  pid_t child = command_start(STDOUT_FILENO, &reader, path, "-");
  usleep(500000); // until the pipe is full
  size_t room = strlen(text) + 100, length = 0;
  char *read_text = calloc(room, 1);
  ssize_t count;
  while ((count = read(reader, read_text + length, room - length - 1)) > 0)
    length += (size_t)count;
  expect_success(child);
  expect_text(read_text, text);
  close(reader);
  free(read_text);
  free(text);
  free(directory);
}

Test(nonblocking, errors_wait_for_their_reader) {
  char *path = calloc(1, LONG_NAME + 1), *text = calloc(2, LONG_NAME);
  cr_assert(path && text);
  memset(path, 'x', LONG_NAME);
  int reader, status;
  pid_t child = command_start(STDERR_FILENO, &reader, path, "/dev/null");
  usleep(500000); // until the pipe is full
  size_t length = 0;
  ssize_t count;
  while ((count = read(reader, text + length,
                       (size_t)2 * LONG_NAME - length - 1)) > 0)
    length += (size_t)count;
  cr_assert_eq(waitpid(child, &status, 0), child);
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 1, "status %d", status);
  expect_contains(text, path);
  expect_contains(text, ": File name too long\n");
  close(reader);
  free(path);
  free(text);
}

Test(nonblocking, input_waits_for_its_writer) {
  char *directory = directory_create(), *text = module_make();
  const char *path = path_in(directory, "out.mlir");
  int writer;
  pid_t child = command_start(STDIN_FILENO, &writer, "-", path);
  size_t length = strlen(text), half = length / 2;
  usleep(300000); // until the command has tried
  cr_assert_eq(write(writer, text, half), (ssize_t)half);
  usleep(300000);
  cr_assert_eq(write(writer, text + half, length - half),
               (ssize_t)(length - half));
  close(writer);
  expect_success(child);
  expect_file(text, path);
  free(text);
  free(directory);
}
