// SPDX-License-Identifier: AGPL-3.0-or-later
// RDF dataset canonicalisation (RDFC-1.0, which is URDNA2015): the same N-Quads for the same graph, whatever its
// blank nodes are called and in whatever order its quads come.
#pragma once
#include "ap/ld/rdf.hpp"

#include <span>

namespace ap::ld {

// Throws Failure when naming the blank nodes takes more work than a document of the fediverse ever needs: the time
// is exponential in graphs made for it.
std::string canonical(std::span<const Quad>, Spelling = {});

}  // namespace ap::ld
