# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""numpy arrays as the descriptors that compiled functions take."""

from .np_to_memref import *  # noqa: F403
