// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of a child, whole, in pieces, and broken.

#include "isolate/message.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int ends[2];
static struct message_stream stream;
static struct message message;
static bool broken;

static void pipe_open(void) {
  cr_assert_eq(pipe2(ends, O_NONBLOCK), 0);
  stream = (struct message_stream){0};
  broken = false;
}

static void pipe_close(void) {
  message_stream_release(&stream);
  close(ends[0]);
  if (ends[1] >= 0)
    close(ends[1]);
}

TestSuite(messages, .init = pipe_open, .fini = pipe_close);

Test(messages, arrive_in_order) {
  cr_assert(message_send(ends[1], MESSAGE_RECORD, "{}", 2));
  cr_assert(message_send(ends[1], MESSAGE_DONE, "u", 1));
  cr_assert_eq(message_receive(&stream, ends[0]), 1);
  cr_assert(message_next(&stream, &message, &broken));
  cr_expect_eq(message.kind, MESSAGE_RECORD);
  cr_expect_str_eq(message.bytes, "{}");
  cr_expect_eq(message.length, 2);
  cr_assert(message_next(&stream, &message, &broken));
  cr_expect_eq(message.kind, MESSAGE_DONE);
  cr_expect(!message_next(&stream, &message, &broken));
  cr_expect(!broken);
}

Test(messages, are_taken_when_they_are_whole) {
  int inner[2];
  char bytes[64];
  cr_assert_eq(pipe(inner), 0);
  cr_assert(message_send(inner[1], MESSAGE_PLACE, "loc(unknown)", 12));
  ssize_t length = read(inner[0], bytes, sizeof bytes);
  cr_assert_gt(length, 12);
  for (ssize_t i = 0; i < length; ++i) {
    cr_expect(!message_next(&stream, &message, &broken));
    cr_assert_eq(write(ends[1], bytes + i, 1), 1);
    cr_assert_eq(message_receive(&stream, ends[0]), 1);
  }
  cr_assert(message_next(&stream, &message, &broken));
  cr_expect_str_eq(message.bytes, "loc(unknown)");
  close(inner[0]);
  close(inner[1]);
}

Test(messages, end_with_the_pipe) {
  cr_expect_eq(message_receive(&stream, ends[0]), -1);
  cr_expect_eq(errno, EAGAIN);
  close(ends[1]);
  ends[1] = -1;
  cr_expect_eq(message_receive(&stream, ends[0]), 0);
}

Test(messages, of_no_known_kind_are_broken) {
  static const char garbage[] = "garbage garbage garbage";
  cr_assert_eq(write(ends[1], garbage, sizeof garbage), sizeof garbage);
  cr_assert_eq(message_receive(&stream, ends[0]), 1);
  cr_expect(!message_next(&stream, &message, &broken));
  cr_expect(broken);
}

Test(messages, without_their_end_are_broken) {
  const uint32_t head[] = {MESSAGE_DONE, 1};
  cr_assert_eq(write(ends[1], head, sizeof head), sizeof head);
  cr_assert_eq(write(ends[1], "ux", 2), 2);
  cr_assert_eq(message_receive(&stream, ends[0]), 1);
  cr_expect(!message_next(&stream, &message, &broken));
  cr_expect(broken);
}

Test(messages, that_are_too_long_are_not_sent) {
  cr_expect(!message_send(ends[1], MESSAGE_RECORD, "", MESSAGE_LIMIT));
}
