// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the system says about users and files, as a test wants it: the linker
// leads the program's own calls of these functions here (--wrap, see
// CMakeLists.txt). Until a test sets something, they say what is true. What was
// set lasts until the test ends, for each is a process of its own.

#ifndef MLIRPLUG_TEST_SYSTEM_H
#define MLIRPLUG_TEST_SYSTEM_H

#include <stdbool.h>
#include <sys/types.h>

/// geteuid.
void system_become(uid_t user);

/// secure_getenv and getauxval: as under AT_SECURE, in a setuid program.
void system_set_secure(void);

/// fstat: the file or symbolic link that is now at `path` has this owner and
/// group, or these permissions, wherever it goes to and however it is opened.
void system_set_owner(const char *path, uid_t user, gid_t group);
void system_set_mode(const char *path, mode_t permissions);

/// getxattr: it has an access list.
void system_set_access_list(const char *path);

/// getpwuid_r, getgrgid_r: there are only those accounts that were added.
/// The strings must be constants; `member` (may be null) is the only one
/// listed.
void system_add_user(uid_t user, const char *name, gid_t group);
void system_add_group(gid_t group, const char *name, const char *member);

/// The buffers of getpwuid_r and getgrgid_r must have this size.
void system_set_account_size(size_t size);

/// fork: fails with this errno.
void system_refuse_fork(int reason);

/// elf_begin: memory runs out.
void system_exhaust_elf(void);

/// json_dumps: memory runs out, of which jansson 2.14 says nothing.
void system_exhaust_json(void);

/// time: it is so many seconds later than it was, or earlier.
void system_wait(int seconds);

#endif // MLIRPLUG_TEST_SYSTEM_H
