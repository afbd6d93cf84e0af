// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The position of an operation: how many operations stand before it in its
// parent, before its parent in the parent's parent, and so on from the root.

#ifndef MLIRPLUG_PASS_POSITION_H
#define MLIRPLUG_PASS_POSITION_H

#include "pass/frame.h"

/// The position of the frame's root operation, from the outermost number to the
/// innermost; made in the frame's scratch memory and kept there. False if
/// memory runs out.
bool position_find(struct frame *frame);

/// Forgets the numbers that `place` has remembered in this run.
void position_forget(struct place *place);

#endif // MLIRPLUG_PASS_POSITION_H
