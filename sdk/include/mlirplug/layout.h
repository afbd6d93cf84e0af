// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of every structure of the ABI, as every plugin in the world has
// it, checked at compile time. The loader and the tests include this; plugins
// need not, and compile faster without.

#ifndef MLIRPLUG_LAYOUT_H
#define MLIRPLUG_LAYOUT_H

#include <mlirplug/ir/Layout.h>
#include <mlirplug/plugin.h>

#define MLIRPLUG_LAYOUT(type, field, position)                                 \
  MLIRPLUG_STATIC_ASSERT(offsetof(type, field) == (position),                  \
                         #type "." #field " must stay at " #position)

MLIRPLUG_STATIC_ASSERT(sizeof(mlirplug_import) == 16, "an import has 16 bytes");
MLIRPLUG_LAYOUT(mlirplug_import, name, 0);
MLIRPLUG_LAYOUT(mlirplug_import, function, 8);

MLIRPLUG_LAYOUT(mlirplug_option, name, 0);
MLIRPLUG_LAYOUT(mlirplug_option, help, 8);
MLIRPLUG_LAYOUT(mlirplug_option, kind, 16);
MLIRPLUG_LAYOUT(mlirplug_option, flags, 20);
MLIRPLUG_LAYOUT(mlirplug_option, offset, 24);
MLIRPLUG_LAYOUT(mlirplug_option, default_integer, 32);
MLIRPLUG_LAYOUT(mlirplug_option, default_double, 40);
MLIRPLUG_LAYOUT(mlirplug_option, default_text, 48);
MLIRPLUG_LAYOUT(mlirplug_option, choices, 56);
MLIRPLUG_LAYOUT(mlirplug_option, minimum, 64);
MLIRPLUG_LAYOUT(mlirplug_option, maximum, 72);
MLIRPLUG_LAYOUT(mlirplug_option, minimum_double, 80);
MLIRPLUG_LAYOUT(mlirplug_option, maximum_double, 88);

MLIRPLUG_LAYOUT(mlirplug_statistic, name, 0);
MLIRPLUG_LAYOUT(mlirplug_statistic, help, 8);

MLIRPLUG_LAYOUT(mlirplug_run, size, 0);
MLIRPLUG_LAYOUT(mlirplug_run, reserved, 4);
MLIRPLUG_LAYOUT(mlirplug_run, options, 8);
MLIRPLUG_LAYOUT(mlirplug_run, state, 16);
MLIRPLUG_LAYOUT(mlirplug_run, identifiers, 24);
MLIRPLUG_LAYOUT(mlirplug_run, pass, 32);

MLIRPLUG_LAYOUT(mlirplug_opening, size, 0);
MLIRPLUG_LAYOUT(mlirplug_opening, reserved, 4);
MLIRPLUG_LAYOUT(mlirplug_opening, path, 8);
MLIRPLUG_LAYOUT(mlirplug_opening, bytes, 16);
MLIRPLUG_LAYOUT(mlirplug_opening, length, 24);
MLIRPLUG_LAYOUT(mlirplug_opening, refuse, 32);

MLIRPLUG_LAYOUT(mlirplug_hosting, size, 0);
MLIRPLUG_LAYOUT(mlirplug_hosting, reserved, 4);
MLIRPLUG_LAYOUT(mlirplug_hosting, language, 8);
MLIRPLUG_LAYOUT(mlirplug_hosting, suffixes, 16);
MLIRPLUG_LAYOUT(mlirplug_hosting, open, 24);

MLIRPLUG_LAYOUT(mlirplug_pass, size, 0);
MLIRPLUG_LAYOUT(mlirplug_pass, option_size, 4);
MLIRPLUG_LAYOUT(mlirplug_pass, statistic_size, 8);
MLIRPLUG_LAYOUT(mlirplug_pass, reserved, 12);
MLIRPLUG_LAYOUT(mlirplug_pass, name, 16);
MLIRPLUG_LAYOUT(mlirplug_pass, summary, 24);
MLIRPLUG_LAYOUT(mlirplug_pass, description, 32);
MLIRPLUG_LAYOUT(mlirplug_pass, anchor, 40);
MLIRPLUG_LAYOUT(mlirplug_pass, dialects, 48);
MLIRPLUG_LAYOUT(mlirplug_pass, options, 56);
MLIRPLUG_LAYOUT(mlirplug_pass, option_count, 64);
MLIRPLUG_LAYOUT(mlirplug_pass, options_size, 72);
MLIRPLUG_LAYOUT(mlirplug_pass, statistics, 80);
MLIRPLUG_LAYOUT(mlirplug_pass, statistic_count, 88);
MLIRPLUG_LAYOUT(mlirplug_pass, names, 96);
MLIRPLUG_LAYOUT(mlirplug_pass, name_count, 104);
MLIRPLUG_LAYOUT(mlirplug_pass, create, 112);
MLIRPLUG_LAYOUT(mlirplug_pass, clone, 120);
MLIRPLUG_LAYOUT(mlirplug_pass, destroy, 128);
MLIRPLUG_LAYOUT(mlirplug_pass, initialize, 136);
MLIRPLUG_LAYOUT(mlirplug_pass, run, 144);
MLIRPLUG_LAYOUT(mlirplug_pass, merge, 152);
MLIRPLUG_LAYOUT(mlirplug_pass, finish, 160);
MLIRPLUG_LAYOUT(mlirplug_pass, reset, 168);

MLIRPLUG_LAYOUT(mlirplug_descriptor, magic, 0);
MLIRPLUG_LAYOUT(mlirplug_descriptor, size, 8);
MLIRPLUG_LAYOUT(mlirplug_descriptor, abi_major, 12);
MLIRPLUG_LAYOUT(mlirplug_descriptor, abi_minor, 14);
MLIRPLUG_LAYOUT(mlirplug_descriptor, id, 16);
MLIRPLUG_LAYOUT(mlirplug_descriptor, version, 24);
MLIRPLUG_LAYOUT(mlirplug_descriptor, sdk, 32);
MLIRPLUG_LAYOUT(mlirplug_descriptor, passes, 40);
MLIRPLUG_LAYOUT(mlirplug_descriptor, pass_count, 48);
MLIRPLUG_LAYOUT(mlirplug_descriptor, imports_begin, 56);
MLIRPLUG_LAYOUT(mlirplug_descriptor, imports_end, 64);
MLIRPLUG_LAYOUT(mlirplug_descriptor, hosting, 72);

#endif // MLIRPLUG_LAYOUT_H
