// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/commands.hpp"

int main(int argc, char** argv) { return server::run(argc, argv); }
