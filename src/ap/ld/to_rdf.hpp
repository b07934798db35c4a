// SPDX-License-Identifier: AGPL-3.0-or-later
// The quads that an expanded document says.
#pragma once
#include "ap/ld/context.hpp"
#include "ap/ld/rdf.hpp"

#include <boost/json/array.hpp>
#include <span>

namespace ap::ld {

constexpr std::size_t max_quads = 5'000;

// What is no RDF is left out: relative IRIs, properties that are blank nodes. Throws Failure beyond the limits.
std::vector<Quad> to_rdf(const boost::json::array& expanded, Work&);

// RDF dataset canonicalisation (RDFC-1.0, which is URDNA2015): the same N-Quads for the same graph, whatever its
// blank nodes are called and in whatever order its quads come.

// Throws Failure when naming the blank nodes takes more work than a document of the fediverse ever needs: the time
// is exponential in graphs made for it.
std::string canonical(std::span<const Quad>, Spelling = {});

}  // namespace ap::ld
