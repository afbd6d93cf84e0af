// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a secret key is to the public.

#ifndef MLIRPLUG_SIGN_SECRET_H
#define MLIRPLUG_SIGN_SECRET_H

#include "sign/secret_key.h"

#include <mlirplug/signature.h>

struct mlirplug_secret_key {
  struct secret_key key;
};

#endif // MLIRPLUG_SIGN_SECRET_H
