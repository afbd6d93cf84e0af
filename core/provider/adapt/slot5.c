// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define ADAPT_SLOT adapt_slot_5
#include "provider/adapt/slot.h"
