// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a child tells its parent: messages through a pipe, a kind, a length and
// so many bytes each. The child runs the plugin, so the parent takes nothing in
// them for granted.

#ifndef MLIRPLUG_ISOLATE_MESSAGE_H
#define MLIRPLUG_ISOLATE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The descriptors of a child.
enum {
  ISOLATE_REQUEST = 3,  ///< request.h, to be read.
  ISOLATE_MESSAGES = 4, ///< The pipe.
  ISOLATE_RESULT = 5,   ///< The IR as bytecode, to be written.
};

enum message_kind {
  MESSAGE_BEGUN = 'B',      ///< From here on, the plugin may run.
  MESSAGE_DIAGNOSTIC = 'D', ///< diagnostic.h
  MESSAGE_RECORD = 'R',     ///< A line of JSON.
  MESSAGE_STATISTIC = 'S',  ///< struct message_statistic
  MESSAGE_REFUSED = 'E',    ///< It cannot begin; why.
  MESSAGE_FATAL = 'X',      ///< What LLVM says before it ends the process.
  MESSAGE_SIGNAL = 'G',     ///< struct message_signal
  MESSAGE_PLACE = 'P',      ///< A location: where the pass is.
  MESSAGE_DONE = 'F',       ///< One byte: enum message_outcome.
};

enum message_outcome {
  MESSAGE_NOT_DONE = 0,
  MESSAGE_FAILED = 'n',    ///< The pass, which has said why.
  MESSAGE_UNCHANGED = 'u', ///< It has left the IR as it was.
  MESSAGE_CHANGED = 'c',   ///< ISOLATE_RESULT is what it has made of it.
};

struct message_statistic {
  uint64_t index;
  uint64_t value;
};

struct message_signal {
  int32_t number;
  int32_t last_error; ///< errno at the time.
};

/// Longer ones are nothing that a child would send.
enum { MESSAGE_LIMIT = 1 << 28 };

/// Sends one, in pieces if need be. False if nobody takes it. May be called in
/// a handler of a signal.
bool message_send(int descriptor, enum message_kind kind, const void *bytes,
                  size_t length);

/// Bytes that have arrived. Zero bytes are none.
struct message_stream {
  char *bytes;
  size_t length;
  size_t capacity;
  size_t taken; ///< What message_next has handed out.
};

/// Reads what is there to read. 1 if there was something, 0 at the end, -1 with
/// errno set: EAGAIN if there is nothing yet.
int message_receive(struct message_stream *stream, int descriptor);

struct message {
  enum message_kind kind;
  const char *bytes; ///< Until the next call; a NUL is behind them.
  size_t length;
};

/// The next message that has arrived whole. False if there is none yet, or if
/// what has arrived is none: then `*broken` is set.
bool message_next(struct message_stream *stream, struct message *message,
                  bool *broken);
void message_stream_release(struct message_stream *stream);

#endif // MLIRPLUG_ISOLATE_MESSAGE_H
