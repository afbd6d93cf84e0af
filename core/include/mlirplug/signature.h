// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures of plugins. The signature of PLUGIN.so lies beside it in
// PLUGIN.so.minisig; keys and signatures have the form of minisign
// (jedisct1.github.io/minisign), so that either tool may make them and check
// them. That a host takes signed plugins only is set in its configuration or
// demanded by a policy: see host.h and docs/signing.md.
//
// Conventions are those of host.h. Any thread may call any of these.

#ifndef MLIRPLUG_SIGNATURE_H
#define MLIRPLUG_SIGNATURE_H

#include <mlirplug/host.h>

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Makes a pair of keys: NAME.key, which only the user may read, encrypted with
/// `password` unless that is null, and NAME.pub. Files that exist are never
/// overwritten. Encrypting takes some seconds and 1 GiB of memory, so that
/// guessing the password does too.
MLIRPLUG_API mlirplug_status mlirplug_key_create(const char *name,
                                                 const char *password,
                                                 mlirplug_error **error);

/// Is asked for the password of the key at `path`: stores it in the `size`
/// bytes at `password`, with a NUL behind it. False if there is none.
typedef bool (*mlirplug_password)(const char *path, char *password, size_t size,
                                  void *user_data);

/// A secret key that is ready for use. Its memory is wiped when it is
/// destroyed.
typedef struct mlirplug_secret_key mlirplug_secret_key;

/// Reads the secret key at `path`. `password`, which may be null, is called
/// once if the key is encrypted.
MLIRPLUG_API mlirplug_status mlirplug_secret_key_read(
    const char *path, mlirplug_password password, void *user_data,
    mlirplug_secret_key **key, mlirplug_error **error);
MLIRPLUG_API void mlirplug_secret_key_destroy(mlirplug_secret_key *key);

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Signs the plugin at `path`, and writes or replaces its signature.
/// `trusted_comment` is one line that is signed too; if null it is the time and
/// the file's name, as minisign writes them.
MLIRPLUG_API mlirplug_status mlirplug_sign(const mlirplug_secret_key *key,
                                           const char *path,
                                           const char *trusted_comment,
                                           mlirplug_error **error);

/// What a signature says that was checked. Strings are never null.
typedef struct mlirplug_signature {
  const char *key_id;          ///< "7AD7E18DF59492E2"
  const char *key_file;        ///< The public key that fits.
  const char *trusted_comment; ///< May be empty.
} mlirplug_signature;

/// Whether there is a signature of the plugin at `path`, good or bad.
MLIRPLUG_API bool mlirplug_signature_exists(const char *path);

/// Checks the signature of the plugin at `path` by the keys in the directory
/// `key_directory`, or if that is null by those in the directories
/// $XDG_CONFIG_HOME/mlirplug/keys (by default ~/.config/…) and
/// /etc/mlirplug/keys: all files there whose names end in ".pub". The result is
/// destroyed by the caller. Reads the environment: no other thread may change
/// it meanwhile.
MLIRPLUG_API mlirplug_status mlirplug_signature_check(
    const char *path, const char *key_directory, mlirplug_signature **signature,
    mlirplug_error **error);
MLIRPLUG_API void mlirplug_signature_destroy(mlirplug_signature *signature);

//===----------------------------------------------------------------------===//
// What is demanded
//===----------------------------------------------------------------------===//

/// A policy file or a directory of keys.
typedef struct mlirplug_demand_source {
  const char *path; ///< Absolute.
  bool is_policy;   ///< If not, it is a directory of keys.
  bool exists;
  bool demands;                ///< It is a policy that demands signatures.
  size_t key_count;            ///< Of a directory of keys.
  const mlirplug_error *error; ///< Why it cannot be used, or null.
} mlirplug_demand_source;

/// The policies, whether they exist or not, and the directories of keys that
/// they name and that count by default, each once.
typedef struct mlirplug_demands_description {
  const mlirplug_demand_source *const *sources;
  size_t source_count;
} mlirplug_demands_description;

/// Looks at all that may demand signatures, and at the keys. `key_directory`,
/// which may be null, is one more directory of keys, which must exist. Fails
/// only if memory runs out. The result is destroyed by the caller. Reads the
/// environment.
MLIRPLUG_API mlirplug_status mlirplug_demands_describe(
    const char *key_directory, mlirplug_demands_description **description,
    mlirplug_error **error);
MLIRPLUG_API void
mlirplug_demands_description_destroy(mlirplug_demands_description *description);

#ifdef __cplusplus
}
#endif

#endif // MLIRPLUG_SIGNATURE_H
