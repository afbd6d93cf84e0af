#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# say.sh MLIRPLUG DIRECTORY PLUGIN
#
# Prints what the command MLIRPLUG says of PLUGIN.so in DIRECTORY, and what comes
# of each line of DIRECTORY/runs that begins with PLUGIN: standard output, then
# standard error. The same is in DIRECTORY/PLUGIN.txt.

set -eu
mlirplug=$1
plugin=$3
cd "$2"

# The first line is the absolute path.
"$mlirplug" info "$plugin.so" | sed '1s|.*/||'

errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
grep "^$plugin " runs | cut -d ' ' -f 2- | while read -r arguments; do
  echo
  echo "\$ mlirplug opt $arguments"
  status=0
  eval "\"\$mlirplug\" opt --load-pass-plugin=$plugin.so $arguments input.mlir" \
    2>"$errors" || status=$?
  cat "$errors"
  echo "exit code $status"
done
