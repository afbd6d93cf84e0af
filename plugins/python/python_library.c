// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "python_library.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/// Functions of Python, by their names there.
struct python {
  int (*Py_IsInitialized)(void);
  const char *(*Py_GetVersion)(void);
  wchar_t *(*Py_DecodeLocale)(const char *, size_t *);
  void (*Py_SetProgramName)(const wchar_t *); ///< Null from 3.15 on.
  void (*Py_InitializeEx)(int);
  void *(*PyEval_SaveThread)(void);
  int (*PyGILState_Ensure)(void);
  void (*PyGILState_Release)(int);
  void *(*PySys_GetObject)(const char *);
  void *(*PyUnicode_DecodeFSDefault)(const char *);
  int (*PyList_Insert)(void *, ssize_t, void *);
  void *(*PyImport_ImportModule)(const char *);
  void *(*PyObject_CallMethod)(void *, const char *, const char *, ...);
  void *(*PyCapsule_Import)(const char *, int);
  void (*PyErr_Fetch)(void **, void **, void **);
  void (*PyErr_NormalizeException)(void **, void **, void **);
  void *(*PyObject_Str)(void *);
  const char *(*PyUnicode_AsUTF8AndSize)(void *, ssize_t *);
  void (*PyErr_Clear)(void);
  void (*Py_DecRef)(void *);
};

static bool python_fill(struct python *python, void *handle,
                        struct complaint *complaint) {
  const struct {
    const char *name;
    void *slot;
    bool is_optional;
  } functions[] = {
#define FUNCTION(name) {#name, &python->name, false}
      FUNCTION(Py_IsInitialized),
      FUNCTION(Py_GetVersion),
      FUNCTION(Py_DecodeLocale),
      {"Py_SetProgramName", &python->Py_SetProgramName, true},
      FUNCTION(Py_InitializeEx),
      FUNCTION(PyEval_SaveThread),
      FUNCTION(PyGILState_Ensure),
      FUNCTION(PyGILState_Release),
      FUNCTION(PySys_GetObject),
      FUNCTION(PyUnicode_DecodeFSDefault),
      FUNCTION(PyList_Insert),
      FUNCTION(PyImport_ImportModule),
      FUNCTION(PyObject_CallMethod),
      FUNCTION(PyCapsule_Import),
      FUNCTION(PyErr_Fetch),
      FUNCTION(PyErr_NormalizeException),
      FUNCTION(PyObject_Str),
      FUNCTION(PyUnicode_AsUTF8AndSize),
      FUNCTION(PyErr_Clear),
      FUNCTION(Py_DecRef),
#undef FUNCTION
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    void *address = dlsym(handle, functions[i].name);
    if (!address && !functions[i].is_optional) {
      complaint_found(complaint,
                      "the Python in this process has no function %s",
                      functions[i].name);
      complaint_remedy(complaint, "use a CPython of 3.9 or newer");
      return false;
    }
    memcpy(functions[i].slot, &address, sizeof address);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The interpreter that is there
//===----------------------------------------------------------------------===//

static int library_match(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  const char *slash = strrchr(info->dlpi_name, '/');
  const char *name = slash ? slash + 1 : info->dlpi_name;
  // Not libpython3.so, which only leads to another one.
  if (strncmp(name, "libpython3.", 11) != 0 || name[11] < '0' || name[11] > '9')
    return 0;
  *(void **)data = dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
  return *(void **)data != NULL;
}

/// A handle to the Python in this process, initialised or not; null if there is
/// none.
static void *python_present(void) {
  void *handle = NULL;
  // The program itself, or what it was linked to.
  if (dlsym(RTLD_DEFAULT, "Py_IsInitialized"))
    return dlopen(NULL, RTLD_NOW);
  (void)dl_iterate_phdr(library_match, &handle);
  return handle;
}

//===----------------------------------------------------------------------===//
// Starting one
//===----------------------------------------------------------------------===//

/// Extension modules do not link to libpython: they find its symbols in the
/// process. So this is the one library that all may see.
static void *library_open(const struct interpreter *interpreter,
                          struct complaint *complaint) {
  void *handle = dlopen(interpreter->library, RTLD_NOW | RTLD_GLOBAL);
  if (handle)
    return handle;
  complaint_found(complaint, "the libpython of '%s' cannot be loaded: %s",
                  interpreter->program, dlerror());
  complaint_remedy(complaint, "repair this Python, or use another one");
  return NULL;
}

/// With more rights than its user's, a process heeds neither PYTHONPATH nor the
/// user's own packages. False if this Python cannot be told so.
static bool environment_ignore(void *handle, struct complaint *complaint) {
  static const char *const flags[] = {"Py_IgnoreEnvironmentFlag",
                                      "Py_NoUserSiteDirectory"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
    int *flag = dlsym(handle, flags[i]);
    if (!flag) {
      complaint_found(complaint, "this Python cannot be told to ignore the "
                                 "environment, as it must in a process with "
                                 "more rights than its user");
      complaint_remedy(complaint, "run it as yourself");
      return false;
    }
    *flag = 1;
  }
  return true;
}

/// Starts it; afterwards this thread has the GIL. `interpreter` is null for one
/// that the program brought, and did not start.
static bool python_start(const struct python *python,
                         const struct interpreter *interpreter,
                         struct complaint *complaint) {
  if (interpreter) {
    wchar_t *program = python->Py_DecodeLocale(interpreter->program, NULL);
    if (!program || !python->Py_SetProgramName) {
      complaint_found(complaint, "Python %s cannot be told its program's name",
                      interpreter->version);
      complaint_remedy(complaint, "use an older Python");
      return false;
    }
    // By its program's name it finds its environment's packages. The text is
    // Python's from now on.
    python->Py_SetProgramName(program);
  }
  // Signals stay what the program has made of them: ^C ends it.
  python->Py_InitializeEx(0);
  return true;
}

//===----------------------------------------------------------------------===//
// The extension
//===----------------------------------------------------------------------===//

static bool has_package(const char *directory) {
  char path[4096];
  int length =
      snprintf(path, sizeof path, "%s/mlirplug/__init__.py", directory);
  return length < (int)sizeof path && access(path, R_OK) == 0;
}

/// The directory with the package mlirplug that belongs to the libmlirplug in
/// `place`: of an installed prefix, or the environment whose package it is in.
static bool package_find(const char *place, char *directory, size_t size) {
  static const char *const candidates[] = {"mlirplug/python", "..", "../..",
                                           "../../.."};
  for (size_t i = 0; i < sizeof candidates / sizeof *candidates; ++i) {
    int length = snprintf(directory, size, "%s/%s", place, candidates[i]);
    if (length < (int)size && has_package(directory))
      return true;
  }
  return false;
}

/// Puts the directory in front of sys.path.
static void path_extend(const struct python *python, const char *directory) {
  char *real = realpath(directory, NULL);
  void *path = python->PySys_GetObject("path"); // borrowed
  void *entry = real ? python->PyUnicode_DecodeFSDefault(real) : NULL;
  if (path && entry)
    (void)python->PyList_Insert(path, 0, entry);
  if (entry)
    python->Py_DecRef(entry);
  python->PyErr_Clear();
  free(real);
}

static void exception_complain(const struct python *python,
                               struct complaint *complaint) {
  void *type = NULL, *value = NULL, *traceback = NULL;
  python->PyErr_Fetch(&type, &value, &traceback);
  python->PyErr_NormalizeException(&type, &value, &traceback);
  void *text = value ? python->PyObject_Str(value) : NULL;
  const char *bytes = text ? python->PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
  complaint_found(complaint, "Python %.16s cannot import mlirplug: %s",
                  python->Py_GetVersion(),
                  bytes ? bytes : "it does not say why");
  complaint_remedy(complaint,
                   "install mlirplug for this Python (pip install "
                   "mlirplug), or the whole of libmlirplug's prefix");
  void *const objects[] = {text, type, value, traceback};
  for (size_t i = 0; i < sizeof objects / sizeof *objects; ++i)
    if (objects[i])
      python->Py_DecRef(objects[i]);
  python->PyErr_Clear();
}

/// With the GIL held.
static const struct python_extension *
extension_import(const struct python *python, const char *place,
                 struct complaint *complaint) {
  char directory[4096];
  void *module = NULL;
  // One that the program has imported already is the one to use.
  const struct python_extension *found =
      python->PyCapsule_Import(PYTHON_EXTENSION_CAPSULE, 1);
  if (found)
    return found;
  python->PyErr_Clear();
  if (package_find(place, directory, sizeof directory))
    path_extend(python, directory);
  module = python->PyImport_ImportModule("mlirplug._mlirplug");
  if (module) {
    found = python->PyCapsule_Import(PYTHON_EXTENSION_CAPSULE, 0);
    python->Py_DecRef(module);
  }
  if (!found)
    exception_complain(python, complaint);
  return found;
}

/// The two halves must be of one version.
static const struct python_extension *
extension_check(const struct python_extension *extension,
                struct complaint *complaint) {
  if (!extension || (extension->size >= sizeof *extension &&
                     strcmp(extension->version, MLIRPLUG_SDK_VERSION) == 0))
    return extension;
  complaint_found(complaint,
                  "the package mlirplug in this Python has version %s, "
                  "libmlirplug has %s",
                  extension->version, MLIRPLUG_SDK_VERSION);
  complaint_remedy(complaint, "pip install mlirplug==%s", MLIRPLUG_SDK_VERSION);
  return NULL;
}

static bool version_check(const struct python *python,
                          struct complaint *complaint) {
  if (!strstr(python->Py_GetVersion(), "free-threading"))
    return true;
  complaint_found(complaint,
                  "the Python in this process is a free-threaded build, for "
                  "which the limited API that mlirplug is built with does not "
                  "exist");
  complaint_remedy(complaint, "use a build with the GIL");
  return false;
}

// The interpreter that was started here, for the end of the process.
static struct python started;

/// Nobody ends the interpreter, for other threads may be in it; but what Python
/// code wants done at exit is done.
static void on_exit_of_process(void) {
  int state = started.PyGILState_Ensure();
  void *module = started.PyImport_ImportModule("mlirplug._started");
  void *result =
      module ? started.PyObject_CallMethod(module, "leave", NULL) : NULL;
  if (result)
    started.Py_DecRef(result);
  if (module)
    started.Py_DecRef(module);
  started.PyErr_Clear();
  started.PyGILState_Release(state);
}

/// Starts the interpreter, and lets go of the GIL for ever.
static const struct python_extension *
extension_start(const struct python *python,
                const struct interpreter *interpreter, const char *place,
                struct complaint *complaint) {
  if (!python_start(python, interpreter, complaint))
    return NULL;
  const struct python_extension *found =
      extension_import(python, place, complaint);
  void *module =
      found ? python->PyImport_ImportModule("mlirplug._started") : NULL;
  if (module)
    python->Py_DecRef(module);
  python->PyErr_Clear();
  (void)python->PyEval_SaveThread();
  started = *python;
  if (found)
    (void)atexit(on_exit_of_process);
  return found;
}

static const struct python_extension *
extension_join(const struct python *python, const char *place,
               struct complaint *complaint) {
  int state = python->PyGILState_Ensure();
  const struct python_extension *found =
      extension_import(python, place, complaint);
  python->PyGILState_Release(state);
  return found;
}

static const struct python_extension *
extension_find(const char *place, struct complaint *complaint) {
  struct python python;
  struct interpreter interpreter;
  void *handle = python_present();
  bool is_own = !handle;
  if (is_own && interpreter_find(&interpreter, complaint))
    handle = library_open(&interpreter, complaint);
  if (!handle || !python_fill(&python, handle, complaint) ||
      !version_check(&python, complaint))
    return NULL;
  if (!python.Py_IsInitialized() && getauxval(AT_SECURE) &&
      !environment_ignore(handle, complaint))
    return NULL;
  const struct python_extension *found =
      python.Py_IsInitialized()
          ? extension_join(&python, place, complaint)
          : extension_start(&python, is_own ? &interpreter : NULL, place,
                            complaint);
  return extension_check(found, complaint);
}

const struct python_extension *
python_extension_get(const char *place, struct complaint *complaint) {
  // One interpreter in the process, started once.
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static const struct python_extension *_Atomic known;
  const struct python_extension *found = known;
  if (found)
    return found;
  pthread_mutex_lock(&lock);
  if (!(found = known))
    known = found = extension_find(place, complaint);
  pthread_mutex_unlock(&lock);
  return found;
}
