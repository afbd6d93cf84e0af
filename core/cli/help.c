// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/help.h"

static void exit_codes_print(FILE *stream, const char *failure) {
  fprintf(stream,
          "\nExit status:\n"
          "  0  everything worked\n"
          "  1  %s\n"
          "  2  the command line is wrong\n",
          failure);
}

static const char *failure_of(enum argument_command command) {
  switch (command) {
  case ARGUMENT_OPT:
    return "an input, plugin, pass or pipeline failed";
  case ARGUMENT_LIST:
    return "a plugin that was named failed";
  case ARGUMENT_INFO:
    return "a plugin failed, or its signature is not good";
  case ARGUMENT_DOCTOR:
    return "there is a problem";
  case ARGUMENT_TRUST:
    return "a configuration cannot be trusted";
  case ARGUMENT_SIGN:
    return "a key or a signature cannot be made";
  }
  return "";
}

void help_general(FILE *stream) {
  fputs("mlirplug: MLIR passes as plain .so files\n"
        "\n"
        "Usage: mlirplug COMMAND [options] [files]\n"
        "\n"
        "Commands:\n"
        "  opt     run passes over MLIR files\n"
        "  list    list plugins and their passes\n"
        "  info    show what is in a plugin file, without loading it\n"
        "  doctor  look for what is wrong, and say what to do\n"
        "  trust   let the configuration files in directories name plugins\n"
        "  sign    sign plugins, so that others can tell they are yours\n"
        "  help    show this, or with a command its options\n"
        "\n"
        "  mlirplug --version shows the version.\n"
        "\n"
        "Example:\n"
        "  mlirplug opt --load-pass-plugin=my-pass.so --my-pass=top=3 --cse "
        "in.mlir\n",
        stream);
  exit_codes_print(stream, "something failed; standard error says what");
}

void help_command(enum argument_command command, FILE *stream) {
  switch (command) {
  case ARGUMENT_OPT:
    fputs("Usage: mlirplug opt [options] [inputs]\n"
          "\n"
          "Reads MLIR (text or bytecode), runs passes over it, and writes it "
          "out. An input\n"
          "is a file, '-' (standard input, the default), or a directory, which "
          "means the\n"
          "*.mlir and *.mlirbc in it. Several inputs are printed in order, "
          "with a line\n"
          "'// -----' between them; one that fails does not stop the others.\n"
          "\n"
          "Options:\n",
          stream);
    break;
  case ARGUMENT_LIST:
    fputs("Usage: mlirplug list [options] [plugins]\n"
          "\n"
          "Lists plugins and their passes; without a name, those in the "
          "directories that\n"
          "'mlirplug opt' searches, those that were refused and why, and the "
          "directories.\n"
          "\n"
          "Options:\n",
          stream);
    break;
  case ARGUMENT_INFO:
    fputs("Usage: mlirplug info [options] plugins\n"
          "\n"
          "Shows everything that plugin files say of themselves and the "
          "functions they\n"
          "use, without loading them.\n"
          "\n"
          "Options:\n",
          stream);
    break;
  case ARGUMENT_DOCTOR:
    fputs("Usage: mlirplug doctor [options]\n"
          "\n"
          "Looks at all that 'mlirplug opt' would use: the copies of MLIR, "
          "which are really\n"
          "opened, the directories of plugins, the plugins, and what was "
          "refused. Each\n"
          "problem comes with what to do; a problem is exit status 1.\n"
          "\n"
          "Options:\n",
          stream);
    break;
  case ARGUMENT_SIGN:
    fputs("Usage: mlirplug sign --key=FILE [options] plugins\n"
          "       mlirplug sign --new-key=NAME [options]\n"
          "\n"
          "Signs plugins: PLUGIN.so.minisig is written beside each PLUGIN.so. "
          "The second\n"
          "form makes a pair of keys: NAME.key, which signs and stays secret, "
          "and NAME.pub,\n"
          "which goes to the key directories of those who use the plugins. "
          "Keys and\n"
          "signatures are those of minisign.\n"
          "\n"
          "Options:\n",
          stream);
    break;
  case ARGUMENT_TRUST:
    fputs("Usage: mlirplug trust [options] directories\n"
          "\n"
          "Trusts the mlirplug.json in each directory: shows which plugins it "
          "names, and\n"
          "lets 'mlirplug opt' use them for the inputs there and below. That "
          "is recorded\n"
          "for the file as it is now; after a change it has to be trusted "
          "again.\n"
          "\n"
          "Options:\n",
          stream);
    break;
  }
  arguments_describe(command, stream);
  if (command == ARGUMENT_OPT)
    fputs(
        "  --PASS, --PASS=OPTIONS        Run a pass, of a plugin or of MLIR\n"
        "                                (in the order given; not together "
        "with\n"
        "                                --pass-pipeline)\n"
        "\n"
        "One dash does for two, a switch takes =true or =false, and '--' ends "
        "the\n"
        "options.\n"
        "\n"
        "Examples:\n"
        "  mlirplug opt --load-pass-plugin=my-pass.so --my-pass='top=3 "
        "names=a,b' in.mlir\n"
        "  mlirplug opt --my-pass --cse in.mlir -o out.mlir\n"
        "  mlirplug opt --pass-pipeline='builtin.module(func.func(my-pass))' "
        "in.mlir\n",
        stream);
  exit_codes_print(stream, failure_of(command));
}
