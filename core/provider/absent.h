// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the C API's functions: in which versions each was seen, and
// what takes the place of one that a provider does not have.

#ifndef MLIRPLUG_PROVIDER_ABSENT_H
#define MLIRPLUG_PROVIDER_ABSENT_H

/// The versions in which `name` was seen, "13 14 22 23git"; null if the ledger
/// does not know the function.
const char *absent_seen(const char *name);

/// A function with the signature of `name` that returns zero and notes its name
/// in absent_called. A function whose signature the ledger does not know gets
/// one that fits every signature that returns at most two registers. Any
/// thread.
void (*absent_stub(const char *name))(void);

/// The last stub that was called on this thread; null if none. Whoever runs
/// plugin code clears it before and looks at it after.
extern _Thread_local const char *absent_called;

#endif // MLIRPLUG_PROVIDER_ABSENT_H
