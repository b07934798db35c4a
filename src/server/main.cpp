// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/commands.hpp"

// jemalloc reads this before main: free memory is soon returned to the kernel.
extern "C" const char* malloc_conf;
const char* malloc_conf = "dirty_decay_ms:3000,muzzy_decay_ms:0";

int main(int argc, char** argv) { return server::run(argc, argv); }
