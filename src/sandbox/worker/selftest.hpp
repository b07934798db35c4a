// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// Misbehaviour on demand, behind the same walls as a real job: tests see that the walls stand and that the server keeps
// its calm. The server never asks for it.

#include <string_view>

namespace worker {

int selftest(std::string_view what);

}  // namespace worker
