// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::function as libstdc++ lays it out, on every machine and in every version
// since GCC 4: two words that it keeps for the callable, and two functions.
// libc++ has another layout; whose it is stands in mangled names (tool.h).

#ifndef MLIRPLUG_STOCK_FUNCTION_H
#define MLIRPLUG_STOCK_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>

/// What the callable is kept in. Here it is a pointer to something that lives
/// for ever, so copying is copying the words, and nothing is destroyed.
struct function_words {
  void *callable;
  void *unused;
};

struct function {
  struct function_words words;
  /// Is asked for (0) the type, (1) the callable, (2) a copy, (3) the end.
  bool (*manage)(struct function_words *to, const struct function_words *from,
                 int operation);
  /// Is given the words, then the arguments: references as pointers, and what
  /// is passed by value as pointers too.
  void (*invoke)(void);
};

_Static_assert(sizeof(struct function) == 4 * sizeof(void *),
               "libstdc++'s std::function is four words");
_Static_assert(offsetof(struct function, invoke) == 3 * sizeof(void *),
               "libstdc++'s std::function ends with its invoker");

/// A function that calls `invoke` with `callable`.
struct function function_make(void *callable, void (*invoke)(void));

#endif // MLIRPLUG_STOCK_FUNCTION_H
