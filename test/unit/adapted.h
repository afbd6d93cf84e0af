// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters in tests: each as it is on a provider that has what it needs and
// nothing else, so that it cannot use anything more.

#ifndef MLIRPLUG_TEST_ADAPTED_H
#define MLIRPLUG_TEST_ADAPTED_H

#include <stddef.h>

/// A function of a provider of the test's own; the list ends with a null name.
struct adapted_fake {
  const char *name;
  void (*function)(void);
};

/// The adapter number `which` for `name` on a provider of version `major`,
/// which has the functions in `fakes` (null for none) and for the rest those of
/// the static provider. Takes a slot, of which there are few. Ends the test if
/// there is no such adapter or it does not apply.
void (*adapted_on(unsigned major, const char *name, size_t which,
                  const struct adapted_fake *fakes))(void);

/// The first adapter for a function, on MLIR 22.
#define ADAPTED(name) ADAPTED_NUMBER(name, 0)
#define ADAPTED_NUMBER(name, which) ADAPTED_ON(22, name, which, NULL)
#define ADAPTED_ON(major, name, which, fakes)                                  \
  ((__typeof__(&name))adapted_on(major, #name, which, fakes))

#endif // MLIRPLUG_TEST_ADAPTED_H
