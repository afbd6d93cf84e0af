// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "isolate/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// In front of the bytes of each message; behind them is a NUL.
struct message_head {
  uint32_t kind;
  uint32_t length;
};

static bool bytes_send(int descriptor, const char *bytes, size_t length) {
  while (length) {
    ssize_t written = write(descriptor, bytes, length);
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0) {
      bytes += written;
      length -= (size_t)written;
    }
  }
  return true;
}

bool message_send(int descriptor, enum message_kind kind, const void *bytes,
                  size_t length) {
  if (length >= MESSAGE_LIMIT)
    return false;
  struct message_head head = {(uint32_t)kind, (uint32_t)length};
  return bytes_send(descriptor, (const char *)&head, sizeof head) &&
         bytes_send(descriptor, bytes, length) && bytes_send(descriptor, "", 1);
}

/// Moves what is not taken yet to the front, and makes room for more.
static bool room_make(struct message_stream *stream, size_t more) {
  if (stream->taken) {
    stream->length -= stream->taken;
    memmove(stream->bytes, stream->bytes + stream->taken, stream->length);
    stream->taken = 0;
  }
  if (stream->capacity - stream->length >= more)
    return true;
  size_t capacity = 2 * stream->capacity + more;
  char *bytes = realloc(stream->bytes, capacity);
  if (!bytes)
    return false;
  stream->bytes = bytes;
  stream->capacity = capacity;
  return true;
}

int message_receive(struct message_stream *stream, int descriptor) {
  if (!room_make(stream, 65536)) {
    errno = ENOMEM;
    return -1;
  }
  ssize_t count;
  do
    count = read(descriptor, stream->bytes + stream->length,
                 stream->capacity - stream->length);
  while (count < 0 && errno == EINTR);
  if (count > 0)
    stream->length += (size_t)count;
  return count > 0 ? 1 : (int)count;
}

bool message_next(struct message_stream *stream, struct message *message,
                  bool *broken) {
  struct message_head head;
  size_t there = stream->length - stream->taken;
  if (there < sizeof head)
    return false;
  const char *begin = stream->bytes + stream->taken;
  memcpy(&head, begin, sizeof head);
  if (!head.kind || head.kind > 127 || !strchr("BDRSEXGPF", (int)head.kind) ||
      head.length >= MESSAGE_LIMIT) {
    *broken = true;
    return false;
  }
  if (there < sizeof head + head.length + 1)
    return false;
  *message = (struct message){.kind = (enum message_kind)head.kind,
                              .bytes = begin + sizeof head,
                              .length = head.length};
  *broken = message->bytes[head.length] != '\0';
  stream->taken += sizeof head + head.length + 1;
  return !*broken;
}

void message_stream_release(struct message_stream *stream) {
  free(stream->bytes);
  *stream = (struct message_stream){0};
}
