// SPDX-License-Identifier: AGPL-3.0-or-later
// Reads N-Quads, for the test suites of the W3C; what the program gets is JSON.
#pragma once
#include "ap/ld/rdf.hpp"

#include <string_view>

std::vector<ap::ld::Quad> read_n_quads(std::string_view text);
