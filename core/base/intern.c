// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/intern.h"

#include <pthread.h>
#include <search.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *tree; // of the strings, ordered by strcmp

static int compare(const void *left, const void *right) {
  return strcmp(left, right);
}

const char *intern(const char *string) {
  pthread_mutex_lock(&lock);
  char *const *found = tfind(string, &tree, compare);
  char *copy = NULL;
  if (!found && (copy = strdup(string)))
    found = tsearch(copy, &tree, compare);
  const char *interned = found ? *found : NULL;
  pthread_mutex_unlock(&lock);
  return interned;
}
