// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of newer glibc for files that have to load on glibc 2.17, linked
// into each of them (MLIRPLUG_PORTABLE). The linker binds to the newest version
// of a symbol, which an older system lacks. So each function here takes the
// place of one, for our code and for archives that were compiled long ago, and
// goes to the version that has always been there, or to the kernel.

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The first version of glibc on a machine has everything that was there then.
#if defined(__x86_64__)
#define VERSION_FIRST "GLIBC_2.2.5"
#define VERSION_DLADDR1 "GLIBC_2.3.3"
#define VERSION_FSTATAT "GLIBC_2.4"
enum { stat_version = 1 };
#elif defined(__aarch64__)
#define VERSION_FIRST "GLIBC_2.17"
#define VERSION_DLADDR1 VERSION_FIRST
#define VERSION_FSTATAT VERSION_FIRST
enum { stat_version = 0 };
#else
#error "which is the first version of glibc on this machine?"
#endif

#define HIDDEN __attribute__((visibility("hidden")))

/// Makes old_NAME the function NAME of that version.
#define OLD(name, version) __asm__(".symver old_" #name "," #name "@" version)

//===----------------------------------------------------------------------===//
// The dynamic linker: moved from libdl into libc by 2.34
//===----------------------------------------------------------------------===//

OLD(dlopen, VERSION_FIRST);
OLD(dlsym, VERSION_FIRST);
OLD(dlclose, VERSION_FIRST);
OLD(dlerror, VERSION_FIRST);
OLD(dladdr, VERSION_FIRST);
OLD(dladdr1, VERSION_DLADDR1);
OLD(dlinfo, VERSION_DLADDR1);

void *old_dlopen(const char *path, int mode);
void *old_dlsym(void *handle, const char *name);
int old_dlclose(void *handle);
char *old_dlerror(void);
int old_dladdr(const void *address, Dl_info *information);
int old_dladdr1(const void *address, Dl_info *information, void **extra,
                int flags);
int old_dlinfo(void *handle, int request, void *result);

// glibc looks at who calls these two. That is still the same object.
HIDDEN void *dlopen(const char *path, int mode) {
  return old_dlopen(path, mode);
}

HIDDEN void *dlsym(void *handle, const char *name) {
  return old_dlsym(handle, name);
}

HIDDEN int dlclose(void *handle) { return old_dlclose(handle); }

HIDDEN char *dlerror(void) { return old_dlerror(); }

HIDDEN int dladdr(const void *address, Dl_info *information) {
  return old_dladdr(address, information);
}

HIDDEN int dladdr1(const void *address, Dl_info *information, void **extra,
                   int flags) {
  return old_dladdr1(address, information, extra, flags);
}

HIDDEN int dlinfo(void *handle, int request, void *result) {
  return old_dlinfo(handle, request, result);
}

//===----------------------------------------------------------------------===//
// Threads: moved from libpthread into libc by 2.34
//===----------------------------------------------------------------------===//

OLD(pthread_once, VERSION_FIRST);
OLD(pthread_create, VERSION_FIRST);
OLD(pthread_join, VERSION_FIRST);
OLD(pthread_attr_setstacksize, VERSION_FIRST);
OLD(pthread_condattr_setclock, VERSION_DLADDR1);

int old_pthread_once(pthread_once_t *once, void (*function)(void));
int old_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                       void *(*function)(void *), void *argument);
int old_pthread_join(pthread_t thread, void **result);
int old_pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);
int old_pthread_condattr_setclock(pthread_condattr_t *attributes,
                                  clockid_t clock);

HIDDEN int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument) {
  return old_pthread_create(thread, attributes, function, argument);
}

HIDDEN int pthread_join(pthread_t thread, void **result) {
  return old_pthread_join(thread, result);
}

HIDDEN int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
  return old_pthread_attr_setstacksize(attributes, size);
}

HIDDEN int pthread_condattr_setclock(pthread_condattr_t *attributes,
                                     clockid_t clock) {
  return old_pthread_condattr_setclock(attributes, clock);
}

HIDDEN int pthread_once(pthread_once_t *once, void (*function)(void)) {
  return old_pthread_once(once, function);
}

//===----------------------------------------------------------------------===//
// The status of files: before 2.33 with the version of the structure
//===----------------------------------------------------------------------===//

OLD(__xstat, VERSION_FIRST);
OLD(__lxstat, VERSION_FIRST);
OLD(__fxstat, VERSION_FIRST);
OLD(__fxstatat, VERSION_FSTATAT);

int old___xstat(int version, const char *path, struct stat *status);
int old___lxstat(int version, const char *path, struct stat *status);
int old___fxstat(int version, int descriptor, struct stat *status);
int old___fxstatat(int version, int directory, const char *path,
                   struct stat *status, int flags);

HIDDEN int stat(const char *path, struct stat *status) {
  return old___xstat(stat_version, path, status);
}

HIDDEN int lstat(const char *path, struct stat *status) {
  return old___lxstat(stat_version, path, status);
}

HIDDEN int fstat(int descriptor, struct stat *status) {
  return old___fxstat(stat_version, descriptor, status);
}

HIDDEN int fstatat(int directory, const char *path, struct stat *status,
                   int flags) {
  return old___fxstatat(stat_version, directory, path, status, flags);
}

//===----------------------------------------------------------------------===//
// New functions
//===----------------------------------------------------------------------===//

HIDDEN void *reallocarray(void *memory, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(memory, total);
}

HIDDEN ssize_t getrandom(void *buffer, size_t size, unsigned flags) {
  return syscall(SYS_getrandom, buffer, size, flags);
}

HIDDEN int memfd_create(const char *name, unsigned flags) {
  return (int)syscall(SYS_memfd_create, name, flags);
}

/// What explicit_bzero is with _FORTIFY_SOURCE; the compiler has checked.
HIDDEN void __explicit_bzero_chk(void *memory, size_t size, size_t available);

HIDDEN void __explicit_bzero_chk(void *memory, size_t size, size_t available) {
  if (size > available)
    abort();
  memset(memory, 0, size);
  __asm__ volatile("" : : "r"(memory) : "memory");
}

//===----------------------------------------------------------------------===//
// Names of signals and errors: new in 2.32
//===----------------------------------------------------------------------===//

HIDDEN const char *sigabbrev_np(int number) {
  static const char *const names[] = {
      [SIGHUP] = "HUP",   [SIGINT] = "INT",   [SIGQUIT] = "QUIT",
      [SIGILL] = "ILL",   [SIGTRAP] = "TRAP", [SIGABRT] = "ABRT",
      [SIGBUS] = "BUS",   [SIGFPE] = "FPE",   [SIGKILL] = "KILL",
      [SIGUSR1] = "USR1", [SIGSEGV] = "SEGV", [SIGUSR2] = "USR2",
      [SIGPIPE] = "PIPE", [SIGALRM] = "ALRM", [SIGTERM] = "TERM",
      [SIGCHLD] = "CHLD", [SIGCONT] = "CONT", [SIGSTOP] = "STOP",
      [SIGTSTP] = "TSTP", [SIGTTIN] = "TTIN", [SIGTTOU] = "TTOU",
      [SIGXCPU] = "XCPU", [SIGXFSZ] = "XFSZ", [SIGSYS] = "SYS",
  };
  return number > 0 && number < (int)(sizeof names / sizeof *names)
             ? names[number]
             : NULL;
}

HIDDEN const char *strerrordesc_np(int number) { return strerror(number); }

//===----------------------------------------------------------------------===//
// Starting programs: new in 2.34
//===----------------------------------------------------------------------===//

/// Those that are open now; one that another thread opens meanwhile has to be
/// close-on-exec, as ours are.
HIDDEN int
posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions,
                                         int from) {
  DIR *directory = opendir("/proc/self/fd");
  if (!directory)
    return errno;
  int problem = 0;
  struct dirent *entry;
  while (!problem && (entry = readdir(directory))) {
    int number = (int)strtol(entry->d_name, NULL, 10);
    if (number >= from && entry->d_name[0] != '.' && number != dirfd(directory))
      problem = posix_spawn_file_actions_addclose(actions, number);
  }
  closedir(directory);
  return problem;
}
