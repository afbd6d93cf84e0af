// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a program begins on glibc 2.17 and on newer ones (see old_glibc.c). The
// start file of a newer one asks for a __libc_start_main which runs the
// program's constructors; an older one calls a function of the program to do
// so, as newer ones still do for old programs.

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the linker's,
// glibc's.

typedef int main_function(int, char **, char **);
typedef void constructor(int, char **, char **);

#if defined(__x86_64__)
__asm__(".symver old_start_main,__libc_start_main@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver old_start_main,__libc_start_main@GLIBC_2.17");
#endif

int old_start_main(main_function *main, int count, char **arguments,
                   constructor *constructors, void (*destructors)(void),
                   void (*linker_end)(void), void *stack_end);

/// The bounds of the program's constructors, from the linker.
extern constructor *const __init_array_start[]
    __attribute__((visibility("hidden")));
extern constructor *const __init_array_end[]
    __attribute__((visibility("hidden")));

static void constructors_run(int count, char **arguments, char **environment) {
  for (constructor *const *one = __init_array_start; one != __init_array_end;
       ++one)
    (*one)(count, arguments, environment);
}

int __libc_start_main(main_function *main, int count, char **arguments,
                      constructor *constructors, void (*destructors)(void),
                      void (*linker_end)(void), void *stack_end)
    __attribute__((visibility("hidden")));

int __libc_start_main(main_function *main, int count, char **arguments,
                      constructor *constructors, void (*destructors)(void),
                      void (*linker_end)(void), void *stack_end) {
  return old_start_main(main, count, arguments,
                        constructors ? constructors : constructors_run,
                        destructors, linker_end, stack_end);
}

// NOLINTEND(bugprone-reserved-identifier)
