// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/trust.h"

#include "base/shell.h"
#include "base/text.h"
#include "find/account.h"
#include "find/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/// What was asked for; the same in every error.
struct subject {
  const char *doing;
  const char *path;
};

/// A file, directory or link that the answer depends on.
struct object {
  const char *path;
  const struct stat *status;
  int descriptor;
};

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// The parts of an error. Paths may be long, so they are not cut to a buffer.
struct refusal {
  struct text found;
  struct text expected;
  struct text remedy;
};

/// Sets the error and empties `refusal`.
static mlirplug_status refuse(const struct subject *subject,
                              struct refusal *refusal, mlirplug_error **error) {
  char *found = text_take(&refusal->found);
  char *expected = text_take(&refusal->expected);
  char *remedy = text_take(&refusal->remedy);
  if (found && expected && remedy)
    error_set(error, &(mlirplug_error){.doing = subject->doing,
                                       .subject = subject->path,
                                       .found = found,
                                       .expected = *expected ? expected : NULL,
                                       .remedy = remedy,
                                       .untrusted = true});
  else
    error_set_memory(error);
  free(found);
  free(expected);
  free(remedy);
  return MLIRPLUG_FAILED;
}

static void add_object(struct text *text, const struct object *object) {
  const char *kind = S_ISDIR(object->status->st_mode)   ? "directory"
                     : S_ISLNK(object->status->st_mode) ? "symbolic link"
                                                        : "file";
  text_format(text, "the %s '%s'", kind, object->path);
}

/// "(owner alice (1000), group users (100), mode 0775)"
static void add_rights(struct text *text, const struct stat *status) {
  text_add(text, " (owner ");
  account_add_user(text, status->st_uid);
  text_add(text, ", group ");
  account_add_group(text, status->st_gid);
  text_format(text, ", mode %04o)", status->st_mode & 07777);
}

static mlirplug_status refuse_owner(const struct subject *subject,
                                    const struct object *object,
                                    mlirplug_error **error) {
  struct refusal refusal = {0};
  uid_t user = geteuid();
  add_object(&refusal.found, object);
  text_add(&refusal.found, " belongs to another user");
  add_rights(&refusal.found, object->status);

  text_add(&refusal.expected, "the owner ");
  account_add_user(&refusal.expected, 0);
  if (user != 0) {
    text_add(&refusal.expected, " or ");
    account_add_user(&refusal.expected, user);
    text_add(&refusal.remedy, "as root: ");
  }
  text_add(&refusal.remedy, "chown ");
  if (S_ISLNK(object->status->st_mode))
    text_add(&refusal.remedy, "-h ");
  if (user == 0)
    text_add(&refusal.remedy, "root ");
  else
    text_format(&refusal.remedy, "%u ", user);
  shell_add_word(&refusal.remedy, object->path);
  return refuse(subject, &refusal, error);
}

/// `excess` holds the write permissions that should not be there.
static mlirplug_status refuse_mode(const struct subject *subject,
                                   const struct object *object, mode_t excess,
                                   mlirplug_error **error) {
  struct refusal refusal = {0};
  text_add(&refusal.found, excess & S_IWOTH
                               ? "everybody may write to "
                               : "users in its group may write to ");
  add_object(&refusal.found, object);
  add_rights(&refusal.found, object->status);
  text_add(&refusal.expected,
           "no write permission but for the owner and a group of the owner "
           "alone");
  const char *whose = excess == (S_IWGRP | S_IWOTH) ? "go"
                      : excess == S_IWGRP           ? "g"
                                                    : "o";
  text_format(&refusal.remedy, "chmod %s-w ", whose);
  shell_add_word(&refusal.remedy, object->path);
  return refuse(subject, &refusal, error);
}

static mlirplug_status refuse_access_list(const struct subject *subject,
                                          const struct object *object,
                                          mlirplug_error **error) {
  struct refusal refusal = {0};
  text_add(&refusal.found, "an access list may let more users write to ");
  add_object(&refusal.found, object);
  add_rights(&refusal.found, object->status);
  text_add(&refusal.expected, "none, or no write permission in it");
  text_add(&refusal.remedy, "chmod g-w ");
  shell_add_word(&refusal.remedy, object->path);
  return refuse(subject, &refusal, error);
}

static mlirplug_status refuse_walk(const struct subject *subject,
                                   const char *path, int problem,
                                   mlirplug_error **error) {
  if (error_is_exhaustion(problem))
    return error_set_exhausted(error, subject->doing, subject->path, problem);
  struct refusal refusal = {0};
  errno = problem; // for %m
  text_format(&refusal.found, "'%s' cannot be looked at: %m", path);
  text_add(&refusal.remedy, "see what the path leads through: namei -l ");
  shell_add_word(&refusal.remedy, subject->path);
  return refuse(subject, &refusal, error);
}

static mlirplug_status refuse_swap(const struct subject *subject,
                                   const char *end, mlirplug_error **error) {
  struct refusal refusal = {0};
  text_format(&refusal.found,
              "the path now leads to '%s', which is not what was opened: a "
              "file or a symbolic link was replaced in the meantime",
              end);
  text_add(&refusal.remedy,
           "try again; if it comes back, find out who changes ");
  shell_add_word(&refusal.remedy, subject->path);
  return refuse(subject, &refusal, error);
}

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

/// True if more than owner, group and others may have rights. Only such a list
/// can let other users write where the group is the owner's alone; its rights
/// then show in the mode as the group's.
static bool may_have_access_list(int descriptor) {
  // By name, for O_PATH descriptors have no attributes.
  char path[64];
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return getxattr(path, "system.posix_acl_access", NULL, 0) >= 0 ||
         (errno != ENODATA && errno != EOPNOTSUPP);
}

static mlirplug_status check_object(const struct subject *subject,
                                    const struct object *object,
                                    mlirplug_error **error) {
  const struct stat *status = object->status;
  if (status->st_uid != 0 && status->st_uid != geteuid())
    return refuse_owner(subject, object, error);
  mode_t mode = status->st_mode;
  if (S_ISLNK(mode) || (S_ISDIR(mode) && (mode & S_ISVTX)))
    return MLIRPLUG_OK;
  bool is_private = (mode & S_IWGRP) &&
                    account_group_is_private(status->st_gid, status->st_uid);
  mode_t excess = mode & (is_private ? S_IWOTH : S_IWGRP | S_IWOTH);
  if (excess)
    return refuse_mode(subject, object, excess, error);
  if (is_private && may_have_access_list(object->descriptor))
    return refuse_access_list(subject, object, error);
  return MLIRPLUG_OK;
}

/// Checks everything from the root to the end of the path, which should be the
/// file with this device and inode.
static mlirplug_status check_path(const struct subject *subject, dev_t device,
                                  ino_t inode, mlirplug_error **error) {
  mlirplug_status result = MLIRPLUG_OK;
  struct walk walk;
  if (!walk_begin(&walk, subject->path))
    return error_set_memory(error);
  while (result == MLIRPLUG_OK && walk_next(&walk))
    result = check_object(subject,
                          &(struct object){.path = walk.path.bytes,
                                           .status = &walk.status,
                                           .descriptor = walk.descriptor},
                          error);
  if (result == MLIRPLUG_OK && walk.problem)
    result = refuse_walk(subject, walk.path.bytes, walk.problem, error);
  else if (result == MLIRPLUG_OK &&
           (walk.status.st_dev != device || walk.status.st_ino != inode))
    result = refuse_swap(subject, walk.path.bytes, error);
  walk_end(&walk);
  return result;
}

bool trust_is_plain(const struct stat *status) {
  return S_ISREG(status->st_mode) && !(status->st_mode & (S_IWGRP | S_IWOTH)) &&
         (status->st_uid == 0 || status->st_uid == geteuid());
}

mlirplug_status trust_check(const struct file *file, enum trust_origin origin,
                            mlirplug_error **error) {
  return trust_check_as("cannot trust the plugin", file, origin, error);
}

mlirplug_status trust_check_as(const char *doing, const struct file *file,
                               enum trust_origin origin,
                               mlirplug_error **error) {
  const struct subject subject = {doing, file->path};
  struct stat status;
  if (fstat(file->descriptor, &status) != 0)
    return refuse_walk(&subject, file->path, errno, error);
  // By the open file, not by its path: this is the code that was read.
  const struct object object = {file->path, &status, file->descriptor};
  if (check_object(&subject, &object, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (origin == TRUST_NAMED)
    return MLIRPLUG_OK;
  return check_path(&subject, status.st_dev, status.st_ino, error);
}

mlirplug_status trust_check_directory(const char *path, int descriptor,
                                      mlirplug_error **error) {
  const struct subject subject = {"cannot trust the plugin directory", path};
  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return refuse_walk(&subject, path, errno, error);
  return check_path(&subject, status.st_dev, status.st_ino, error);
}
