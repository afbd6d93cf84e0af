#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes seven files that are no plugins in the directory $1; needs a C compiler.
set -e
directory=$1
compiler=${CC:-cc}
mkdir -p "$directory/dir.so"
echo 'not an ELF file' >"$directory/text.so"
: >"$directory/empty.so"
printf 'int unrelated_symbol;\n' |
  "$compiler" -shared -fPIC -x c - -o "$directory/noentry.so"
printf 'extern int missing_in_host_xyz;\nint *keep = &missing_in_host_xyz;\n' |
  "$compiler" -shared -fPIC -x c - -o "$directory/undef.so"
head -c 4096 "$directory/noentry.so" >"$directory/truncated.so"
# The machine stands at byte 18; 243 is RISC-V.
cp "$directory/noentry.so" "$directory/wrongarch.so"
printf '\363\000' |
  dd of="$directory/wrongarch.so" bs=1 seek=18 conv=notrunc 2>/dev/null
