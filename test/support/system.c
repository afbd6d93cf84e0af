// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/system.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <grp.h>
#include <jansson.h>
#include <libelf.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// The names are the linker's: what calls f is led to __wrap_f, and __real_f is
// f.  NOLINTBEGIN(bugprone-reserved-identifier)
uid_t __real_geteuid(void);
char *__real_secure_getenv(const char *name);
unsigned long __real_getauxval(unsigned long type);
int __real_fstat(int descriptor, struct stat *status);
pid_t __real_fork(void);
time_t __real_time(time_t *now);
Elf *__real_elf_begin(int descriptor, Elf_Cmd command, Elf *archive);
char *__real_json_dumps(const json_t *json, size_t flags);
ssize_t __real_getxattr(const char *path, const char *name, void *value,
                        size_t size);
int __real_getpwuid_r(uid_t user, struct passwd *entry, char *bytes,
                      size_t size, struct passwd **found);
int __real_getgrgid_r(gid_t group, struct group *entry, char *bytes,
                      size_t size, struct group **found);

uid_t __wrap_geteuid(void);
char *__wrap_secure_getenv(const char *name);
unsigned long __wrap_getauxval(unsigned long type);
int __wrap_fstat(int descriptor, struct stat *status);
pid_t __wrap_fork(void);
time_t __wrap_time(time_t *now);
Elf *__wrap_elf_begin(int descriptor, Elf_Cmd command, Elf *archive);
char *__wrap_json_dumps(const json_t *json, size_t flags);
ssize_t __wrap_getxattr(const char *path, const char *name, void *value,
                        size_t size);
int __wrap_getpwuid_r(uid_t user, struct passwd *entry, char *bytes,
                      size_t size, struct passwd **found);
int __wrap_getgrgid_r(gid_t group, struct group *entry, char *bytes,
                      size_t size, struct group **found);

enum { files_at_most = 64, accounts_at_most = 16 };

struct system_file {
  dev_t device;
  ino_t inode;
  bool has_owner;
  uid_t user;
  gid_t group;
  bool has_mode;
  mode_t permissions;
  bool has_access_list;
};

static struct {
  bool has_user;
  uid_t user;
  bool is_secure;
  struct system_file files[files_at_most];
  size_t file_count;
  struct passwd users[accounts_at_most];
  size_t user_count;
  struct group groups[accounts_at_most];
  char *members[accounts_at_most][2];
  size_t group_count;
  size_t account_size;
  time_t later;
  int fork_refusal;
  bool elf_is_exhausted;
  bool json_is_exhausted;
} set;

//===----------------------------------------------------------------------===//
// Users
//===----------------------------------------------------------------------===//

void system_become(uid_t user) {
  set.has_user = true;
  set.user = user;
}

uid_t __wrap_geteuid(void) {
  return set.has_user ? set.user : __real_geteuid();
}

void system_set_secure(void) { set.is_secure = true; }

char *__wrap_secure_getenv(const char *name) {
  return set.is_secure ? NULL : __real_secure_getenv(name);
}

unsigned long __wrap_getauxval(unsigned long type) {
  return set.is_secure && type == AT_SECURE ? 1 : __real_getauxval(type);
}

void system_add_user(uid_t user, const char *name, gid_t group) {
  cr_assert_lt(set.user_count, (size_t)accounts_at_most);
  set.users[set.user_count++] =
      (struct passwd){.pw_name = (char *)name, .pw_uid = user, .pw_gid = group};
}

void system_add_group(gid_t group, const char *name, const char *member) {
  size_t index = set.group_count++;
  cr_assert_lt(index, (size_t)accounts_at_most);
  set.members[index][0] = (char *)member;
  set.groups[index] = (struct group){
      .gr_name = (char *)name, .gr_gid = group, .gr_mem = set.members[index]};
}

void system_set_account_size(size_t size) { set.account_size = size; }

int __wrap_getpwuid_r(uid_t user, struct passwd *entry, char *bytes,
                      size_t size, struct passwd **found) {
  if (!set.user_count)
    return __real_getpwuid_r(user, entry, bytes, size, found);
  *found = NULL;
  if (size < set.account_size)
    return ERANGE;
  for (size_t i = 0; i < set.user_count; ++i)
    if (set.users[i].pw_uid == user) {
      *entry = set.users[i];
      *found = entry;
    }
  return 0;
}

int __wrap_getgrgid_r(gid_t group, struct group *entry, char *bytes,
                      size_t size, struct group **found) {
  if (!set.group_count)
    return __real_getgrgid_r(group, entry, bytes, size, found);
  *found = NULL;
  if (size < set.account_size)
    return ERANGE;
  for (size_t i = 0; i < set.group_count; ++i)
    if (set.groups[i].gr_gid == group) {
      *entry = set.groups[i];
      *found = entry;
    }
  return 0;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static struct system_file *file_find(const struct stat *status) {
  for (size_t i = 0; i < set.file_count; ++i)
    if (set.files[i].device == status->st_dev &&
        set.files[i].inode == status->st_ino)
      return &set.files[i];
  return NULL;
}

static struct system_file *file_set(const char *path) {
  struct stat status;
  cr_assert_eq(lstat(path, &status), 0, "no %s", path);
  struct system_file *file = file_find(&status);
  if (file)
    return file;
  cr_assert_lt(set.file_count, (size_t)files_at_most);
  file = &set.files[set.file_count++];
  *file = (struct system_file){.device = status.st_dev, .inode = status.st_ino};
  return file;
}

void system_set_owner(const char *path, uid_t user, gid_t group) {
  struct system_file *file = file_set(path);
  file->has_owner = true;
  file->user = user;
  file->group = group;
}

void system_set_mode(const char *path, mode_t permissions) {
  struct system_file *file = file_set(path);
  file->has_mode = true;
  file->permissions = permissions;
}

void system_set_access_list(const char *path) {
  file_set(path)->has_access_list = true;
}

int __wrap_fstat(int descriptor, struct stat *status) {
  int result = __real_fstat(descriptor, status);
  const struct system_file *file = result == 0 ? file_find(status) : NULL;
  if (file && file->has_owner) {
    status->st_uid = file->user;
    status->st_gid = file->group;
  }
  if (file && file->has_mode)
    status->st_mode = (status->st_mode & S_IFMT) | file->permissions;
  return result;
}

void system_refuse_fork(int reason) { set.fork_refusal = reason; }

pid_t __wrap_fork(void) {
  if (!set.fork_refusal)
    return __real_fork();
  errno = set.fork_refusal;
  return -1;
}

void system_wait(int seconds) { set.later += seconds; }

time_t __wrap_time(time_t *now) {
  time_t time = __real_time(NULL) + set.later;
  if (now)
    *now = time;
  return time;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void system_exhaust_elf(void) { set.elf_is_exhausted = true; }

Elf *__wrap_elf_begin(int descriptor, Elf_Cmd command, Elf *archive) {
  if (!set.elf_is_exhausted)
    return __real_elf_begin(descriptor, command, archive);
  errno = ENOMEM;
  return NULL;
}

void system_exhaust_json(void) { set.json_is_exhausted = true; }

char *__wrap_json_dumps(const json_t *json, size_t flags) {
  char *text = __real_json_dumps(json, flags);
  if (text && set.json_is_exhausted)
    text[strlen(text) / 2] = '\0';
  return text;
}

ssize_t __wrap_getxattr(const char *path, const char *name, void *value,
                        size_t size) {
  struct stat status;
  const struct system_file *file =
      stat(path, &status) == 0 ? file_find(&status) : NULL;
  if (file && file->has_access_list)
    return 44;
  return __real_getxattr(path, name, value, size);
}
// NOLINTEND(bugprone-reserved-identifier)
