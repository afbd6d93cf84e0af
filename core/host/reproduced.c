// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directories of plugins that reproducers name. They are not among the
// host's directories, for they are not searched.

#include "host/host.h"

#include <stdlib.h>
#include <string.h>

static const char origin[] = "reproducer";

struct host_reproduced {
  mlirplug_directory directory; ///< Its path is owned.
  struct host_reproduced *next;
};

const mlirplug_directory *host_note_reproduced(mlirplug_host *host,
                                               const char *path,
                                               mlirplug_error **error) {
  struct host_reproduced *made = calloc(1, sizeof *made);
  size_t length = (size_t)(strrchr(path, '/') - path);
  char *copy = strndup(path, length ? length : 1);
  if (!made || !copy) {
    free(made);
    free(copy);
    (void)error_set_memory(error);
    return NULL;
  }
  made->directory =
      (mlirplug_directory){.path = copy, .origin = origin, .exists = true};
  pthread_mutex_lock(&host->lock);
  made->next = host->reproduced;
  host->reproduced = made;
  pthread_mutex_unlock(&host->lock);
  return &made->directory;
}

bool host_is_reproduced(const mlirplug_directory *directory) {
  return directory && strcmp(directory->origin, origin) == 0;
}

void host_release_reproduced(mlirplug_host *host) {
  while (host->reproduced) {
    struct host_reproduced *first = host->reproduced;
    host->reproduced = first->next;
    free((char *)first->directory.path);
    free(first);
  }
}
