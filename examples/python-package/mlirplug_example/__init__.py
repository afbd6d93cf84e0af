# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plugins are in the directory plugins; nothing needs to be imported."""
